// SPDX-License-Identifier: Apache-2.0
// Reduction packets at a device of a system: those that come end in it, those that leave it has made
// (docs/network.md, Devices).
#pragma once

#include <array>

#include "cosim/device.h"
#include "cosim/system/frame_on_link.h"
#include "golden/ingress/registers.h"
#include "golden/reduction/red_registers.h"
#include "network/messages.h"
#include "network/red_packets.h"

namespace tilefly::cosim {

class DeviceReductions {
 public:
  /// Of switch `node`. `profile` and `reds` must outlive it.
  DeviceReductions(const Profile& profile, int node, network::RedPackets* reds)
      : profile_(profile), node_(node), reds_(*reds), registers_(profile.ports) {}

  /// A write of space RED. Throws UsageError when the switch becomes a node of a tree, and the device cannot tell when
  /// it acts by itself.
  void Write(const Cfg& write, const Device& device);
  /// The switch is a node of a reduction tree.
  bool in_tree() const { return in_tree_; }

  /// The packet's first word goes in.
  void Start(const network::LinkPacket& packet, FrameOnLink* in);
  /// Its next word goes in.
  void Feed(FrameOnLink* in);
  /// What leaves by `port` in cycle `now`, with this first word. `registers`: of the switch. Throws LinkFailure.
  FrameOnLink Begin(Cycle now, int port, const Word& word, const golden::Registers& registers);
  /// A word of it leaves.
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
