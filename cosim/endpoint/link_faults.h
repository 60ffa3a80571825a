// SPDX-License-Identifier: Apache-2.0
// What goes wrong on the link of one port of a switch under test, as a plan says (docs/blocks/link_retry.md, Fault plan).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
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

/// What an event of the plan has done; of the directions of its link the greatest counts.
enum class Effect {
  kNotBegun,
  kIdle,      ///< there was nothing that it could act on
  kShared,    ///< another error acted on what it would have hit
  kNoChange,  ///< all was so already
  kPlain,     ///< the link had gone on without retry, with clean wires
  kActed
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
  /// The wire is clean from cycle `now` on: the link goes on without retry. Events that begin then have no effect.
  void GoPlain(Cycle now);

  /// Whether a receiver says nothing.
  bool stuck() const { return !ended_ && !plain_ && (ways_[kOut].stuck || ways_[kIn].stuck); }
  /// Of the plan's event of this number, which is of this link.
  Effect EffectOf(std::size_t number) const;
  /// What was done to words and to slots, in both directions; dead SerDes lanes make bad ones.
  faults::FaultCounts words() const;
  faults::FaultCounts slots() const;

 private:
  /// An event of the plan as a direction of the link sees it.
  struct Event {
    faults::PlannedEvent plan;
    std::size_t number = 0;  ///< in the plan
    Effect effect = Effect::kNotBegun;
    std::int64_t left = 0;  ///< words, or slots, that it is still to act on
    std::int64_t hits = 0;  ///< on which it acted
  };
  /// Events that are still to drop, to spoil and to repeat words, or slots: their places, in order.
  struct Owed {
    std::deque<std::size_t> drops, bad, repeats;
  };
  /// What happened to a word, or to a slot.
  struct Fate {
    faults::FaultCounts before, after;
    bool idle = false;      ///< it carried nothing
    bool replaced = false;  ///< something else came out
  };
  struct Direction {
    Direction(const faults::Rates& rates, std::uint64_t seed, std::uint32_t number)
        : faults(rates, seed, number), word_ber(rates.word_ber) {}
    faults::DirectionFaults faults;
    double word_ber;
    std::vector<Event> events;
    std::size_t next = 0;
    Owed words, slots;
    bool stuck = false;
    std::size_t stuck_by = 0;  ///< its event
    Cycle unstick = kNever;
    std::array<Cycle, faults::kSerdesLanes> lane_up = {kNever, kNever, kNever, kNever};
  };

  static faults::FaultCounts Sum(const faults::FaultCounts& a, const faults::FaultCounts& b);
  void Begin(Way way, Cycle at);
  void EndEvents(Way way, Cycle at);
  void BeginEvent(Way way, Cycle at, std::size_t place);
  Event* Take(Way way, std::deque<std::size_t>* owed);
  void Note(Way way, Cycle at, Event* event, bool acts, bool other);
  void Judge(Way way, Cycle at, const char* what, const Fate& fate, Owed* owed);
  void Tell(Cycle at, Way named, const std::string& what, const std::string& value);

  int port_;
  Cycle begin_;
  bool ended_ = false, plain_ = false;
  FaultLog* log_;
  std::vector<Direction> ways_;
};

}  // namespace tilefly::cosim
