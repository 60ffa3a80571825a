// SPDX-License-Identifier: Apache-2.0
// The threads of a process that run domains (docs/network.md, Several threads). The thread that made the crew gives the
// work and takes part in it. The others wait for work, and leave their cores to others while they wait.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "support/doorbell.h"

namespace tilefly::network {

class Crew {
 public:
  /// Makes `threads` threads, this one included. `own_cores` is that of Doorbell.
  Crew(int threads, bool own_cores);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Calls `work(0)` in this thread and `work(thread)` in the others, and returns when all calls that have begun are
  /// over. A thread that comes after this thread's call is over does not begin. So `work` must leave nothing to a
  /// particular thread except thread 0. `work` must not throw.
  void Run(const std::function<void(int thread)>& work);

 private:
  void Serve(int thread);
  bool Begin();
  void End();

  Doorbell bell_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<std::uint64_t> turn_{0};  ///< number of the current work
  /// Twice the number of threads that work; plus 1 when the work is over, so that no further thread begins.
  std::atomic<std::uint64_t> at_work_{1};
  std::atomic<bool> over_{false};  ///< true: no further work comes
  std::vector<std::thread> threads_;
};

}  // namespace tilefly::network
