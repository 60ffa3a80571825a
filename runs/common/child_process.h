// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tilefly::runs {

/// A program to run, and what ends it early.
struct ChildOptions {
  std::vector<std::string> command;                              ///< path of the program, arguments
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to this process' own
  std::function<void(const std::string&)> on_line;  ///< each line that it prints, on standard output or error
  const std::atomic<bool>* stop = nullptr;
  /// Processes that it starts end with it when it is ended early; Ctrl-C does not reach them, this process does.
  bool with_its_own = false;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

struct ChildEnd {
  enum class Kind { kExited, kSignalled, kStopped, kTimedOut };
  Kind kind = Kind::kExited;
  int code = 0;      ///< exit code, or number of the signal
  double cpu_s = 0;  ///< user and system time
};

/// Runs the program to its end; it never outlives this process. Throws std::runtime_error when it cannot be started.
ChildEnd RunChild(const ChildOptions& options);

}  // namespace tilefly::runs
