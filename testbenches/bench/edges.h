// SPDX-License-Identifier: Apache-2.0
// Where long-lived state begins: at 0, or, in the runs of `FromEdges`, shortly before it wraps, saturates or grows by a
// bit, so that a run of some thousand cycles crosses what otherwise takes hours (docs/testing.md, "Long-lived state").
#pragma once

#include <array>

#include "testbenches/bench/comparison.h"

namespace tilefly::bench {

/// Times begin `kBeforeEdge` cycles before 2^bits, in a run each.
inline constexpr std::array kEdgesOfTime = {16, 24, 32, 40, 47};
inline constexpr golden::Cycle kBeforeEdge = 300;

/// Calls `compare(power_up)` from the edge of each time, up to the first failure.
template <typename Compare>
void FromEdges(Compare&& compare) {
  for (int edge = 1; edge <= static_cast<int>(kEdgesOfTime.size()) && !Failed(); ++edge) compare(PowerUp{0, edge});
}

/// Number of the run's first cycle.
inline golden::Cycle FirstCycle(PowerUp power_up) {
  if (power_up.edge == 0) return 0;
  return (golden::Cycle{1} << kEdgesOfTime[static_cast<std::size_t>(power_up.edge - 1)]) - kBeforeEdge;
}

/// What the run's count number `index`, of 64 bits, begins with: 0, or at most two before 8, 16, ..., 64 bits are full;
/// from the last edge all counts wrap.
inline std::uint64_t FirstCount(const Comparison& run, std::uint32_t index) {
  const int edge = run.power_up().edge;
  if (edge == 0) return 0;
  const Stimulus& random = run.stimulus();
  const bool wraps = edge == static_cast<int>(kEdgesOfTime.size());
  const auto bytes = wraps ? 8 : static_cast<int>(random.Below(8, "first count: bytes", 0, index)) + 1;
  return (~std::uint64_t{0} >> (64 - 8 * bytes)) - random.Below(3, "first count: less", 0, index);
}

/// Number of the first segment of the run's locks: 0, or at most two before 8, 10, ..., 16 bits are full.
inline std::uint16_t FirstSegment(const Comparison& run) {
  const int edge = run.power_up().edge;
  if (edge == 0) return 0;
  const int bits = 6 + 2 * edge;
  return static_cast<std::uint16_t>((1u << bits) - 1 - run.stimulus().Below(3, "first segment", 0, 0));
}

}  // namespace tilefly::bench
