// SPDX-License-Identifier: Apache-2.0
// Control slots of a link of retry ports, as far as retry and credits see them, for the channel of
// testbenches/retry/retry_channel.h.
#pragma once

#include <optional>

#include "golden/credit/receiver_healing.h"
#include "testbenches/retry/retry_channel.h"

namespace tilefly::bench {

struct HealingSlot {
  bool err = false;
  golden::RetryReport report;
  std::optional<golden::CreditStamp> stamp;
  std::optional<golden::CreditReturner::Message> credit;
  Cycle decided = 0;  ///< of `credit`; no field of the wire
};

inline bool CountsForGaps(const HealingSlot& slot) { return slot.report.valid || slot.stamp || slot.credit; }
inline bool Idle(const HealingSlot& slot) { return !slot.err && !CountsForGaps(slot); }
inline void Drop(HealingSlot* slot) { *slot = {}; }
/// A bad slot says anything: nobody may look at it.
inline void Spoil(HealingSlot* slot, const Stimulus& random, Cycle cycle, std::uint32_t stream) {
  const std::uint64_t bits = random.Bits("spoilt", cycle, stream);
  slot->err = true;
  slot->report = {(bits & 1) != 0, (bits & 2) != 0, static_cast<std::uint16_t>(bits >> 2 & 2047)};
  const auto vl = static_cast<std::uint8_t>(bits >> 13 & 15);
  slot->stamp = golden::CreditStamp{vl, static_cast<std::uint16_t>(bits >> 17)};
  slot->credit = golden::CreditReturner::Message{vl, static_cast<std::uint16_t>(bits >> 33)};
}

/// A delay of a fixed number of cycles.
template <typename T>
class Later {
 public:
  explicit Later(int cycles) : ring_(static_cast<std::size_t>(cycles)) {}
  T Step(const T& in) {
    T& place = ring_[at_];
    at_ = (at_ + 1) % ring_.size();
    const T out = place;
    place = in;
    return out;
  }

 private:
  std::vector<T> ring_;
  std::size_t at_ = 0;
};

}  // namespace tilefly::bench
