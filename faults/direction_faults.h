// SPDX-License-Identifier: Apache-2.0
// What goes wrong in one direction of a link, cycle by cycle. Page: docs/blocks/link_retry.md, "Fault plan".
#pragma once

#include <cstdint>
#include <vector>

#include "faults/gaps.h"
#include "faults/plan.h"
#include "generated/wire.h"

namespace tilefly::faults {

/// A word with its tag.
struct WireWord {
  Word word;
  RetryTag tag;
};
/// A control slot as ItemFaults takes it.
struct WireSlot {
  Ctrl ctrl;
};

/// What was done to words, or to control slots. Only what was valid, or carried something, counts as dropped, bad or
/// repeated.
struct FaultCounts {
  std::int64_t dropped = 0, bad = 0, repeated = 0, noisy = 0;
};

/// Faults of one kind that events still owe: each acts on the next item, in the order of the events.
class OwedFaults {
 public:
  static constexpr std::int64_t kNone = -1;

  void Add(int count) { left_ += count; }
  bool empty() const { return left_ == 0; }
  /// Counts one down. Returns its place among all faults of the kind; kNone: none is owed.
  std::int64_t Take() {
    if (left_ == 0) return kNone;
    --left_;
    return taken_++;
  }

 private:
  std::int64_t left_ = 0, taken_ = 0;
};

/// Of `events`, in their order, the one that owed fault `place` of this kind; null: none did.
const PlannedEvent* EventOf(const std::vector<PlannedEvent>& events, EventKind kind, std::int64_t place);

/// Faults of words, or of control slots: `Item` is WireWord or WireSlot.
template <typename Item>
class ItemFaults {
 public:
  ItemFaults(std::uint64_t seed, std::uint32_t direction);

  /// From now on; all gaps begin anew.
  void Set(double chance_of_bad, int burst, const Chances& chances);
  /// Of the bad ones alone.
  void SetBad(double chance);
  /// The next `count` in a row, beside what is drawn.
  void Drop(int count) { to_drop_.Add(count); }
  void Spoil(int count) { to_spoil_.Add(count); }
  void Repeat(int count) { to_repeat_.Add(count); }

  /// What comes out in this cycle in the place of `item`. To be called once in each cycle.
  Item Pass(const Item& item);
  /// How many of the next cycles come out idle for sure, if they are idle; Gaps::kNever: all.
  std::int64_t QuietCycles() const;
  /// How many of the next idle cycles have no error of their own for sure; Gaps::kNever: none ever has.
  std::int64_t UntilNoise() const { return noise_.left(); }
  /// Stands for `cycles` calls of Pass with idle items, of at most QuietCycles().
  void SkipQuiet(std::int64_t cycles);
  /// Stands for `cycles` calls of Pass with idle items whose outcome nobody looks at.
  void SkipIdle(std::int64_t cycles);
  const FaultCounts& counts() const { return counts_; }
  /// What was done to the item of the latest Pass is what an event was to do: the place of that fault among all of its
  /// kind. OwedFaults::kNone: no event was to do it.
  std::int64_t planned() const { return planned_; }

 private:
  bool DrawsBad(bool counts);

  std::uint64_t seed_;
  std::uint32_t direction_;
  Gaps bad_, drop_, repeat_, noise_;
  int burst_ = 1, burst_left_ = 0;
  OwedFaults to_drop_, to_spoil_, to_repeat_;
  std::uint64_t cycles_ = 0;
  Item last_{};
  FaultCounts counts_;
  std::int64_t planned_ = OwedFaults::kNone;
};

/// Begins an event of kind kBer, kDropWord, kBadWord or kRepeatWord.
void BeginOfWords(const PlannedEvent& event, ItemFaults<WireWord>* words);

/// Begins an event of kind kDropSlot, kBadSlot or kRepeatSlot.
void BeginOfSlots(const PlannedEvent& event, ItemFaults<WireSlot>* slots);
/// What is left of a slot of a receiver that is stuck: nothing, or, with `credits_alone`, all but its return.
void Mute(bool credits_alone, Ctrl* ctrl);

/// A direction of a link.
class DirectionFaults {
 public:
  /// `direction`: the number that tells its draws from those of the others.
  DirectionFaults(const Rates& rates, std::uint64_t seed, std::uint32_t direction);

  /// The event begins; one of kStuck ends with Unstick, one of kLaneDown with LaneUp. An event of kStuck belongs to the
  /// direction whose slots lose what the stuck receiver would say.
  void Begin(const PlannedEvent& event);
  void Unstick();
  void LaneUp(int lane) { dead_ &= ~(1u << lane); }

  /// What comes out in this cycle in the place of `link`. To be called once in each cycle. `used`: SerDes lanes that the
  /// sender used for it, a bit each.
  Link Pass(const Link& link, unsigned used = kAllLanes);

  const FaultCounts& words() const { return words_.counts(); }
  const FaultCounts& slots() const { return slots_.counts(); }
  /// Words and slots that only dead SerDes lanes spoilt.
  std::int64_t words_of_lanes() const { return words_of_lanes_; }
  std::int64_t slots_of_lanes() const { return slots_of_lanes_; }

 private:
  static constexpr unsigned kAllLanes = (1u << kSerdesLanes) - 1;

  void Damage(unsigned used, Link* link);

  const std::uint64_t seed_;
  const std::uint32_t direction_;
  ItemFaults<WireWord> words_;
  ItemFaults<WireSlot> slots_;
  bool stuck_ = false, credits_alone_ = false;
  unsigned dead_ = 0;  ///< SerDes lanes
  std::uint64_t cycles_ = 0;
  std::int64_t words_of_lanes_ = 0, slots_of_lanes_ = 0;
};

}  // namespace tilefly::faults
