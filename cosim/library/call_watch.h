// SPDX-License-Identifier: Apache-2.0
// Calls into shared libraries run in this process: one that crashes, exits or does not return ends the program with a
// message that names library, call and cycle, instead of a mute signal or a wait without end.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace tilefly::cosim {

/// While it lives, the program is in a call of a library. One at a time: libraries are called from one thread.
class CallInProgress {
 public:
  /// `library` and `call` must outlive it; `cycle` -1: of none.
  CallInProgress(const char* library, const char* call, std::int64_t cycle);
  ~CallInProgress();
  CallInProgress(const CallInProgress&) = delete;
  CallInProgress& operator=(const CallInProgress&) = delete;
};

/// A call that has not returned for so long is held to be without end.
inline constexpr std::chrono::seconds kLongestCall{60};
/// From the command's own end (time-out, interrupt) on a call has so long to return.
inline constexpr std::chrono::seconds kLastCall{1};

/// What ends the command. `stop`, which may be null, must outlive the program's calls. `longest`: of any call.
void LimitLibraryCalls(std::chrono::steady_clock::time_point deadline, const std::atomic<bool>* stop,
                       std::chrono::seconds longest = kLongestCall);

}  // namespace tilefly::cosim
