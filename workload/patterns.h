// SPDX-License-Identifier: Apache-2.0
// Message patterns as schedules (docs/workloads.md, Patterns).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/key_values.h"
#include "workload/host_costs.h"
#include "workload/schedule.h"

namespace tilefly::workload {

/// Names of the patterns.
const std::vector<std::string>& PatternNames();

/// "NAME", "NAME:key=value,..." or "NAME:ALGORITHM,key=value,...": what a job does, before it has its ranks.
struct PatternText {
  explicit PatternText(const std::string& text);

  /// Whether it reduces in the switches.
  bool InSwitches() const { return algorithm.compare(0, 5, "sharp") == 0; }

  std::string name;
  std::string algorithm;  ///< empty: the pattern's only one of the hosts
  std::string keys;
};

/// The schedule of a pattern for `ranks` ranks; asks `keys` for what is the pattern's own. Random orders are drawn with
/// `seed`. `most_ranks`: that key `ranks` could give it, 0: none; for remedies. Throws UsageError.
Schedule MakePattern(const PatternText& pattern, KeyValues* keys, int ranks, std::uint64_t seed,
                     const HostCosts& costs = {}, int most_ranks = std::numeric_limits<int>::max());
/// The keys of a pattern that reduces `bytes` in the switches. Throws UsageError.
Reduction ReadReduction(const PatternText& pattern, KeyValues* keys, std::int64_t bytes, int ranks);

/// "65536", "64KiB", "1MiB": bytes.
std::int64_t ParseBytes(const std::string& text, const std::string& what);
/// "250ns", "1.5us", "1ms": ns, a whole number of them.
std::int64_t ParseNanoseconds(const std::string& text, const std::string& what);
/// Bytes of block `index` of `blocks` that `bytes` are cut into; the first ones have a byte more.
constexpr std::int64_t BlockBytes(std::int64_t bytes, int blocks, int index) {
  return bytes / blocks + (index < bytes % blocks ? 1 : 0);
}

}  // namespace tilefly::workload
