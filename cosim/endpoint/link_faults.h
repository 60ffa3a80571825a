// SPDX-License-Identifier: Apache-2.0
// What goes wrong on the link of one port of a switch under test, as a plan says (docs/blocks/link_retry.md, Fault plan).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cosim/endpoint/fault_log.h"
#include "faults/direction_faults.h"
#include "generated/wire.h"

namespace tilefly::cosim {

/// A plan, and whose draws it uses.
struct LinkFaultSetup {
  faults::Plan plan;
  std::uint64_t seed = 0;  ///< of the run; a plan may have its own
  FaultLog* log = nullptr;
};

class LinkFaults {
 public:
  enum Way { kOut, kIn };  ///< from the switch; into it

  /// `begin`: of traffic. The wire is clean before it.
  LinkFaults(const LinkFaultSetup& setup, int port, Cycle begin);

  /// What comes out of a direction in cycle `now` in the place of `link`. To be called once a cycle for each. `lanes`: SerDes
  /// lanes that its sender used, a bit each.
  Link Pass(Way way, Cycle now, const Link& link, unsigned lanes);
  /// The wire is clean from now on: traffic is over.
  void End() { ended_ = true; }
  /// The wire is clean from now on: the link goes on without retry. Events that begin then have no effect.
  void GoPlain() { plain_ = true; }

  /// Whether a receiver says nothing.
  bool stuck() const { return !ended_ && !plain_ && (ways_[kOut].stuck || ways_[kIn].stuck); }
  /// Events that began when the link had gone on without retry.
  std::int64_t without_effect() const { return without_effect_; }
  /// What was done to words and to slots, in both directions; dead SerDes lanes make bad ones.
  faults::FaultCounts words() const;
  faults::FaultCounts slots() const;

 private:
  /// Words, or slots, that the plan's events are still to drop, to spoil and to repeat.
  struct Owed {
    std::int64_t drops = 0, bad = 0, repeats = 0;
  };
  struct Direction {
    Direction(const faults::Rates& rates, std::uint64_t seed, std::uint32_t number) : faults(rates, seed, number) {}
    faults::DirectionFaults faults;
    std::vector<faults::PlannedEvent> events;
    std::size_t next = 0;
    Owed words, slots;
    bool stuck = false;
    Cycle unstick = kNever;
    std::array<Cycle, faults::kSerdesLanes> lane_up = {kNever, kNever, kNever, kNever};
  };

  static faults::FaultCounts Sum(const faults::FaultCounts& a, const faults::FaultCounts& b);
  void Begin(Way way, Cycle at);
  void EndEvents(Way way, Cycle at);
  void BeginEvent(Way way, Cycle at, const faults::PlannedEvent& event);
  void Tell(Way way, Cycle at, const char* what, const faults::FaultCounts& before, const faults::FaultCounts& after, bool idle,
            Owed* owed);

  int port_;
  Cycle begin_;
  bool ended_ = false, plain_ = false;
  std::int64_t without_effect_ = 0;
  FaultLog* log_;
  std::vector<Direction> ways_;
};

}  // namespace tilefly::cosim
