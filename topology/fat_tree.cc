// SPDX-License-Identifier: Apache-2.0
// Fat trees of two levels: leaf switches with all endpoints, and one top switch to which every leaf has several links.
#include <algorithm>

#include "topology/families.h"

namespace tilefly::topology {
namespace {

constexpr const char* kPorts = "ports of a switch";

struct FatTree {
  int leaves, hosts, uplinks;
  double metres;

  int top() const { return leaves; }
};

void AddLeaf(const FatTree& t, int leaf, Topology* topology) {
  topology->switches.push_back({leaf, 0, {0, leaf}});
  for (int host = 0; host < t.hosts; ++host)
    topology->endpoints.push_back({{leaf, host}, leaf * t.hosts + host, kCopperMetres});
  for (int up = 0; up < t.uplinks; ++up)
    topology->links.push_back({{leaf, t.hosts + up}, {t.top(), leaf * t.uplinks + up}, LinkKind::kLocal, t.metres});
}

}  // namespace

Topology BuildFatTree(Parameters* parameters) {
  FatTree t;
  t.leaves = parameters->Integer("leaves", 4, 1, kMaxPorts, kPorts);
  t.hosts = parameters->Integer("hosts", 16, 1, kMaxPorts - 1, kPorts);
  t.uplinks = parameters->Integer("uplinks", 16, 1, kMaxPorts - 1, kPorts);
  t.metres = parameters->Metres("local_cable", kCopperMetres);
  Topology topology;
  topology.family = "tree";
  ChooseProfile(parameters, std::max(t.hosts + t.uplinks, t.leaves * t.uplinks), &topology);
  parameters->Finish();
  for (int leaf = 0; leaf < t.leaves; ++leaf) AddLeaf(t, leaf, &topology);
  topology.switches.push_back({t.top(), 0, {1, 0}});
  return topology;
}

}  // namespace tilefly::topology
