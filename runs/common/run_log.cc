// SPDX-License-Identifier: Apache-2.0
#include "runs/common/run_log.h"

#include <cstdio>

namespace tilefly::runs {
namespace {

/// The line with its first word coloured, if it is a verdict or a warning.
std::string Coloured(const std::string& line) {
  constexpr const char *kGreen = "\033[32m", *kRed = "\033[31m", *kYellow = "\033[33m", *kPlain = "\033[0m";
  const std::string word = line.substr(0, line.find(' '));
  const char* color = nullptr;
  if (word == "PASS") color = kGreen;
  for (const char* bad : {"FAIL", "NO-PROGRESS", "TIMEOUT", "INTERRUPTED", "CRASH"}) {
    if (word == bad) color = kRed;
  }
  if (word == "warning:") color = kYellow;
  return color == nullptr ? line : color + word + kPlain + line.substr(word.size());
}

}  // namespace

RunLog::RunLog(const SessionOptions& options, const std::string& run, const std::string& command)
    : directory_(options.output_dir.empty() ? RunDirectory::NewName(run) : options.output_dir, command),
      verbosity_(options.verbosity),
      color_(options.color) {}

void RunLog::Add(const std::string& line, bool shown) {
  text_ += line + "\n";
  if (!shown) return;
  const std::string text = (color_ ? Coloured(line) : line) + "\n";
  if (holds_) {
    held_ += text;
  } else {
    Tell(text);
  }
}

void RunLog::Release() {
  holds_ = false;
  Tell(held_);
  held_.clear();
}

void RunLog::Close() {
  directory_.Write("log.txt", text_);
  Release();
}

void Tell(const std::string& text) { std::fputs(text.c_str(), stderr); }

}  // namespace tilefly::runs
