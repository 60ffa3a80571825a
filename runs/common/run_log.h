// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilefly::runs {

/// What a command says: every line for log.txt, and on standard error as far as `verbosity` (-1 quiet, 1 verbose)
/// allows.
class RunLog {
 public:
  /// `color`: verdicts and warnings are coloured on standard error.
  explicit RunLog(bool color = false) : color_(color) {}

  /// A line that is shown unless the command is quiet.
  void Say(const std::string& line, int verbosity) { Add(line, verbosity >= 0); }
  /// A line that only a verbose command shows.
  void Note(const std::string& line, int verbosity) { Add(line, verbosity > 0); }
  /// Lines are kept back from now on: what says that a run passed is shown when its files are whole.
  void Hold() { holds_ = true; }
  /// Shows what was kept back, and lines as they come.
  void Release();

  /// The lines of log.txt.
  const std::string& text() const { return text_; }

 private:
  void Add(const std::string& line, bool shown);

  bool color_;
  std::string text_;
  std::string held_;
  bool holds_ = false;
};

/// Writes to standard error. That nobody hears it is no reason to end a run: the run directory has it all.
void Tell(const std::string& text);

}  // namespace tilefly::runs
