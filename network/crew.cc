// SPDX-License-Identifier: Apache-2.0
#include "network/crew.h"

namespace tilefly::network {
namespace {

/// Longer than what is done between two rounds, shorter than a round of a loaded system.
constexpr std::chrono::microseconds kLook{30};

}  // namespace

Crew::Crew(int threads, bool own_cores) : bell_(own_cores, kLook) {
  for (int t = 1; t < threads; ++t) threads_.emplace_back([this, t] { Serve(t); });
}

Crew::~Crew() {
  over_ = true;
  bell_.Ring();
  for (std::thread& thread : threads_) thread.join();
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
  if ((at_work_ -= 2) == 1) bell_.Ring();
}

void Crew::Serve(int thread) {
  for (std::uint64_t seen = 0;;) {
    bell_.Await([&] { return turn_ != seen || over_; });
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
  bell_.Ring();
  work(0);
  at_work_ |= 1;
  bell_.Await([this] { return at_work_ == 1; });
}

}  // namespace tilefly::network
