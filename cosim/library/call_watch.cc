// SPDX-License-Identifier: Apache-2.0
#include "cosim/library/call_watch.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <thread>

#include "support/exit_code.h"

namespace tilefly::cosim {
namespace {

using Clock = std::chrono::steady_clock;

/// The call in progress: read by a signal handler, by what runs at exit, and by the thread that watches the clock.
std::atomic<const char*> call_name{nullptr};
std::atomic<const char*> call_library{nullptr};
std::atomic<std::int64_t> call_cycle{-1};
std::atomic<std::uint64_t> call_number{0};
static_assert(std::atomic<const char*>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "the signal handler needs it");

/// What ends the command, in the clock's ticks; read by the watching thread.
std::atomic<Clock::rep> end_of_command{Clock::time_point::max().time_since_epoch().count()};
std::atomic<const std::atomic<bool>*> stop_of_command{nullptr};
std::atomic<std::int64_t> longest_call{kLongestCall.count()};  ///< seconds

struct Caught {
  int signal;
  const char* text;
};

constexpr Caught kCaught[] = {{SIGSEGV, "crashed (SIGSEGV: it used memory that is not there)"},
                              {SIGBUS, "crashed (SIGBUS: it used memory that is not there)"},
                              {SIGFPE, "crashed (SIGFPE: a division by zero, or another wrong operation)"},
                              {SIGILL, "crashed (SIGILL: an instruction that this processor does not have)"},
                              {SIGABRT, "aborted (SIGABRT: a check of its own failed)"}};
struct sigaction actions_before[std::size(kCaught)];

/// A message put together without memory of the heap: a handler of signals may say it.
class Message {
 public:
  Message& operator<<(const char* text) {
    const std::size_t length = std::min(std::strlen(text), sizeof text_ - size_);
    std::memcpy(text_ + size_, text, length);
    size_ += length;
    return *this;
  }
  Message& operator<<(std::int64_t number) {
    char digits[24];
    char* at = digits + sizeof digits - 1;
    *at = '\0';
    for (std::int64_t left = number; left > 0 || at == digits + sizeof digits - 1; left /= 10)
      *--at = static_cast<char>('0' + left % 10);
    return *this << at;
  }
  void Say() const {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text_, size_);
  }

 private:
  char text_[4096];
  std::size_t size_ = 0;
};

/// "tilefly: device lib:FILE: in cycle 17 tfd_link_step crashed (...)": the program ends with `status`.
[[noreturn]] void EndProgram(const char* what, int status) {
  Message message;
  message << "\ntilefly: device lib:" << call_library.load() << ": ";
  if (const std::int64_t cycle = call_cycle.load(); cycle >= 0) message << "in cycle " << cycle << " ";
  message << call_name.load() << " " << what << "; the run ends here, without results\n";
  message.Say();
  _exit(status);
}

extern "C" void OnLibrarySignal(int number) {
  std::size_t at = 0;
  while (at + 1 < std::size(kCaught) && kCaught[at].signal != number) ++at;
  if (call_name.load() != nullptr) EndProgram(kCaught[at].text, kCheckFailed);
  sigaction(number, &actions_before[at], nullptr);  // no library's: what would have come of it without this handler
  raise(number);
}

extern "C" void OnLibraryExit() {
  if (call_name.load() != nullptr) EndProgram("called exit()", kCheckFailed);
}

/// Looks now and then whether the call is still the same. It counts its looks, not time: a program that a debugger holds
/// does not hang.
[[noreturn]] void Watch() {
  constexpr std::chrono::milliseconds kLook{100};
  std::uint64_t seen = 0;
  int looks = 0;        // that saw the same call
  int looks_after = 0;  // of these, after what ends the command
  for (;;) {
    std::this_thread::sleep_for(kLook);
    const std::atomic<bool>* const stop = stop_of_command.load();
    const bool late = Clock::now().time_since_epoch().count() > end_of_command.load();
    const bool over = late || (stop != nullptr && stop->load());
    const std::uint64_t number = call_number.load();
    if (call_name.load() == nullptr || number != seen) {
      seen = number;
      looks = looks_after = 0;
      continue;
    }
    ++looks;
    looks_after = over ? looks_after + 1 : 0;
    if (looks * kLook > std::chrono::seconds(longest_call.load())) EndProgram("does not return: it hangs", kCheckFailed);
    if (looks_after * kLook < kLastCall) continue;
    EndProgram(late ? "had not returned when the time of --timeout was over" : "had not returned when the run was interrupted",
               late ? kTimedOut : kInterruptedByUser);
  }
}

/// Once in a program that calls libraries.
bool Install() {
  // A library that uses up the stack is to be named, too.
  static char stack[1 << 16];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  for (std::size_t i = 0; i < std::size(kCaught); ++i) {
    struct sigaction action{};
    action.sa_handler = OnLibrarySignal;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaction(kCaught[i].signal, &action, &actions_before[i]);
  }
  std::atexit(OnLibraryExit);
  std::thread(Watch).detach();
  return true;
}

}  // namespace

CallInProgress::CallInProgress(const char* library, const char* call, std::int64_t cycle) {
  [[maybe_unused]] static const bool installed = Install();
  call_library.store(library, std::memory_order_relaxed);
  call_cycle.store(cycle, std::memory_order_relaxed);
  call_number.store(call_number.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  call_name.store(call, std::memory_order_release);
}

CallInProgress::~CallInProgress() { call_name.store(nullptr, std::memory_order_release); }

void LimitLibraryCalls(std::chrono::steady_clock::time_point deadline, const std::atomic<bool>* stop,
                       std::chrono::seconds longest) {
  longest_call.store(longest.count());
  end_of_command.store(deadline.time_since_epoch().count());
  stop_of_command.store(stop);
}

}  // namespace tilefly::cosim
