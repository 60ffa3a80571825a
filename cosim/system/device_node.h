// SPDX-License-Identifier: Apache-2.0
// A switch of a system that is a device of words: what is under way to it becomes words and control slots, what it puts
// on its links is checked and becomes messages again (docs/network.md, Devices).
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "cosim/lockstep/lockstep.h"
#include "cosim/lockstep/recorder.h"
#include "cosim/system/packet_frame.h"
#include "golden/common/stage_times.h"
#include "golden/ingress/registers.h"
#include "golden/reduction/red_registers.h"
#include "network/node.h"

namespace tilefly::cosim {

/// A packet that went through the switch of a DeviceNode.
struct Passage {
  std::string packet;
  int input;
  int output;
  Cycle in;   ///< first word on `link_i`
  Cycle out;  ///< last word on `link_o`
};

/// Looks on.
struct DeviceWatch {
  Recorder* recorder = nullptr;  ///< sees every cycle
  std::function<void(const Passage&)> passed;
};

class DeviceNode final : public network::Node {
 public:
  /// The system hears `a`; `b`, when there is one, gets the same inputs and must do the same in every cycle.
  DeviceNode(const Profile& profile, int index, network::NodeContext* context, std::uint64_t seed,
             std::unique_ptr<Device> a, std::unique_ptr<Device> b, DeviceWatch watch = {});

  /// What the device does wrong is thrown as LinkFailure.
  void Write(const std::vector<Cfg>& writes, Cycle bus) override;
  void Run(Cycle end) override;
  Cycle Due() const override;
  /// The time of a node counts events of a golden switch; the device has come so many cycles less far, for it needs the
  /// words themselves.
  Cycle lead() const override { return -golden::kWireToEvent; }
  std::string NotHome(bool lost) override;
  /// Read over the register bus; 0 of a device that broke.
  std::uint64_t ReadCounter(int port, int index) override;

 private:
  using PortMask = golden::PortMask;

  /// Cycles after the last word or control slot until nothing more can come. A bound of its own: no credit return, ack
  /// or drop takes longer than a quiet hop, and a return may wait for those of all other lanes.
  static constexpr Cycle kSettle = 128;
  static_assert(kSettle > golden::kQuietHop + golden::kMaxLanes);
  /// Cycles by which a drop may be told too late. A bound of its own: a device that is exact tells in the next one, a
  /// bounded one as soon as its kernel has come so far (LateDrop).
  static constexpr Cycle kLatestDrop = 16;

  /// A packet from its first word in to its last word out.
  struct Inside {
    golden::Payload payload;
    network::PacketRecord record;
    golden::HeaderBits header;  ///< as it came in
    int input;
    Cycle in;
    FramePtr frame;
  };
  /// A packet on a link.
  struct Sending {
    FramePtr frame;  ///< null: none
    Cycle first = 0;
    int next = 0;  ///< word
    int lanes = 4;
    int words = 0;
    std::shared_ptr<Frame> red;   ///< a reduction packet's frame again, whose data come with its words; else null
    golden::Payload payload = 0;  ///< of that

    bool Due(Cycle now) const { return frame != nullptr && now == first + WordOffset(next, lanes); }
  };
  struct DropDue {
    Cycle admission;
    Cycle discard;
    PacketKey key;
    bool red;  ///< a reduction packet, which is dropped as RED
  };
  struct Port {
    Sending in;
    Sending out;
    PacketKey leaving = 0;       ///< of `out`
    Cycle out_free = 0;          ///< the link may begin another packet
    golden::CreditSender held;   ///< cells of this switch, as its link partner accounts them
    golden::CreditSender taken;  ///< cells of the link partner, as this switch must
    std::deque<DropDue> drops;
    Cycle brought = 0;  ///< the last word of `out`, at the NIC
  };

  Cycle now() const { return devices_.cycle(); }
  void RunTo(Cycle stop);
  void RunOn(Cycle stop);
  void ShowFailure();
  void DriveLinks();
  bool Busy() const;
  Cycle NextInput() const;
  void Step();
  void Drive(int port);
  void DriveAck(int port, Ctrl* ctrl);
  void Start(int port, const network::LinkPacket& packet);
  void Check(int port, const Link& link);
  void CheckWord(int port, const Word& word);
  void Begin(int port, const Word& word);
  void Send(int port, Sending out);
  golden::HeaderBits HeaderOut(const Inside& packet, const golden::HeaderBits& seen) const;
  void End(int port);
  void CheckControl(int port, const Ctrl& ctrl);
  void CheckCredit(int port, const Ctrl& ctrl);
  void CheckAck(int port, const Ctrl& ctrl);
  std::string NameOfLeaving(const Port& own) const;
  void WriteReduction(const Cfg& write);
  Cycle NextOwn() const { return in_tree_ ? devices_.a().NextChange() : kNever; }
  void StartReduction(const network::LinkPacket& packet, Sending* in);
  void FeedReduction(Sending* in);
  void BeginReduction(int port, const Word& word);
  void TakeData(const Word& word, Sending* out);
  void BringReduction(int port, golden::Payload payload, Cycle last) override;
  void EndReduction(int port);
  void CheckDrops();
  void CheckDrop(int port, Cycle cycle, Drop reason);
  [[noreturn]] void Fail(int port, const std::string& what) const;

  const Profile& profile_;
  const std::uint64_t seed_;
  Lockstep devices_;
  DeviceWatch watch_;
  golden::Registers registers_;
  golden::RedRegisters red_registers_;
  bool in_tree_ = false;                            ///< the switch is a node of a reduction tree
  std::array<bool, golden::kRedGroups> carries_{};  ///< packets of the group carry bytes
  Device::Inputs inputs_;
  std::vector<Port> ports_;
  PortMask feeding_ = 0;  ///< ports with a packet on link_i
  PortMask driven_ = 0;   ///< ports with something on link_i in the latest cycle
  std::unordered_map<PacketKey, Inside> inside_;
  Cycle settled_ = 0;     ///< nothing comes any more
  Cycle driven_at_ = -1;  ///< last cycle whose inputs stand
  Cycle recorded_ = -1;   ///< last cycle that the recorder was given
};

}  // namespace tilefly::cosim
