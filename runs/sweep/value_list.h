// SPDX-License-Identifier: Apache-2.0
// Several values in one setting: lists and ranges (docs/sweeps.md, Lists).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runs/common/setting_values.h"
#include "runs/sweep/value_range.h"

namespace tilefly::runs {

/// Whether `text`, a value of the setting, is a list or a range. Throws UsageError for braces that do not close.
bool IsSeveral(const Setting& setting, const std::string& text);
/// Its values, those of ranges in the list among them. Throws UsageError for an empty one, and for the same one twice.
std::vector<std::string> ValuesOf(const Setting& setting, const std::string& text);

/// A number with its unit, "100ns".
struct Quantity {
  double value;
  std::string unit;  ///< empty: none
};
/// Nothing when the text is something else.
std::optional<Quantity> QuantityOf(const std::string& text);

}  // namespace tilefly::runs
