// SPDX-License-Identifier: Apache-2.0
// An exact non-negative number: the bandwidth of a global link against a local one.
#pragma once

#include <cstdint>
#include <string>

namespace tilefly::topology {

/// numerator / denominator in lowest terms, numerator >= 0, denominator > 0.
struct Ratio {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;
};

/// The ratio in lowest terms; throws UsageError for a denominator of 0 or a negative value.
Ratio MakeRatio(std::int64_t numerator, std::int64_t denominator);
/// "2", "1.25" or "5/4" as an exact ratio; throws UsageError naming `what` for other texts and for parts above 10^6.
Ratio ParseRatio(const std::string& text, const std::string& what);
/// "5/4", or "2" when it is whole.
std::string ToText(const Ratio& ratio);

}  // namespace tilefly::topology
