// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tilefly::conform {

/// The JSON Schema (draft 2020-12) of capability files, made of the table of keys.
nlohmann::ordered_json CapabilitySchema();
/// docs/reference/capability.md: the same as a page.
std::string CapabilityPage();

}  // namespace tilefly::conform
