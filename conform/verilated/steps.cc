// SPDX-License-Identifier: Apache-2.0
#include "conform/verilated/steps.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "runs/common/child_process.h"
#include "support/errors.h"

namespace tilefly::conform {

namespace {

/// Its path; empty: it is not in PATH.
std::string PathOf(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path program = std::filesystem::path(folder) / name;
    if (access(program.c_str(), X_OK) == 0) return program.string();
  }
  return "";
}

}  // namespace

bool HasProgram(const std::string& name) { return !PathOf(name).empty(); }

std::string FindProgram(const std::string& name) {
  std::string program = PathOf(name);
  if (!program.empty()) return program;
  throw UsageError(fmt::format("{} is not in PATH; `apt-get install {}`", name, name == "c++" ? "g++" : name));
}

void RunStep(const std::vector<std::string>& command, std::ofstream* log, const std::filesystem::path& log_file,
             const std::atomic<bool>* stop, const std::string& failure) {
  std::vector<std::string> errors;
  std::vector<std::string> last;
  runs::ChildOptions options;
  options.command = command;
  options.stop = stop;
  options.with_its_own = true;
  options.on_line = [&](const std::string& line) {
    *log << line << '\n';
    const auto says = [&](const char* words) { return line.find(words) != std::string::npos; };
    if (line.rfind("%Error", 0) == 0 || says("error:") || says("undefined reference")) errors.push_back(line);
    last.push_back(line);
    if (last.size() > 5) last.erase(last.begin());
  };
  const runs::ChildEnd end = runs::RunChild(options);
  log->flush();
  if (end.kind == runs::ChildEnd::Kind::kStopped) throw BuildInterrupted("interrupted while the device was built");
  if (end.kind == runs::ChildEnd::Kind::kExited && end.code == 0) return;
  if (errors.empty()) errors = last;
  if (errors.size() > 5) errors.resize(5);
  throw UsageError(fmt::format("{}:\n  {}\nall of it: {}", failure, fmt::join(errors, "\n  "), log_file.string()));
}

}  // namespace tilefly::conform
