// SPDX-License-Identifier: Apache-2.0
#include "runs/common/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace tilefly::runs {
namespace {

constexpr int kPollMilliseconds = 50;

std::vector<char*> Pointers(std::vector<std::string>* texts) {
  std::vector<char*> pointers;
  for (std::string& text : *texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// This process' environment; a later entry replaces one of the same name.
std::vector<std::string> Environment(const ChildOptions& options) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : options.environment) replaced = replaced || text.rfind(name + "=", 0) == 0;
    if (!replaced) all.push_back(text);
  }
  for (const auto& [name, value] : options.environment) all.push_back(name + "=" + value);
  return all;
}

/// In the child: its output goes to `out`; it ends with its parent, and signals act on it as usual. `leads`: a group of
/// processes.
[[noreturn]] void Become(char** command, char** environment, int out, pid_t parent, bool leads) {
  if (leads) setpgid(0, 0);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGTERM, SIGBUS, SIGPIPE}) signal(number, SIG_DFL);
  if (getppid() == parent) execve(command[0], command, environment);
  _exit(127);
}

/// Gives whole lines of what arrives on `from` to the callback.
class Lines {
 public:
  Lines(int from, const std::function<void(const std::string&)>& on_line) : from_(from), on_line_(on_line) {}

  /// Waits a moment for output. False: there will be no more.
  bool Read() {
    pollfd ready{from_, POLLIN, 0};
    if (poll(&ready, 1, kPollMilliseconds) <= 0) return true;
    std::array<char, 4096> buffer;
    const ssize_t count = read(from_, buffer.data(), buffer.size());
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    if (count == 0) return false;
    rest_.append(buffer.data(), static_cast<std::size_t>(count));
    for (std::size_t end; (end = rest_.find('\n')) != std::string::npos; rest_.erase(0, end + 1))
      Give(rest_.substr(0, end));
    return true;
  }
  void Flush() {
    if (!rest_.empty()) Give(rest_);
    rest_.clear();
  }

 private:
  void Give(const std::string& line) {
    if (on_line_) on_line_(line);
  }

  int from_;
  const std::function<void(const std::string&)>& on_line_;
  std::string rest_;
};

ChildEnd Wait(pid_t child, ChildEnd end) {
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  end.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  if (end.kind != ChildEnd::Kind::kExited) return end;
  if (WIFSIGNALED(status)) return {ChildEnd::Kind::kSignalled, WTERMSIG(status), end.cpu_s};
  return {ChildEnd::Kind::kExited, WEXITSTATUS(status), end.cpu_s};
}

}  // namespace

ChildEnd RunChild(const ChildOptions& options) {
  std::vector<std::string> command = options.command;
  std::vector<std::string> environment = Environment(options);
  const std::vector<char*> command_pointers = Pointers(&command), environment_pointers = Pointers(&environment);
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error(fmt::format("pipe: {}", std::strerror(errno)));
  const pid_t self = getpid();
  const pid_t child = fork();
  if (child == 0)
    Become(const_cast<char**>(command_pointers.data()), const_cast<char**>(environment_pointers.data()), ends[1], self,
           options.with_its_own);
  const int reason = errno;
  if (child > 0 && options.with_its_own) setpgid(child, child);  // it may not have come so far
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    throw std::runtime_error(fmt::format("{}: cannot be started: {}", command[0], std::strerror(reason)));
  }
  ChildEnd end;
  Lines lines(ends[0], options.on_line);
  while (lines.Read()) {
    if (end.kind != ChildEnd::Kind::kExited) continue;
    if (options.stop != nullptr && options.stop->load()) end.kind = ChildEnd::Kind::kStopped;
    if (std::chrono::steady_clock::now() >= options.deadline) end.kind = ChildEnd::Kind::kTimedOut;
    if (end.kind != ChildEnd::Kind::kExited) kill(options.with_its_own ? -child : child, SIGKILL);
  }
  lines.Flush();
  close(ends[0]);
  // Ctrl-C reaches the child from the terminal too, perhaps before this process looks.
  if (options.stop != nullptr && options.stop->load() && end.kind == ChildEnd::Kind::kExited)
    end.kind = ChildEnd::Kind::kStopped;
  return Wait(child, end);
}

}  // namespace tilefly::runs
