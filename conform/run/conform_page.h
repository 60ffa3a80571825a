// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilefly::conform {

/// One self-contained HTML page of what `results.json` of `tilefly conform run` holds. Strings in it may hold anything.
std::string ConformPage(const nlohmann::ordered_json& results);

}  // namespace tilefly::conform
