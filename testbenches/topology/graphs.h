// SPDX-License-Identifier: Apache-2.0
// Graphs for the tests of analyses, made here and not by the builders, so that a test stands on the definitions alone.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace tilefly::topology {

/// Takes the next free port at both ends, so call it in the order of the ports.
inline void Connect(Topology* topology, std::vector<int>* used, int a, int b, LinkKind kind) {
  topology->links.push_back({{a, (*used)[a]++}, {b, (*used)[b]++}, kind, 1.0, 0});
}

/// The group that global port k of group i leads to, of g groups.
using Arrangement = std::function<int(int i, int k, int g)>;

inline int Absolute(int i, int k, int) { return k < i ? k : k + 1; }
inline int Relative(int i, int k, int g) { return (i + k + 1) % g; }
inline int Circulant(int i, int k, int g) { return k % 2 == 0 ? (i + k / 2 + 1) % g : (i - k / 2 - 1 + g) % g; }

/// Dragonfly with one link for each pair of a*h + 1 groups: p endpoints, then local links, then global ports.
inline Topology MakeDragonfly(int p, int a, int h, const Arrangement& leads_to) {
  Topology topology;
  const int groups = a * h + 1;
  topology.name = "dragonfly";
  topology.family = "dragonfly";
  topology.radix = p + a - 1 + h;
  for (int v = 0; v < groups * a; ++v) {
    topology.switches.push_back({v / a, v % a, {v / a, v % a}});
    for (int port = 0; port < p; ++port) topology.endpoints.push_back({{v, port}, v * p + port, 1.0});
  }
  for (int group = 0; group < groups; ++group) {
    for (int s = 0; s < a; ++s) {
      for (int t = s + 1; t < a; ++t) {
        topology.links.push_back({{group * a + s, p + t - 1}, {group * a + t, p + s}, LinkKind::kLocal, 2.6, 0});
      }
    }
  }
  for (int i = 0; i < groups; ++i) {
    for (int k = 0; k < a * h; ++k) {
      const int j = leads_to(i, k, groups);
      if (j < i) continue;
      int back = 0;
      while (leads_to(j, back, groups) != i) ++back;
      const int port = p + a - 1;
      topology.links.push_back(
          {{i * a + k / h, port + k % h}, {j * a + back / h, port + back % h}, LinkKind::kGlobal, 100, 0});
    }
  }
  return topology;
}

/// n-D torus with p endpoints a switch and `trunk` links between neighbours; a ring of two has one link.
inline Topology MakeTorus(const std::vector<int>& size, int p = 1, int trunk = 1) {
  Topology topology;
  topology.name = "torus";
  topology.family = "torus";
  topology.dimensions = size;
  int count = 1;
  for (const int extent : size) count *= extent;
  std::vector<int> used(count);
  for (int v = 0; v < count; ++v) {
    Switch at{v, 0, {}};
    int rest = v;
    for (const int extent : size) {
      at.place.push_back(rest % extent);
      rest /= extent;
    }
    topology.switches.push_back(at);
    for (int i = 0; i < p; ++i) topology.endpoints.push_back({{v, used[v]++}, v * p + i, 1.0});
  }
  int stride = 1;
  for (std::size_t d = 0; d < size.size(); ++d) {
    for (int v = 0; v < count; ++v) {
      const int x = topology.switches[v].place[d];
      if (size[d] < 2 || (size[d] == 2 && x == 1)) continue;
      const int to = x + 1 < size[d] ? v + stride : v - x * stride;
      for (int i = 0; i < trunk; ++i) {
        Connect(&topology, &used, v, to, x + 1 < size[d] ? LinkKind::kLocal : LinkKind::kOther);
      }
    }
    stride *= size[d];
  }
  return topology;
}

/// k-ary n-tree: switch w of level l (0 carries k endpoints each) has k ups, to the switches of level l + 1 whose
/// number differs from w in base-k digit l alone.
inline Topology MakeTree(int k, int n) {
  Topology topology;
  topology.name = "tree";
  topology.family = "tree";
  int width = 1;
  for (int i = 1; i < n; ++i) width *= k;
  std::vector<int> used(n * width);
  for (int v = 0; v < n * width; ++v) {
    topology.switches.push_back({v, 0, {v / width, v % width}});
    for (int i = 0; v < width && i < k; ++i) topology.endpoints.push_back({{v, used[v]++}, v * k + i, 1.0});
  }
  int digit = 1;
  for (int level = 0; level + 1 < n; ++level, digit *= k) {
    for (int w = 0; w < width; ++w) {
      const int base = w - w / digit % k * digit;
      for (int i = 0; i < k; ++i) {
        Connect(&topology, &used, level * width + w, (level + 1) * width + base + i * digit, LinkKind::kLocal);
      }
    }
  }
  return topology;
}

/// Aries-like groups: rows of `blades` linked by one link, columns of `chassis` by three, each pair of groups by
/// `links` global links spread over the switches.
inline Topology MakeAries(int chassis, int blades, int groups, int links) {
  Topology topology;
  topology.name = "aries";
  topology.family = "aries";
  const int a = chassis * blades;
  std::vector<int> used(a * groups);
  for (int v = 0; v < a * groups; ++v) {
    topology.switches.push_back({v / a * chassis + v % a / blades, v % blades, {v / a, v % a / blades, v % blades}});
    topology.endpoints.push_back({{v, used[v]++}, v, 1.0});
  }
  for (int v = 0; v < a * groups; ++v) {
    for (int w = v + 1; w < v - v % a + a; ++w) {
      const bool row = v / blades == w / blades;
      if (!row && v % blades != w % blades) continue;
      for (int i = 0; i < (row ? 1 : 3); ++i) Connect(&topology, &used, v, w, LinkKind::kLocal);
    }
  }
  std::vector<int> next(groups);
  for (int g = 0; g < groups; ++g) {
    for (int to = g + 1; to < groups; ++to) {
      for (int i = 0; i < links; ++i) {
        Connect(&topology, &used, g * a + next[g]++ * 5 % a, to * a + next[to]++ * 5 % a, LinkKind::kGlobal);
      }
    }
  }
  return topology;
}

/// Switches without groups and endpoints: `size` of them, each pair linked with the given probability in percent, some
/// of the links global.
inline Topology MakeRandomGraph(int size, int percent, std::uint64_t seed) {
  Topology topology;
  topology.name = "random";
  topology.family = "graph";
  std::mt19937_64 random(seed);
  std::vector<int> used(size);
  for (int v = 0; v < size; ++v) topology.switches.push_back({v, 0, {v}});
  for (int a = 0; a < size; ++a) {
    for (int b = a + 1; b < size; ++b) {
      if (static_cast<int>(random() % 100) >= percent) continue;
      Connect(&topology, &used, a, b, random() % 2 == 0 ? LinkKind::kGlobal : LinkKind::kLocal);
    }
  }
  topology.radix = size;
  return topology;
}

}  // namespace tilefly::topology
