// SPDX-License-Identifier: Apache-2.0
#include "qos/wait.h"

#include <algorithm>
#include <cmath>

#include "generated/profile.h"
#include "golden/link/frame_format.h"

namespace tilefly::qos {

std::optional<std::int64_t> WaitCredits(const Table& table, int c) {
  const int size = table.size();
  const auto own =
      std::find_if(table.entries.begin(), table.entries.end(), [c](const Entry& e) { return e.owner == c; });
  if (own == table.entries.end()) return std::nullopt;
  const int first = static_cast<int>(own - table.entries.begin());
  std::int64_t worst = 0;
  std::int64_t sum = 0;
  std::vector<bool> seen(table.classes.size());
  for (int i = 1; i <= size; ++i) {
    const Entry& entry = table.entries[(first + i) % size];
    if (entry.owner == c) {
      worst = std::max(worst, sum);
      sum = 0;
      std::fill(seen.begin(), seen.end(), false);
    } else if (entry.owner >= 0 && table.classes[entry.owner].group == table.classes[c].group) {
      sum += entry.weight;
      if (!seen[entry.owner]) sum += table.classes[entry.owner].mtu - 1;  // the greatest deficit it brings
      seen[entry.owner] = true;
    }
  }
  double burst = 0;
  std::int64_t above = 0;
  for (const TrafficClass& one : table.classes) {
    if (one.group <= table.classes[c].group) continue;
    if (!one.maximum) return std::nullopt;
    above += one.maximum->share;
    burst += one.maximum->burst + one.mtu - 1;
  }
  if (above >= kWhole) return std::nullopt;
  if (above == 0) return worst;
  return static_cast<std::int64_t>(
      std::ceil((static_cast<double>(worst) + burst) * kWhole / static_cast<double>(kWhole - above)));
}

std::int64_t WaitCycles(const Units& units, std::int64_t credits) {
  constexpr std::int64_t kFullLinkMbps = std::int64_t{kRosetta64.clock_khz} * 8 * golden::kWordBytes / 1000;
  const std::int64_t words = (credits + units.gmtu) * units.credit_bytes * kFullLinkMbps;
  const std::int64_t word = golden::kWordBytes * units.link_mbps;
  return (words + word - 1) / word;
}

}  // namespace tilefly::qos
