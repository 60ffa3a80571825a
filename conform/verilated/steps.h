// SPDX-License-Identifier: Apache-2.0
// The programs that build a device.
#pragma once

#include <atomic>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace tilefly::conform {

/// Whether it is in PATH.
bool HasProgram(const std::string& name);
/// "verilator" or "c++" in PATH. Throws UsageError with the remedy.
std::string FindProgram(const std::string& name);

/// Runs a program; its lines go to `log`. Throws UsageError with `failure` and the first errors when it fails.
void RunStep(const std::vector<std::string>& command, std::ofstream* log, const std::filesystem::path& log_file,
             const std::atomic<bool>* stop, const std::string& failure = "the device cannot be built");

}  // namespace tilefly::conform
