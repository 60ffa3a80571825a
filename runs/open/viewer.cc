// SPDX-License-Identifier: Apache-2.0
#include "runs/open/viewer.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

namespace tilefly::runs {
namespace {

/// For a viewer to fail in; one that shows a window goes on.
constexpr std::chrono::milliseconds kMoment{1500};
constexpr std::chrono::milliseconds kLook{20};

/// In the child: a session of its own, so that it outlives the terminal's. What keeps it from starting goes to
/// `report`.
[[noreturn]] void BecomeViewer(char** command, const char* folder, int report) {
  setsid();
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGBUS, SIGPIPE}) signal(number, SIG_DFL);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);  // standard output is ours
  if (chdir(folder) == 0) execvp(command[0], command);
  const int error = errno;
  [[maybe_unused]] const auto written = write(report, &error, sizeof error);
  _exit(127);
}

/// Whether it ended within a moment, with its status.
bool EndsSoon(pid_t child, int* status) {
  const auto end = std::chrono::steady_clock::now() + kMoment;
  while (waitpid(child, status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kLook);
  }
  return true;
}

}  // namespace

bool HasProgram(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((std::filesystem::path(folder) / name).c_str(), X_OK) == 0) return true;
  }
  return false;
}

bool HasScreen() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return true;
  }
  return false;
}

std::string StartViewer(const std::vector<std::string>& command, const std::filesystem::path& folder) {
  std::vector<std::string> words = command;
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::array<int, 2> report{};
  if (pipe2(report.data(), O_CLOEXEC) != 0) return std::strerror(errno);
  const pid_t child = fork();
  if (child == 0) BecomeViewer(pointers.data(), folder.c_str(), report[1]);
  const int fork_error = errno;
  close(report[1]);
  int error = child < 0 ? fork_error : 0;
  if (child > 0 && read(report[0], &error, sizeof error) != sizeof error) error = 0;
  close(report[0]);
  if (error != 0) return fmt::format("{} cannot be started: {}", command[0], std::strerror(error));
  int status = 0;
  if (!EndsSoon(child, &status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return "";
  return WIFEXITED(status) ? fmt::format("{} ended with exit code {}", command[0], WEXITSTATUS(status))
                           : fmt::format("{} ended by signal {}", command[0], WTERMSIG(status));
}

}  // namespace tilefly::runs
