// SPDX-License-Identifier: Apache-2.0
#include "network/crew.h"

#include <chrono>

namespace tilefly::network {
namespace {

/// So long a thread with a core of its own looks for work before it sleeps: what waking it takes.
constexpr std::chrono::microseconds kLook{30};

/// Leaves the core to its other thread for a moment, where a core has two.
void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Crew::Crew(int threads, bool own_cores) : own_cores_(own_cores) {
  for (int t = 1; t < threads; ++t) threads_.emplace_back([this, t] { Serve(t); });
}

Crew::~Crew() {
  over_ = true;
  WakeSleepers();
  for (std::thread& thread : threads_) thread.join();
}

/// Returns when `ready()` holds.
template <typename Ready>
void Crew::Await(Ready&& ready) {
  if (own_cores_) {
    const auto until = std::chrono::steady_clock::now() + kLook;
    do {
      for (int i = 0; i < 64; ++i) {
        if (ready()) return;
        Pause();
      }
    } while (std::chrono::steady_clock::now() < until);
  }
  std::unique_lock<std::mutex> lock(mutex_);
  ++sleepers_;
  changed_.wait(lock, ready);
  --sleepers_;
}

/// To be called after a change that somebody may wait for: who sleeps has counted itself before it looked.
void Crew::WakeSleepers() {
  if (sleepers_ == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  changed_.notify_all();
}

/// Whether there is work that is not over: the thread takes part, and is counted.
bool Crew::Begin() {
  std::uint64_t at_work = at_work_;
  do {
    if ((at_work & 1) != 0) return false;
  } while (!at_work_.compare_exchange_weak(at_work, at_work + 2));
  return true;
}

void Crew::End() {
  if ((at_work_ -= 2) == 1) WakeSleepers();
}

void Crew::Serve(int thread) {
  for (std::uint64_t seen = 0;;) {
    Await([&] { return turn_ != seen || over_; });
    if (over_) return;
    seen = turn_;
    if (!Begin()) continue;
    (*work_)(thread);
    End();
  }
}

void Crew::Run(const std::function<void(int thread)>& work) {
  if (threads_.empty()) return work(0);
  work_ = &work;
  at_work_ = 0;
  ++turn_;
  WakeSleepers();
  work(0);
  at_work_ |= 1;
  Await([this] { return at_work_ == 1; });
}

}  // namespace tilefly::network
