// SPDX-License-Identifier: Apache-2.0
// Processes as threads of the test, which say to one another what processes would.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "network/processes.h"

namespace tilefly::network {

/// Another thread has failed.
struct BrokenHub : std::runtime_error {
  BrokenHub() : std::runtime_error("another thread has failed") {}
};

/// Where the threads meet.
class ThreadHub {
 public:
  explicit ThreadHub(int size) : size_(size), boxes_(static_cast<std::size_t>(size)) {}
  int size() const { return size_; }
  /// Box of thread `index`, by receiver; it is read between two calls of Barrier.
  std::vector<SavedBytes>& box(int index) { return boxes_[index]; }
  /// Waits for all. Throws BrokenHub.
  void Barrier() {
    std::unique_lock<std::mutex> lock(mutex_);
    const long turn = turn_;
    if (++waiting_ == size_) {
      waiting_ = 0;
      ++turn_;
      changed_.notify_all();
    } else {
      changed_.wait(lock, [&] { return turn_ != turn || failed_; });
    }
    if (turn_ == turn) throw BrokenHub();
  }
  void Fail() {
    const std::lock_guard<std::mutex> lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }

 private:
  const int size_;
  std::vector<std::vector<SavedBytes>> boxes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  long turn_ = 0;
  bool failed_ = false;
};

class ThreadProcesses : public Processes {
 public:
  ThreadProcesses(ThreadHub* hub, int index) : hub_(*hub), index_(index) {}
  int size() const override { return hub_.size(); }
  int index() const override { return index_; }
  int cores() const override { return 1; }
  void Exchange(const std::vector<SavedBytes>& to, std::vector<SavedBytes>* from) override {
    hub_.box(index_) = to;
    hub_.Barrier();
    from->assign(to.size(), {});
    for (int r = 0; r < size(); ++r) {
      if (r != index_) (*from)[r] = hub_.box(r)[index_];
    }
    hub_.Barrier();
  }
  [[noreturn]] void Abort(int) override { throw std::runtime_error("aborted"); }

 private:
  ThreadHub& hub_;
  int index_;
};

/// Runs `work(processes)` on `size` threads; throws what the first of them, by number, has thrown.
template <typename Work>
void OnThreads(int size, Work&& work) {
  ThreadHub hub(size);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int r = 0; r < size; ++r) {
    threads.emplace_back([&, r] {
      ThreadProcesses processes(&hub, r);
      try {
        work(processes);
      } catch (const BrokenHub&) {
      } catch (...) {
        errors[r] = std::current_exception();
        hub.Fail();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace tilefly::network
