// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilefly::runs {

/// One self-contained HTML page about two runs: the JSON of `tilefly compare`. Strings in it may hold anything.
std::string RenderComparison(const nlohmann::ordered_json& comparison);

}  // namespace tilefly::runs
