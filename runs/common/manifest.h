// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tilefly::runs {

/// The text of `manifest.json`: who ran what. Digests are taken of the program, of the lines of `config`, the resolved
/// configuration, that decide the results, and of the files that the run read. `command` is that of a folder of several
/// runs, by which the same command goes on in it; empty: it is that of a single run.
std::string ManifestJson(const std::string& version, const std::vector<std::string>& arguments, std::uint32_t seed,
                         const std::string& config, const std::vector<std::string>& inputs,
                         const std::string& command = "");

/// The lines of a resolved configuration, less their comments and the settings that change no result: --timeout.
std::vector<std::string> DecidingLines(const std::string& config);

/// A line for each file: its name and the digest of what is in it. Throws UsageError when one cannot be read.
std::string DigestLines(const std::vector<std::string>& files);

}  // namespace tilefly::runs
