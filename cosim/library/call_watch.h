// SPDX-License-Identifier: Apache-2.0
// Calls into shared libraries run in this process. When a call crashes, exits or does not return, the program ends with
// a message that names library, call and cycle, instead of a mute signal or an endless wait.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace tilefly::cosim {

/// While this object lives, the program is in a call of a library. There is one at a time: libraries are called from
/// one thread.
class CallInProgress {
 public:
  /// `library` and `call` must outlive this object. `cycle` -1: the call belongs to no cycle.
  CallInProgress(const char* library, const char* call, std::int64_t cycle);
  ~CallInProgress();
  CallInProgress(const CallInProgress&) = delete;
  CallInProgress& operator=(const CallInProgress&) = delete;
};

/// A call that takes longer than this is taken to be endless.
inline constexpr std::chrono::seconds kLongestCall{60};
/// Time that a call has from the command's own end (time-out, interrupt) on.
inline constexpr std::chrono::seconds kLastCall{1};

/// Sets what ends the command. `stop`, which may be null, must outlive all calls. `longest`: the longest that any call
/// may take.
void LimitLibraryCalls(std::chrono::steady_clock::time_point deadline, const std::atomic<bool>* stop,
                       std::chrono::seconds longest = kLongestCall);

}  // namespace tilefly::cosim
