// SPDX-License-Identifier: Apache-2.0
// The few that come first of many that are seen one by one, in bounded memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tilefly {

/// Keeps in `kept`, a heap, the `most` of those offered so far that come first by `before`.
template <typename Value, typename Before>
void KeepFirst(const Value& value, std::size_t most, Before before, std::vector<Value>* kept) {
  if (kept->size() == most) {
    if (most == 0 || !before(value, kept->front())) return;
    std::pop_heap(kept->begin(), kept->end(), before);
    kept->pop_back();
  }
  kept->push_back(value);
  std::push_heap(kept->begin(), kept->end(), before);
}

}  // namespace tilefly
