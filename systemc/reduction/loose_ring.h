// SPDX-License-Identifier: Apache-2.0
// Loosely timed use of the ring (docs/systemc.md, Loosely timed). The call that brings the last part of a launch makes
// the launch, and passes its results on.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <vector>

#include "systemc/reduction/lane_ledger.h"
#include "systemc/reduction/ring_core.h"

namespace tilefly::systemc {

class CombinerRing;

class LooseRing {
 public:
  using Results = sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<CombinerRing, 32, CrossingTypes>>;

  /// `results`: by port, sockets to the outputs.
  LooseRing(RingCore& core, Results& results)
      : core_(core), results_(results), came_(static_cast<std::size_t>(core.context.profile.ports)) {}

  /// A taken packet ends well, as an event of `end`. Its field `drop` says afterwards whether it was used.
  void Receive(int port, fabric::Packet* packet, Cycle end);
  /// Whether a packet has come: then the ring is used loosely timed.
  bool used() const { return clock_ > 0; }

 private:
  static constexpr int kMostStored = 16;  ///< RED_STORE of any profile

  /// Cycles from which on each entry of a port may be launched.
  using OfPort = std::array<Cycle, golden::kRedSlots * kMostStored + golden::kRedGroups * golden::kRedEngines>;
  /// A packet that leaves.
  struct Leaving {
    Cycle granted;
    Crossing* crossing;
  };

  /// The cycle in which a segment number of a slot, or an engine of a group, got its part.
  Cycle& CameOf(int port, bool streams, int slot_or_group, int number);
  void Advance(Cycle cycle);
  void LaunchAll(Cycle trigger);
  Cycle StartOf(const Launch& launch, Cycle trigger);
  std::vector<Leaving> Make(const Launch& launch);
  void Deliver(const Leaving& leaving);

  RingCore& core_;
  Results& results_;
  std::vector<OfPort> came_;
  std::array<LaneLedger, 2 + kResultLanes> lanes_;  ///< turns taken: collect lanes up and down, return lanes U, D, S
  Cycle clock_ = 0;                                 ///< of the state: the latest that anybody came to
};

}  // namespace tilefly::systemc
