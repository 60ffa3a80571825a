// SPDX-License-Identifier: Apache-2.0
#include "qos/placement.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "qos/placement_search.h"

namespace tilefly::qos {
namespace {

/// 0 to size - 1 in bit-reversed order: 0, 1/2, 1/4, 3/4, ... of it. `size` is a power of two.
std::vector<int> Scattered(int size) {
  std::vector<int> order = {0};
  for (int step = size / 2; step > 0; step /= 2) {
    const std::size_t known = order.size();
    for (std::size_t i = 0; i < known; ++i) order.push_back(order[i] + step);
  }
  return order;
}

int FloorPowerOfTwo(int value) {
  int power = 1;
  while (2 * power <= value) power *= 2;
  return power;
}

/// The class that an entry nobody needs goes to: one below its least first, then the one with most of its wish open.
int NextTaker(const std::vector<Spacing>& classes, const std::vector<int>& counts) {
  int best = -1;
  double best_share = 0;
  for (int c = 0; c < static_cast<int>(classes.size()); ++c) {
    if (counts[c] >= std::max(classes[c].wanted, classes[c].least)) continue;
    if (counts[c] < classes[c].least) return c;
    const double share = static_cast<double>(counts[c] + 1) / classes[c].wanted;
    if (best >= 0 && share >= best_share) continue;
    best = c;
    best_share = share;
  }
  return best;
}

/// Every class at a power-of-two distance; nothing when it does not fit.
std::optional<std::vector<int>> PlaceRegularly(int size, const std::vector<Spacing>& classes) {
  std::vector<int> owners(size, -1);
  std::vector<int> counts(classes.size());
  std::vector<int> order(classes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return classes[a].distance < classes[b].distance; });
  for (const int c : order) {
    const int distance = FloorPowerOfTwo(classes[c].distance);
    const std::vector<int> offsets = Scattered(distance);
    const auto offset = std::find_if(offsets.begin(), offsets.end(), [&](int o) { return owners[o] < 0; });
    if (offset == offsets.end()) return std::nullopt;
    for (int i = *offset; i < size; i += distance) owners[i] = c;
    counts[c] = size / distance;
    if (counts[c] > classes[c].most) return std::nullopt;
  }
  for (const int i : Scattered(size)) {
    if (owners[i] >= 0) continue;
    const int c = NextTaker(classes, counts);
    if (c < 0) break;
    owners[i] = c;
    ++counts[c];
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (counts[c] < classes[c].least) return std::nullopt;
  }
  return owners;
}

}  // namespace

Placement Place(int size, const std::vector<Spacing>& classes) {
  int needed = 0;
  for (const Spacing& one : classes) {
    const int fewest = std::max(one.least, (size + one.distance - 1) / one.distance);
    if (fewest > one.most) return {};
    needed += fewest;
  }
  if (needed > size) return {};
  if (auto owners = PlaceRegularly(size, classes)) return {Placement::Outcome::kFound, std::move(*owners)};
  return SearchPlacement(size, classes);
}

}  // namespace tilefly::qos
