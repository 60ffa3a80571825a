// SPDX-License-Identifier: Apache-2.0
// Things by number that never move, so that the threads of a process may each use its own while another makes more
// (docs/network.md, Several threads).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>

#include "golden/common/types.h"

namespace tilefly::network {

template <typename T>
class Places {
 public:
  Places() : chunks_(static_cast<Chunk*>(std::calloc(kChunks, sizeof(Chunk)))) {
    if (chunks_ == nullptr) throw std::bad_alloc();
  }
  ~Places() {
    ForEachChunk([](T* chunk) { delete[] chunk; });
  }
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;

  /// It has been made.
  T& operator[](golden::Index index) { return Of(index).load(std::memory_order_relaxed)[index % kSize]; }
  const T& operator[](golden::Index index) const { return Of(index).load(std::memory_order_relaxed)[index % kSize]; }
  /// Makes it, and its neighbours, unless it is there. Any thread may. Throws std::length_error when there are too many.
  void Make(golden::Index index) {
    if (index / kSize >= kChunks) throw std::length_error("network: more than 268,435,456 packets are inside");
    Chunk& chunk = Of(index);
    if (chunk.load(std::memory_order_acquire) != nullptr) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (chunk.load(std::memory_order_relaxed) != nullptr) return;
    chunk.store(new T[kSize]{}, std::memory_order_release);
    end_ = std::max<std::size_t>(end_, index / kSize + 1);
  }
  /// Calls `visit(thing)` for all that were made, in the order of their numbers. Nobody may make any meanwhile.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    ForEachChunk([&](const T* chunk) {
      for (std::size_t i = 0; i < kSize; ++i) visit(chunk[i]);
    });
  }

 private:
  using Chunk = std::atomic<T*>;
  struct Free {
    void operator()(Chunk* chunks) const { std::free(chunks); }
  };
  static constexpr std::size_t kSize = 4096;     ///< things of a chunk
  static constexpr std::size_t kChunks = 65536;  ///< a page of their pointers takes memory when it is used

  Chunk& Of(golden::Index index) const { return chunks_.get()[index / kSize]; }
  template <typename Visit>
  void ForEachChunk(Visit&& visit) const {
    for (std::size_t c = 0; c < end_; ++c) {
      if (T* const chunk = chunks_.get()[c].load(std::memory_order_acquire); chunk != nullptr) visit(chunk);
    }
  }

  std::mutex mutex_;     ///< of who makes a chunk
  std::size_t end_ = 0;  ///< no chunk from here on
  std::unique_ptr<Chunk, Free> chunks_;
};

}  // namespace tilefly::network
