// SPDX-License-Identifier: Apache-2.0
// A comparison for its readers: on the terminal, as JSON, as a page for a browser (docs/compare.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runs/compare/comparison.h"

namespace tilefly::runs {

/// All of it, with the figures that are equal.
nlohmann::ordered_json ComparisonJson(const Comparison& comparison);
/// What matters first; `whole`: every figure that is not equal, not only the first ones.
std::string ComparisonText(const Comparison& comparison, bool whole);
/// One self-contained HTML page.
std::string ComparisonHtml(const Comparison& comparison);

}  // namespace tilefly::runs
