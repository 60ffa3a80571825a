// SPDX-License-Identifier: Apache-2.0
// Reduction packets at a device of a system. A packet that comes in ends in the device; a packet that leaves was made
// by it (docs/network.md, Devices).
#pragma once

#include <array>
#include <memory>

#include "cosim/device.h"
#include "cosim/system/frame_on_link.h"
#include "golden/reduction/red_registers.h"
#include "golden/registers/registers.h"
#include "network/messages.h"
#include "network/red_packets.h"

namespace tilefly::cosim {

class DeviceReductions {
 public:
  /// The reduction packets of switch `node`. `profile` and `reds` must outlive this object.
  DeviceReductions(const Profile& profile, int node, network::RedPackets* reds)
      : profile_(profile), node_(node), reds_(*reds), registers_(profile.ports) {}

  /// Takes a write of space RED. Throws UsageError when the switch becomes a node of a tree and the device cannot tell
  /// when it acts by itself.
  void Write(const Cfg& write, const Device& device);
  /// Whether the switch is a node of a reduction tree.
  bool in_tree() const { return in_tree_; }

  /// The frame of a packet that comes in; its data come with its words.
  std::shared_ptr<Frame> Open(golden::Payload payload, const golden::HeaderBits& header);
  /// The first word of the packet goes in.
  void Start(const network::LinkPacket& packet, FrameOnLink* in);
  /// The next word of the packet goes in.
  void Feed(FrameOnLink* in);
  /// A packet with the first word `word` leaves by `port` in cycle `now`. `registers`: of the switch. Throws
  /// LinkFailure when the packet is wrong.
  FrameOnLink Begin(Cycle now, int port, const Word& word, const golden::Registers& registers);
  /// A word of the packet leaves.
  void TakeData(const Word& word, FrameOnLink* out);

 private:
  const Profile& profile_;
  const int node_;
  network::RedPackets& reds_;
  golden::RedRegisters registers_;
  bool in_tree_ = false;
  std::array<bool, golden::kRedGroups> carries_{};  ///< packets of the group carry bytes
};

}  // namespace tilefly::cosim
