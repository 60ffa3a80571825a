// SPDX-License-Identifier: Apache-2.0
// How threads that work together wait for one another, for times of microseconds and for long ones.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tilefly {

/// Some threads wait for changes of atomic variables, which others tell of.
class Doorbell {
 public:
  /// `own_cores`: each thread has a core, so that who waits may look again and again for the time `look` before it sleeps,
  /// which costs some ten microseconds when it is woken.
  Doorbell(bool own_cores, std::chrono::microseconds look) : look_(own_cores ? look : look.zero()) {}

  /// Returns when `ready()` holds, which reads atomic variables in sequential consistency.
  template <typename Ready>
  void Await(Ready&& ready) {
    if (look_ > look_.zero() && Looks(ready)) return;
    std::unique_lock<std::mutex> lock(mutex_);
    ++sleepers_;
    changed_.wait(lock, ready);
    --sleepers_;
  }

  /// After a change that somebody may wait for: who sleeps has counted itself before it looked.
  void Ring() {
    if (sleepers_ == 0) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    changed_.notify_all();
  }

 private:
  static constexpr int kLooksOfATime = 64;

  /// Whether it holds before the time for looking is over.
  template <typename Ready>
  bool Looks(Ready& ready) const {
    const auto until = std::chrono::steady_clock::now() + look_;
    do {
      for (int i = 0; i < kLooksOfATime; ++i) {
        if (ready()) return true;
        Pause();
      }
    } while (std::chrono::steady_clock::now() < until);
    return false;
  }
  /// Leaves the core to its other thread for a moment, where a core has two.
  static void Pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  const std::chrono::microseconds look_;
  std::atomic<int> sleepers_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace tilefly
