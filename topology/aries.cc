// SPDX-License-Identifier: Apache-2.0
// Groups of Aries (S3): a grid of chassis x blades. A chassis is fully connected by single (green) links, the blades at
// the same position of all chassis by triple (black) links; blue links go to other groups.
#include "topology/families.h"
#include "topology/global_links.h"

namespace tilefly::topology {
namespace {

constexpr int kBlackCopies = 3;

struct Aries {
  int p, chassis, blades, h;
  GlobalKeys global;
  int nodes;
  double local_metres, global_metres;

  int group_switches() const { return chassis * blades; }
  int first_green() const { return p; }
  int first_black() const { return first_green() + blades - 1; }
  int first_blue() const { return first_black() + kBlackCopies * (chassis - 1); }
  int ports() const { return first_blue() + h; }
};

Aries ReadAries(Parameters* parameters) {
  Aries a;
  a.p = parameters->Integer("p", 4, 1, kMaxPorts, "the port field of an address has 6 bits");
  a.chassis = parameters->Integer("chassis", 6, 1, kMaxPorts, "a switch has links to its place in all other chassis");
  a.blades = parameters->Integer("blades", 16, 1, kMaxGroupSwitches, "the switch field of an address has 5 bits");
  a.h = parameters->Integer("h", 10, 0, kMaxPorts, "the port field of an address has 6 bits");
  a.global = ReadGlobalKeys(parameters, a.group_switches() * a.h, 2, kMaxGroups / a.chassis,
                            "each chassis is a group of the address, whose field has 9 bits; group 511 is kept for all "
                            "ones",
                            LinksDefault::kWhatFits);
  const int all = a.global.groups * a.group_switches() * a.p;
  a.nodes = parameters->Integer("nodes", all, 1, all, "that many have a port");
  a.local_metres = parameters->Metres("local_cable", kCopperMetres);
  a.global_metres = parameters->Metres("global_cable", kOpticalMetres);
  return a;
}

void AddSwitches(const Aries& a, Topology* topology) {
  for (int group = 0; group < a.global.groups; ++group) {
    for (int s = 0; s < a.group_switches(); ++s) {
      const int at = static_cast<int>(topology->switches.size());
      const int chassis = s / a.blades;
      const int blade = s % a.blades;
      topology->switches.push_back({group * a.chassis + chassis, blade, {group, chassis, blade}});
      for (int port = 0; port < a.p; ++port) {
        const int node = at * a.p + port;
        if (node < a.nodes) topology->endpoints.push_back({{at, port}, node, kCopperMetres});
      }
    }
  }
}

void AddGreenLinks(const Aries& a, int first_switch, Topology* topology) {
  for (int b = 0; b < a.blades; ++b) {
    for (int c = b + 1; c < a.blades; ++c)
      topology->links.push_back({{first_switch + b, a.first_green() + c - 1},
                                 {first_switch + c, a.first_green() + b},
                                 LinkKind::kLocal,
                                 a.local_metres});
  }
}

void AddBlackLinks(const Aries& a, int first_switch, Topology* topology) {
  for (int c = 0; c < a.chassis; ++c) {
    for (int d = c + 1; d < a.chassis; ++d) {
      for (int copy = 0; copy < kBlackCopies; ++copy) {
        const int first = a.first_black() + copy * (a.chassis - 1);
        topology->links.push_back({{first_switch + c * a.blades, first + d - 1},
                                   {first_switch + d * a.blades, first + c},
                                   LinkKind::kOther,
                                   a.local_metres});
      }
    }
  }
}

}  // namespace

Topology BuildAries(Parameters* parameters) {
  const Aries a = ReadAries(parameters);
  Topology topology;
  topology.family = "aries";
  ChooseProfile(parameters, a.ports(), &topology);
  parameters->Finish();
  AddSwitches(a, &topology);
  for (int group = 0; group < a.global.groups; ++group) {
    const int first = group * a.group_switches();
    for (int chassis = 0; chassis < a.chassis; ++chassis) AddGreenLinks(a, first + chassis * a.blades, &topology);
    for (int blade = 0; blade < a.blades; ++blade) AddBlackLinks(a, first + blade, &topology);
  }
  AddGlobalLinks(a.global, {a.group_switches(), a.first_blue(), a.h}, a.global_metres, &topology);
  return topology;
}

}  // namespace tilefly::topology
