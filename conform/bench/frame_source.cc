// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/frame_source.h"

#include "support/random.h"

namespace tilefly::conform {

Cycle GapBehind(const Scenario& scenario, std::uint64_t seed, int port, std::uint64_t number, std::size_t beats) {
  if (scenario.load >= 1) return 0;
  const double mean = static_cast<double>(beats) * (1 / scenario.load - 1);
  const std::uint64_t bits = Draw(seed, static_cast<std::uint32_t>(port), number, Purpose::kGap);
  return 1 + static_cast<Cycle>(Geometric(bits, mean));
}

}  // namespace tilefly::conform
