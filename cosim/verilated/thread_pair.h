// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

#include "support/doorbell.h"

namespace tilefly::cosim {

/// Two persistent threads, the caller's and one more, that do two halves of a job and meet. A half takes tens of
/// microseconds, so that who waits looks first, where both have a core, and then sleeps.
class ThreadPair {
 public:
  /// `job(half)` is called with half 0 in the caller and half 1 in the partner.
  explicit ThreadPair(std::function<void(int)> job);
  ~ThreadPair();
  ThreadPair(const ThreadPair&) = delete;
  ThreadPair& operator=(const ThreadPair&) = delete;

  /// Runs both halves; rethrows what the partner threw.
  void Run();
  /// Called inside both halves: returns when both have come here.
  void WaitForOther(int half);

 private:
  void Partner();

  std::function<void(int)> job_;
  Doorbell bell_;
  std::atomic<unsigned> started_{0};
  std::atomic<unsigned> finished_{0};
  std::atomic<unsigned> met_[2] = {0, 0};
  std::atomic<bool> stop_{false};
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace tilefly::cosim
