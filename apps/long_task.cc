// SPDX-License-Identifier: Apache-2.0
#include "apps/long_task.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

namespace tilefly::apps {

LongTask::LongTask(std::string what) : what_(std::move(what)) {
  if (isatty(STDERR_FILENO) == 1) teller_ = std::thread(&LongTask::Tell, this);
}

LongTask::~LongTask() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  if (teller_.joinable()) teller_.join();
}

void LongTask::Tell() {
  constexpr int kSilent = 2;
  std::unique_lock<std::mutex> lock(mutex_);
  for (int seconds = 1;; ++seconds) {
    if (ended_.wait_for(lock, std::chrono::seconds(1), [this] { return over_; })) {
      if (seconds > kSilent) fmt::print(stderr, "\r\033[K");
      return;
    }
    if (seconds >= kSilent) fmt::print(stderr, "\r\033[K{}: {} s", what_, seconds);
    std::fflush(stderr);
  }
}

}  // namespace tilefly::apps
