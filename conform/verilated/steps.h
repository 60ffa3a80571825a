// SPDX-License-Identifier: Apache-2.0
// The programs that build a device.
#pragma once

#include <atomic>
#include <filesystem>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilefly::conform {

/// Whether it is in PATH.
bool HasProgram(const std::string& name);
/// "verilator" or "c++" in PATH. Throws UsageError with the remedy.
std::string FindProgram(const std::string& name);

/// Its user has ended the command while a device was built.
class BuildInterrupted : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs a program; its lines go to `log`. Throws UsageError with `failure` and the first errors when it fails, and
/// BuildInterrupted when it was stopped, with all programs that it has started.
void RunStep(const std::vector<std::string>& command, std::ofstream* log, const std::filesystem::path& log_file,
             const std::atomic<bool>* stop, const std::string& failure = "the device cannot be built");

}  // namespace tilefly::conform
