// SPDX-License-Identifier: Apache-2.0
// Where long-lived state begins: at 0, or, in the runs of `FromEdges`, shortly before it wraps, saturates or grows by a
// bit, so that a run of some thousand cycles crosses what otherwise takes hours (docs/testing.md, "Long-lived state").
#pragma once

#include <array>

#include "testbenches/bench/comparison.h"

namespace tilefly::bench {

/// Times begin `kBeforeEdge` cycles before their lowest bits are full, so many of them, in a run each.
inline constexpr std::array kEdgesOfTime = {16, 16, 24, 32, 40, 47};
inline constexpr Cycle kBeforeEdge = 320;

/// Calls `compare(power_up)` from the edge of each time, up to the first failure.
template <typename Compare>
void FromEdges(Compare&& compare) {
  for (int edge = 1; edge <= static_cast<int>(kEdgesOfTime.size()) && !Failed(); ++edge) compare(PowerUp{0, edge});
}

/// The bits above the lowest `bits` in the runs of an edge: every second one is set, in the next edge the others.
inline std::uint64_t BitsAbove(PowerUp power_up, int bits) {
  const std::uint64_t pattern = power_up.edge % 2 == 1 ? 0x5555'5555'5555'5555 : 0xaaaa'aaaa'aaaa'aaaa;
  return bits == 64 ? 0 : pattern >> bits << bits;
}

/// Number of the run's first cycle, of 48 bits, of which the highest is not set.
inline Cycle FirstCycle(PowerUp power_up) {
  if (power_up.edge == 0) return 0;
  const int bits = kEdgesOfTime[static_cast<std::size_t>(power_up.edge - 1)];
  const std::uint64_t above = BitsAbove(power_up, bits) & ((std::uint64_t{1} << 47) - 1);
  return static_cast<Cycle>(above + (std::uint64_t{1} << bits)) - kBeforeEdge;
}

/// What the run's count number `index`, of 64 bits, begins with: 0, or at most two before its lowest 8, 16, ..., 64
/// bits are full, below any others; from the last edge all counts wrap.
inline std::uint64_t FirstCount(const Comparison& run, std::uint32_t index) {
  const int edge = run.power_up().edge;
  if (edge == 0) return 0;
  const Stimulus& random = run.stimulus();
  const bool wraps = edge == static_cast<int>(kEdgesOfTime.size());
  const auto bytes = wraps ? 8 : static_cast<int>(random.Below(8, "first count: bytes", 0, index)) + 1;
  return BitsAbove(run.power_up(), 8 * bytes) + (~std::uint64_t{0} >> (64 - 8 * bytes)) -
         random.Below(3, "first count: less", 0, index);
}

/// Number of the first segment of the run's locks: 0, or at most two before its lowest 8 to 16 bits are full.
inline std::uint16_t FirstSegment(const Comparison& run) {
  const int edge = run.power_up().edge;
  if (edge == 0) return 0;
  constexpr std::array kBits = {8, 10, 12, 14, 16, 16};
  const int bits = kBits[static_cast<std::size_t>(edge - 1)];
  return static_cast<std::uint16_t>(BitsAbove(run.power_up(), bits) + (1u << bits) - 1 -
                                    run.stimulus().Below(3, "first segment", 0, 0));
}

}  // namespace tilefly::bench
