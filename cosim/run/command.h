// SPDX-License-Identifier: Apache-2.0
// What a command that runs something is given, and how it ends.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "support/exit_code.h"

namespace tilefly::cosim {

enum class Verdict { kPass, kFail, kNoProgress, kTimeout, kInterrupted };
const char* ToString(Verdict verdict);

using tilefly::kCheckFailed, tilefly::kInternal, tilefly::kInterruptedByUser, tilefly::kPassed, tilefly::kStuck, tilefly::kTimedOut,
    tilefly::kUsage;
int ExitCodeOf(Verdict verdict);

/// What surrounds the runs of one command.
struct SessionOptions {
  std::filesystem::path output_dir;  ///< empty: a new one below out/
  std::vector<std::string> arguments;
  std::string version;
  const std::atomic<bool>* stop = nullptr;
  bool show_progress = false;  ///< a line on standard error that is overwritten
  int verbosity = 0;           ///< -1 quiet, 1 verbose
};

}  // namespace tilefly::cosim
