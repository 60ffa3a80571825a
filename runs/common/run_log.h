// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "runs/common/command.h"
#include "runs/common/run_directory.h"

namespace tilefly::runs {

/// A run's folder, and what its command says: every line for log.txt, and on standard error as far as the verbosity
/// allows.
class RunLog {
 public:
  /// Makes the folder: that of the options, or a new one named after `run`. `command` as of RunDirectory. Throws
  /// UsageError.
  RunLog(const SessionOptions& options, const std::string& run, const std::string& command = "");

  const RunDirectory& directory() const { return directory_; }

  /// A line that is shown unless the command is quiet.
  void Say(const std::string& line) { Add(line, verbosity_ >= 0); }
  /// A line that only a verbose command shows.
  void Note(const std::string& line) { Add(line, verbosity_ > 0); }
  /// Lines are kept back from now on: what says that a run passed is shown when its files are whole.
  void Hold() { holds_ = true; }
  /// Shows what was kept back, and lines as they come.
  void Release();
  /// Writes log.txt, then releases.
  void Close();

 private:
  void Add(const std::string& line, bool shown);

  RunDirectory directory_;
  const int verbosity_;
  const bool color_;
  std::string text_;
  std::string held_;
  bool holds_ = false;
};

/// Writes to standard error. That nobody hears it is no reason to end a run: the run directory has it all.
void Tell(const std::string& text);

}  // namespace tilefly::runs
