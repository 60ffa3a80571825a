// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/fill_rounds.h"

#include <algorithm>

#include "conform/bench/frame.h"
#include "support/random.h"

namespace tilefly::conform {
namespace {

constexpr Cycle kStill = 256;          // cycles without a beat that goes in: nothing moves inside any more
constexpr Cycle kLongestFill = 20000;  // cycles; a device with more room is not filled

}  // namespace

bool FillRounds::Look(Cycle now, bool goes_in, bool waits, bool empty) {
  full_ = false;
  if (!active_) return false;
  if (begin_ < 0 || goes_in) moved_ = now;
  if (begin_ < 0) begin_ = now;
  if (fills_) {
    const bool still = now - moved_ > kStill;
    full_ = still && waits;
    fills_ = !still && now - begin_ < kLongestFill;
    return false;
  }
  if (!empty) return false;
  fills_ = true;
  begin_ = -1;
  return true;
}

int RoundsOf(const Capability& capability, int together, int most) {
  return std::min(most, (BeatsOf(capability.frames.longest, capability.signals.data_bytes) + together - 1) / together);
}

std::vector<int> FillersOf(const Capability& capability, std::uint64_t seed, std::int64_t nth, std::int64_t total) {
  const int longest = BeatsOf(capability.frames.longest, capability.signals.data_bytes);
  const int shortest = BeatsOf(capability.frames.shortest, capability.signals.data_bytes);
  std::int64_t at = nth;
  if (total < longest)  // not all levels: some that are equally far apart, others with another seed
    at = nth * longest / total +
         static_cast<std::int64_t>(Below(Draw(seed, 0, 1, Purpose::kScenario), static_cast<std::uint64_t>(longest)));
  const int level = 1 + static_cast<int>(at % longest);
  if (level >= shortest) return {level};
  const int more = (level + longest + 1) / 2;
  return {std::max(shortest, more), std::max(shortest, level + longest - more)};
}

}  // namespace tilefly::conform
