// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilefly::cosim {

/// The text of `manifest.json`: who ran what. `config` is the resolved configuration, of which the digest is taken.
std::string ManifestJson(const std::string& version, const std::vector<std::string>& arguments, std::uint32_t seed,
                         const std::string& config);

}  // namespace tilefly::cosim
