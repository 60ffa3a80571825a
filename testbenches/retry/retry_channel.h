// SPDX-License-Identifier: Apache-2.0
// The channel of docs/blocks/retry.md, "Channel for the tests": one direction of a link, for words or for control
// slots. Each of its draws depends on its use alone, so RTL and golden see the same faults.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "generated/wire.h"
#include "golden/retry/retry_wire.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

/// A word with its tag.
struct WireWord {
  Word word;
  RetryTag tag;
};
/// Of the control slot: what retry sees of it.
struct WireSlot {
  bool err = false;
  golden::RetryReport report;
};

/// Chances of a cycle, but `bad`: that of a word, or of a slot.
struct RetryFaults {
  double drop = 0;
  double bad = 0;
  double repeat = 0;
  double noise = 0;
  int run = 1;  ///< length of a run of bad words or slots
  bool any() const { return drop + repeat + noise > 0; }
};

/// What a fault is to a word ...
inline bool CountsForGaps(const WireWord& word) { return word.word.valid; }
inline bool Idle(const WireWord& word) { return !word.word.valid; }
inline void Drop(WireWord* word) { word->word.valid = false; }
inline void Spoil(WireWord* word, const Stimulus& random, Cycle cycle, std::uint32_t stream) {
  const std::uint64_t bits = random.Bits("spoilt", cycle, stream);
  Word& w = word->word;
  w.valid = w.err = true;
  w.sop = bits & 1;
  w.eop = bits >> 1 & 1;
  w.enh = bits >> 2 & 1;
  w.last = static_cast<std::uint8_t>(bits >> 3 & 31);
  word->tag.seq = static_cast<std::uint16_t>(bits >> 8 & 2047);
  word->tag.index = static_cast<std::uint8_t>(bits >> 19);
  for (std::size_t i = 0; i < w.data.size(); ++i) {
    w.data[i] = static_cast<std::uint8_t>(random.Bits("spoilt data", cycle, stream) >> 8 * (i % 8));
  }
}
/// ... and to a slot.
inline bool CountsForGaps(const WireSlot&) { return true; }
inline bool Idle(const WireSlot& slot) { return !slot.err && !slot.report.valid; }
inline void Drop(WireSlot* slot) { *slot = {}; }
inline void Spoil(WireSlot* slot, const Stimulus& random, Cycle cycle, std::uint32_t stream) {
  const std::uint64_t bits = random.Bits("spoilt", cycle, stream);
  slot->err = true;
  slot->report = {(bits & 1) != 0, (bits & 2) != 0, static_cast<std::uint16_t>(bits >> 2 & 2047)};
}

template <typename T>
class RetryChannel {
 public:
  /// `delay` >= 1 cycles; `stream` tells the channels of one run apart.
  RetryChannel(int delay, const RetryFaults& faults, const Stimulus& random, std::uint32_t stream)
      : random_(random), stream_(stream), ring_(static_cast<std::size_t>(delay)) {
    Set(faults);
  }

  /// From the next cycle on.
  void Set(const RetryFaults& faults) {
    faults_ = faults;
    run_left_ = 0;
    gap_ = NextGap();
  }
  /// Behind `good` words (or slots) that come out well the next one is bad, and then none but as the rates say.
  void BadAfter(std::int64_t good) { gap_ = good; }

  /// What is put in now comes out `delay` calls later.
  T Step(const T& in) {
    T& place = ring_[static_cast<std::size_t>(cycle_) % ring_.size()];
    last_ = Faulty(place);
    place = in;
    ++cycle_;
    return last_;
  }
  /// Words or slots made bad, dropped, repeated, and idle cycles with noise.
  std::int64_t bad() const { return bad_; }
  std::int64_t dropped() const { return dropped_; }
  std::int64_t repeated() const { return repeated_; }
  std::int64_t noisy() const { return noisy_; }

 private:
  static constexpr std::int64_t kNoGap = std::numeric_limits<std::int64_t>::max();

  /// In (0, 1].
  double Even(Purpose purpose, Cycle when) const {
    return static_cast<double>((random_.Bits(purpose, when, stream_) >> 11) + 1) * 0x1p-53;
  }
  std::int64_t NextGap() {
    if (faults_.bad <= 0) return kNoGap;
    if (faults_.bad >= 1) return 0;
    return static_cast<std::int64_t>(std::floor(std::log(Even("gap", gaps_++)) / std::log1p(-faults_.bad)));
  }
  /// Whether the bad ones have their turn.
  bool TurnsBad(const T& out) {
    if (!CountsForGaps(out)) return false;
    if (run_left_ > 0) {
      --run_left_;
      return true;
    }
    if (gap_ > 0) {
      if (gap_ != kNoGap) --gap_;
      return false;
    }
    run_left_ = faults_.run - 1;
    gap_ = NextGap();
    return true;
  }
  T Faulty(T out) {
    if (TurnsBad(out)) {
      ++bad_;
      Spoil(&out, random_, cycle_, stream_);
      return out;
    }
    if (!faults_.any()) return out;
    const double draw = Even("fault", cycle_);
    if (draw <= faults_.drop) {
      if (!Idle(out)) ++dropped_;
      Drop(&out);
    } else if (draw <= faults_.drop + faults_.repeat) {
      if (!Idle(last_)) ++repeated_;
      return last_;
    } else if (draw <= faults_.drop + faults_.repeat + faults_.noise && Idle(out)) {
      ++noisy_;
      Spoil(&out, random_, cycle_, stream_);
    }
    return out;
  }

  RetryFaults faults_;
  Stimulus random_;
  std::uint32_t stream_;
  std::vector<T> ring_;
  Cycle cycle_ = 0;
  T last_;
  int run_left_ = 0;
  std::int64_t gap_ = 0;
  Cycle gaps_ = 0;
  std::int64_t bad_ = 0, dropped_ = 0, repeated_ = 0, noisy_ = 0;
};

}  // namespace tilefly::bench
