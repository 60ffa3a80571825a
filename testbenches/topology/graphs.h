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
