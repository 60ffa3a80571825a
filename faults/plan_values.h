// SPDX-License-Identifier: Apache-2.0
// Values of a fault plan: rates, shares, times. Each reader throws UsageError with file, line, key and remedy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/yaml_map.h"

namespace tilefly::faults {

/// A whole number from `low` to `high`.
std::int64_t ReadWhole(YamlMap* map, const std::string& key, std::int64_t initial, std::int64_t low, std::int64_t high);
/// A value of up to 64 bits that must be there: 48, or 0x30.
std::uint64_t ReadBits(YamlMap* map, const std::string& key);
/// 0, or 1e-15 to 1e-3.
double ReadBitErrorRate(YamlMap* map, const std::string& key, double initial);
/// 0 to 0.5.
double ReadShare(YamlMap* map, const std::string& key, double initial);
/// A time that must be there, in cycles: "5000", or "20us", rounded up.
std::int64_t ReadTime(YamlMap* map, const std::string& key);
/// The same of a duration of one cycle or more; "ever", or no key: none.
std::optional<std::int64_t> ReadDuration(YamlMap* map, const std::string& key);

}  // namespace tilefly::faults
