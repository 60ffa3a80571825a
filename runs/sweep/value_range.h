// SPDX-License-Identifier: Apache-2.0
// FROM:TO:STEP: the numbers of a range, as exact decimals (docs/sweeps.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilefly::runs {

/// Most values of a range, and most points of a sweep.
inline constexpr std::int64_t kMostPoints = 10000;

/// Whether a value is a range: FROM:TO:STEP, three numbers, or three with the same unit ("0ns:400ns:100ns"), and
/// nothing else.
bool IsRange(const std::string& text);
/// Whether it begins as a range does, with a number and a colon, and is none.
bool IsHalfRange(const std::string& text);
/// A number as ranges have theirs: "0.1" for "0.10" and "1e-1", "10000ns" for "1e4ns". What is no number stays.
std::string PlainNumber(const std::string& text);
/// The numbers of a range, from FROM by STEP up to TO, with as many decimals as the range has, and its unit. Throws
/// UsageError, naming `option`, for a step that does not lead from FROM to TO, and for too many values.
std::vector<std::string> ValuesOfRange(const std::string& text, const std::string& option);

}  // namespace tilefly::runs
