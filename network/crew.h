// SPDX-License-Identifier: Apache-2.0
// The threads of a process that run domains (docs/network.md, Several threads). The one that made the crew gives the
// work and takes part; the others wait for work without keeping a core busy that others could use.
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
  /// So many threads, this one included; `own_cores` as of Doorbell.
  Crew(int threads, bool own_cores);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Calls `work(thread)` here with 0 and in the other threads with their numbers, and returns when all that have begun
  /// are done: a thread that comes when the work here is done does not begin. So `work` is to leave nothing to a certain
  /// thread but to 0. It throws nothing.
  void Run(const std::function<void(int thread)>& work);

 private:
  void Serve(int thread);
  bool Begin();
  void End();

  Doorbell bell_;
  const std::function<void(int)>* work_ = nullptr;
  std::atomic<std::uint64_t> turn_{0};  ///< number of the work
  /// Twice the threads that are at it, and 1 when it is over: nobody begins.
  std::atomic<std::uint64_t> at_work_{1};
  std::atomic<bool> over_{false};  ///< no work comes any more
  std::vector<std::thread> threads_;
};

}  // namespace tilefly::network
