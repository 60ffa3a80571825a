// SPDX-License-Identifier: Apache-2.0
#include "cosim/verilated/thread_pair.h"

#include <chrono>
#include <utility>

namespace tilefly::cosim {
namespace {

template <typename Condition>
void SpinUntil(Condition condition) {
  for (int spins = 0; !condition(); ++spins) {
    if (spins < 4000) {
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else if (spins < 6000) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }
}

}  // namespace

ThreadPair::ThreadPair(std::function<void(int)> job) : job_(std::move(job)), thread_([this] { Partner(); }) {}

ThreadPair::~ThreadPair() {
  stop_.store(true);
  thread_.join();
}

void ThreadPair::Partner() {
  for (unsigned round = 1;; ++round) {
    SpinUntil(
        [&] { return stop_.load(std::memory_order_relaxed) || started_.load(std::memory_order_acquire) == round; });
    if (stop_.load()) return;
    try {
      job_(1);
    } catch (...) {
      failure_ = std::current_exception();
    }
    finished_.store(round, std::memory_order_release);
  }
}

void ThreadPair::Run() {
  const unsigned round = started_.load(std::memory_order_relaxed) + 1;
  started_.store(round, std::memory_order_release);
  std::exception_ptr own;
  try {
    job_(0);
  } catch (...) {
    own = std::current_exception();
  }
  SpinUntil([&] { return finished_.load(std::memory_order_acquire) == round; });
  if (own) std::rethrow_exception(own);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPair::WaitForOther(int half) {
  const unsigned mine = met_[half].load(std::memory_order_relaxed) + 1;
  met_[half].store(mine, std::memory_order_release);
  SpinUntil([&] { return met_[1 - half].load(std::memory_order_acquire) == mine; });
}

}  // namespace tilefly::cosim
