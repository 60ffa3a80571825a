// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/places.h"

#include <algorithm>
#include <utility>

namespace tilefly::cosim {

Places::Places(std::vector<std::int64_t> room) : room_(std::move(room)) {}

std::int64_t Places::Place(const std::vector<int>& choice, std::int64_t count) {
  choices_.push_back(choice);
  held_.emplace_back(room_.size());
  while (count > 0) {
    std::vector<bool> seen(room_.size());
    const std::int64_t placed = Push(choices_.size() - 1, count, &seen);
    if (placed == 0) break;
    count -= placed;
  }
  return count;
}

/// Finds room for some of `count` things of a kind in places that are not `seen` yet. Returns how many have a place now.
std::int64_t Places::Push(std::size_t kind, std::int64_t count, std::vector<bool>* seen) {
  for (const int choice : choices_[kind]) {
    const auto place = static_cast<std::size_t>(choice);
    if ((*seen)[place]) continue;
    (*seen)[place] = true;
    std::int64_t moved = std::min(room_[place], count);
    if (moved > 0) {
      room_[place] -= moved;
      held_[kind][place] += moved;
      return moved;
    }
    for (std::size_t other = 0; other < held_.size(); ++other) {
      if (held_[other][place] == 0) continue;
      moved = Push(other, std::min(held_[other][place], count), seen);
      if (moved == 0) continue;
      held_[other][place] -= moved;
      held_[kind][place] += moved;
      return moved;
    }
  }
  return 0;
}

}  // namespace tilefly::cosim
