// SPDX-License-Identifier: Apache-2.0
// What a command that runs something is given, and how it ends.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "support/exit_code.h"

namespace tilefly::runs {

/// kUndecided: something happened of which the checks of a run cannot say what must follow.
enum class Verdict { kPass, kFail, kUndecided, kNoProgress, kTimeout, kInterrupted };
const char* ToString(Verdict verdict);
/// The first word of what a run says of itself: "PASS" for "pass".
std::string Headline(std::string verdict);
/// The message of a run that --timeout has ended.
inline constexpr const char* kTimeIsUp = "the time given by --timeout is over";

int ExitCodeOf(Verdict verdict);

/// Of a run of a system.
inline constexpr int kMostThreads = 1024;

/// What surrounds the runs of one command.
struct SessionOptions {
  std::filesystem::path output_dir;  ///< empty: a new one below out/
  std::vector<std::string> arguments;
  std::string version;
  const std::atomic<bool>* stop = nullptr;
  bool show_progress = false;  ///< a line on standard error that is overwritten
  int verbosity = 0;           ///< -1 quiet, 1 verbose
  int threads = 0;             ///< of a system's run; 0: as many as it has cores
  bool color = false;          ///< of verdicts and warnings on standard error
  std::vector<std::string> warnings;  ///< to be said at the begin
};

}  // namespace tilefly::runs
