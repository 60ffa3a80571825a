// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilated/thread_pair.h"

#include <utility>

#include "support/cores.h"

namespace tilefly::cosim {
namespace {

/// Longer than the halves of a loaded switch of 64 ports differ.
constexpr std::chrono::microseconds kLook{100};

}  // namespace

ThreadPair::ThreadPair(std::function<void(int)> job)
    : job_(std::move(job)), bell_(UsableCores() >= 2, kLook), thread_([this] { Partner(); }) {}

ThreadPair::~ThreadPair() {
  stop_ = true;
  bell_.Ring();
  thread_.join();
}

void ThreadPair::Partner() {
  for (unsigned round = 1;; ++round) {
    bell_.Await([&] { return stop_ || started_ == round; });
    if (stop_) return;
    try {
      job_(1);
    } catch (...) {
      failure_ = std::current_exception();
    }
    finished_ = round;
    bell_.Ring();
  }
}

void ThreadPair::Run() {
  const unsigned round = ++started_;
  bell_.Ring();
  std::exception_ptr own;
  try {
    job_(0);
  } catch (...) {
    own = std::current_exception();
  }
  bell_.Await([&] { return finished_ == round; });
  if (own) std::rethrow_exception(own);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPair::WaitForOther(int half) {
  const unsigned mine = ++met_[half];
  bell_.Ring();
  bell_.Await([&] { return met_[1 - half] == mine; });
}

}  // namespace tilefly::cosim
