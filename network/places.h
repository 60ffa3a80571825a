// SPDX-License-Identifier: Apache-2.0
// Things by number that never move in memory, so that each thread of a process may use its own things while another
// thread makes more (docs/network.md, Several threads).
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

  /// The thing must have been made.
  T& operator[](golden::Index index) { return Of(index).load(std::memory_order_relaxed)[index % kSize]; }
  const T& operator[](golden::Index index) const { return Of(index).load(std::memory_order_relaxed)[index % kSize]; }
  /// Makes the thing and its neighbours, unless they are there. Any thread may call it. Throws std::length_error when
  /// there are too many.
  void Make(golden::Index index) {
    if (index / kSize >= kChunks) throw std::length_error("network: more than 268,435,456 packets are inside");
    Chunk& chunk = Of(index);
    if (chunk.load(std::memory_order_acquire) != nullptr) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (chunk.load(std::memory_order_relaxed) != nullptr) return;
    chunk.store(new T[kSize]{}, std::memory_order_release);
    end_ = std::max<std::size_t>(end_, index / kSize + 1);
  }
  /// Calls `visit(thing)` for all things that were made, in the order of their numbers. No thread may make things
  /// meanwhile.
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
  static constexpr std::size_t kSize = 4096;     ///< things in a chunk
  static constexpr std::size_t kChunks = 65536;  ///< most chunks; pages of their pointers take memory when used

  Chunk& Of(golden::Index index) const { return chunks_.get()[index / kSize]; }
  template <typename Visit>
  void ForEachChunk(Visit&& visit) const {
    for (std::size_t c = 0; c < end_; ++c) {
      if (T* const chunk = chunks_.get()[c].load(std::memory_order_acquire); chunk != nullptr) visit(chunk);
    }
  }

  std::mutex mutex_;     ///< protects the making of chunks
  std::size_t end_ = 0;  ///< there are no chunks from this number on
  std::unique_ptr<Chunk, Free> chunks_;
};

}  // namespace tilefly::network
