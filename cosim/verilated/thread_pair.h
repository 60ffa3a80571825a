// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

#include "support/doorbell.h"

namespace tilefly::cosim {

/// Two persistent threads, the caller's and one more, which do the two halves of a job and meet. A half takes tens of
/// microseconds. Therefore a thread that waits first polls, if both threads have a core, and sleeps only then.
class ThreadPair {
 public:
  /// `job(half)` is called with half 0 in the caller's thread and half 1 in the other one.
  explicit ThreadPair(std::function<void(int)> job);
  ~ThreadPair();
  ThreadPair(const ThreadPair&) = delete;
  ThreadPair& operator=(const ThreadPair&) = delete;

  /// Runs both halves. Rethrows an exception of the other thread.
  void Run();
  /// To be called inside both halves: returns when both have come here.
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
