// SPDX-License-Identifier: Apache-2.0
// Reading of what users type: lists, numbers, and the nearest known name for what they mistyped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilefly {

/// The parts between separators; an empty text has none.
std::vector<std::string> Split(const std::string& text, char separator);
/// The whole text as a number, which may have an exponent (1e4); throws UsageError naming `what` (an option, a key).
std::int64_t ParseInteger(const std::string& text, const std::string& what);
/// Bytes: "4096", "4096B", "4KiB", "1MiB", "1GiB". Throws UsageError naming `what`.
std::int64_t ParseBytes(const std::string& text, const std::string& what);
/// A time with its unit, 0 or more: "250ns", "1.5us", "20ms", in nanoseconds; none: the text is no such time.
std::optional<double> NanosecondsOf(const std::string& text);
double ParseReal(const std::string& text, const std::string& what);
/// A weight in a mix, 1e-9 to 1e9: so that sums and shares of weights are numbers.
double ParseWeight(const std::string& text, const std::string& what);
/// The known name with the smallest edit distance.
std::string Nearest(const std::string& name, const std::vector<std::string>& known);
/// The nearest name of `known` when `name` may be a slip of it, at most two fifths of its letters; empty: there is none.
std::string Resembling(const std::string& name, const std::vector<std::string>& known);
/// "unknown WHAT 'name'; did you mean 'nearest'? Known: ..." as a UsageError.
[[noreturn]] void ThrowUnknown(const std::string& what, const std::string& name, const std::vector<std::string>& known);

}  // namespace tilefly
