// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilefly::cosim {

/// The text of `manifest.json`: who ran what. Digests are taken of the program, of `config`, the resolved
/// configuration, and of the files that the run read.
std::string ManifestJson(const std::string& version, const std::vector<std::string>& arguments, std::uint32_t seed,
                         const std::string& config, const std::vector<std::string>& inputs);

/// A line for each file: its name and the digest of what is in it. Throws UsageError when one cannot be read.
std::string DigestLines(const std::vector<std::string>& files);

}  // namespace tilefly::cosim
