// SPDX-License-Identifier: Apache-2.0
// Asks for memory before it is needed. In a system of many switches, the state of the next switch is not in the cache
// when its turn comes (docs/performance.md). Memory that is asked for and then not used costs little.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tilefly::golden {

inline constexpr std::size_t kCacheLine = 64;
/// Most bytes that are asked for of one piece of memory.
inline constexpr std::size_t kMostPrefetched = 16384;

inline void Prefetch(const void* data, std::size_t bytes) {
  const char* const first = static_cast<const char*>(data);
  bytes = std::min(bytes, kMostPrefetched);
  for (std::size_t at = 0; at < bytes; at += kCacheLine) __builtin_prefetch(first + at, 1, 2);
}

template <typename T>
void Prefetch(const std::vector<T>& items) {
  Prefetch(items.data(), items.size() * sizeof(T));
}

}  // namespace tilefly::golden
