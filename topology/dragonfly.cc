// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "support/errors.h"
#include "topology/families.h"
#include "topology/global_links.h"

namespace tilefly::topology {
namespace {

struct Dragonfly {
  int p, a, h, local;
  GlobalKeys global;
  int nics, nodes;
  double local_metres, global_metres;

  int ports() const { return p + local * (a - 1) + h; }
  int group_nodes() const { return p * a / nics; }
};

Dragonfly ReadDragonfly(Parameters* parameters) {
  Dragonfly d;
  d.p = parameters->Integer("p", 1, kMaxPorts, "the port field of an address has 6 bits");
  d.a = parameters->Integer("a", 1, kMaxGroupSwitches, "the switch field of an address has 5 bits");
  d.h = parameters->Integer("h", 0, kMaxPorts, "the port field of an address has 6 bits");
  d.local = parameters->Integer("local", 1, 1, kMaxPorts, "the port field of an address has 6 bits");
  d.global = ReadGlobalKeys(parameters, d.a * d.h, d.a * d.h + 1, kMaxGroups,
                            "the group field of an address has 9 bits, and group 511 is kept for all ones; give g=511 "
                            "or less",
                            LinksDefault::kOne);
  d.nics = parameters->Integer("nics", 1, 1, d.a, "each NIC of a node is at another switch of its group");
  if (d.a % d.nics != 0)
    throw UsageError(
        fmt::format("{}: nics={} does not divide a={}: the NICs of a node are at neighbouring switches, so "
                    "that the switches of a group must fall into sets of {}",
                    parameters->origin(), d.nics, d.a, d.nics));
  const int all = d.global.groups * d.group_nodes();
  d.nodes = parameters->Integer("nodes", all, 1, all, "that many have a port for each NIC");
  d.local_metres = parameters->Metres("local_cable", kCopperMetres);
  d.global_metres = parameters->Metres("global_cable", kOpticalMetres);
  return d;
}

void AddSwitches(const Dragonfly& d, Topology* topology) {
  for (int group = 0; group < d.global.groups; ++group) {
    for (int s = 0; s < d.a; ++s) {
      const int at = static_cast<int>(topology->switches.size());
      topology->switches.push_back({group, s, {group, s}});
      for (int port = 0; port < d.p; ++port) {
        const int node = group * d.group_nodes() + s / d.nics * d.p + port;
        if (node < d.nodes) topology->endpoints.push_back({{at, port}, node, kCopperMetres});
      }
    }
  }
}

void AddLocalLinks(const Dragonfly& d, int group, Topology* topology) {
  for (int s = 0; s < d.a; ++s) {
    for (int t = s + 1; t < d.a; ++t) {
      for (int copy = 0; copy < d.local; ++copy) {
        const int first = d.p + copy * (d.a - 1);
        topology->links.push_back(
            {{group * d.a + s, first + t - 1}, {group * d.a + t, first + s}, LinkKind::kLocal, d.local_metres});
      }
    }
  }
}

}  // namespace

Topology BuildDragonfly(Parameters* parameters) {
  const Dragonfly d = ReadDragonfly(parameters);
  Topology topology;
  topology.family = "dragonfly";
  ChooseProfile(parameters, d.ports(), &topology);
  parameters->Finish();
  AddSwitches(d, &topology);
  for (int group = 0; group < d.global.groups; ++group) AddLocalLinks(d, group, &topology);
  AddGlobalLinks(d.global, {d.a, d.p + d.local * (d.a - 1), d.h}, d.global_metres, &topology);
  return topology;
}

}  // namespace tilefly::topology
