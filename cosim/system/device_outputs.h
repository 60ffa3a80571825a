// SPDX-License-Identifier: Apache-2.0
// What a device of a system puts on its links. Every word and control slot is checked, and becomes a message again
// (docs/network.md, Devices).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cosim/system/device_reductions.h"
#include "cosim/system/frame_on_link.h"
#include "cosim/system/packets_inside.h"
#include "golden/registers/registers.h"
#include "golden/switch/switch.h"
#include "network/node.h"

namespace tilefly::cosim {

/// A packet that went through the device.
struct Passage {
  std::string packet;
  int input;
  int output;
  Cycle in;   ///< first word on `link_i`
  Cycle out;  ///< last word on `link_o`
};

/// Interface for what the links of a device carry.
class LinkListener {
 public:
  virtual ~LinkListener() = default;
  /// A packet's first word is on the link in this cycle.
  virtual void Departs(const golden::Departure& departure) = 0;
  /// The last word of a reduction packet is on the link of `port`.
  virtual void EndsReduction(int port, golden::Payload payload) = 0;
  virtual void Returns(const golden::CreditReturn& credit) = 0;
  virtual void PassesOn(const golden::AckReturn& ack) = 0;
  virtual void Pauses(const golden::FlowPauseReturn& pause) = 0;
};

class DeviceOutputs {
 public:
  using Passed = std::function<void(const Passage&)>;

  /// Watches the outputs of switch `node`. `passed`, which may be empty, is told of each packet that has gone through.
  /// All references must outlive this object.
  DeviceOutputs(const Profile& profile, int node, const golden::Registers& registers, network::NodeContext* context,
                PacketsInside* inside, DeviceReductions* reductions, LinkListener* listener, Passed passed);

  /// Checks `link_o` of `port` in cycle `now`. Returns whether it carries something. Throws LinkFailure when it breaks
  /// a rule.
  bool Check(Cycle now, int port, const Link& link);
  /// The link of `port` repeats: AttemptsOut accounts the cells of the link partner.
  void LetRepeat(int port) { ports_[static_cast<std::size_t>(port)].repeats = true; }
  /// The link of `port`, which repeats, is down: what is on it ends there. In the first cycle without words.
  void Cut(int port);
  /// It goes down, or comes up again: then the switch says what it still holds, and counts anew.
  void LinkTurns(int port, bool up);
  /// The packet that begins next at `port` uses so many SerDes lanes.
  void SetLanes(int port, int lanes) { ports_[static_cast<std::size_t>(port)].lanes = lanes; }
  /// A packet comes in by `port` and takes cells of this switch until the switch returns them.
  void Hold(int port, const golden::HeaderBits& header);
  /// A stamp tells of `cells` cells of lane `vl` that were lost on the way in: this switch returns them, too.
  void HoldLost(int port, int vl, int cells);
  /// The link partner at `port` returns cells to this switch.
  void Return(int port, const network::LinkCredit& credit);
  /// The accounts that are not as at the start, in words; empty: all of them are.
  std::string NotHome() const;

 private:
  struct Port {
    FrameOnLink out;
    PacketKey leaving = 0;       ///< of `out`
    Cycle out_free = 0;          ///< the link may begin another packet
    golden::CreditSender held;   ///< cells of this switch, as its link partner accounts them
    golden::CreditSender taken;  ///< cells of the link partner, as this switch must
    bool repeats = false;
    bool down = false;
    int lanes = 0;  ///< SerDes lanes of the packet that begins next; 0: as its registers say
  };

  void CheckWord(int port, const Word& word);
  void Begin(int port, const Word& word);
  void Send(int port, FrameOnLink out);
  void ChargeCredits(int port, const golden::HeaderBits& header);
  void End(int port, bool passed);
  void CheckControl(int port, const Ctrl& ctrl);
  void CheckCredit(int port, const Ctrl& ctrl);
  void CheckAck(int port, const Ctrl& ctrl);
  void CheckPause(int port, const golden::FlowPause& pause);
  std::string NameOfLeaving(const Port& own) const;
  [[noreturn]] void Fail(int port, const std::string& what) const;

  const int node_;
  const golden::Registers& registers_;
  network::NodeContext& context_;
  PacketsInside& inside_;
  DeviceReductions& reductions_;
  LinkListener& listener_;
  const Passed passed_;
  std::vector<Port> ports_;
  Cycle now_ = 0;  ///< of the check
};

}  // namespace tilefly::cosim
