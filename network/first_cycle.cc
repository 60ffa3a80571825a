// SPDX-License-Identifier: Apache-2.0
#include "network/first_cycle.h"

#include <algorithm>
#include <cstdint>

namespace tilefly::network {

std::vector<int> FirstCycle(const std::vector<std::vector<int>>& next) {
  enum State : std::uint8_t { kNew, kOnWay, kDone };
  std::vector<State> state(next.size(), kNew);
  for (int start = 0; start < static_cast<int>(next.size()); ++start) {
    if (state[start] != kNew) continue;
    std::vector<int> way = {start};
    std::vector<std::size_t> taken = {0};
    state[start] = kOnWay;
    while (!way.empty()) {
      const std::vector<int>& after = next[way.back()];
      if (taken.back() == after.size()) {
        state[way.back()] = kDone;
        way.pop_back();
        taken.pop_back();
        continue;
      }
      const int one = after[taken.back()++];
      if (state[one] == kOnWay) return {std::find(way.begin(), way.end(), one), way.end()};
      if (state[one] == kDone) continue;
      state[one] = kOnWay;
      way.push_back(one);
      taken.push_back(0);
    }
  }
  return {};
}

}  // namespace tilefly::network
