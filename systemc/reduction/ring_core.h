// SPDX-License-Identifier: Apache-2.0
// The part of the reduction ring that does not depend on its timing: the state of its trees, the control of groups and
// launches, the reduction ports, and the packets that are made.
#pragma once

#include <vector>

#include "systemc/reduction/group_control.h"
#include "systemc/reduction/launch_unit.h"
#include "systemc/reduction/reduction_port.h"
#include "systemc/reduction/result_frame.h"

namespace tilefly::systemc {

struct RingCore {
  explicit RingCore(Context& of_switch);
  RingCore(const RingCore&) = delete;
  RingCore& operator=(const RingCore&) = delete;

  /// Tells the ports the commands that follow from the events of `cycle`.
  void Tell(Cycle cycle, const GroupControl::Commands& told);
  /// Collects the parts of a launch in the order of the ring.
  Collection Collect(const Launch& launch);
  /// Makes the CREDIT that is due at the port for the slot.
  Crossing* MakeCredit(int port, int slot);
  /// Makes a packet of row R for the peer of the port.
  Crossing* MakeResult(int port, int input, int group, const FramePointer& frame);

  Context& context;
  TreeState state;
  GroupControl control;
  LaunchUnit launches;
  std::vector<ReductionPort> ports;
};

}  // namespace tilefly::systemc
