// SPDX-License-Identifier: Apache-2.0
// Says on a terminal that something that takes its time goes on, and for how long.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tilefly::apps {

/// While it lives: from two seconds on, a line on standard error with the seconds so far, if that is a terminal.
class LongTask {
 public:
  explicit LongTask(std::string what);
  LongTask(const LongTask&) = delete;
  LongTask& operator=(const LongTask&) = delete;
  ~LongTask();

 private:
  void Tell();

  const std::string what_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread teller_;  ///< last, so that all else is there when it begins
};

/// What `work` returns.
template <typename Work>
auto During(const std::string& what, Work&& work) {
  const LongTask task(what);
  return work();
}

}  // namespace tilefly::apps
