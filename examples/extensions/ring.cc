// SPDX-License-Identifier: Apache-2.0
// A topology family: n switches in a ring, p endpoints at each. Ports: the endpoints, the next switch, the one before.
#include "apps/program.h"
#include "extensions.h"

using namespace tilefly::topology;

namespace {

Topology BuildRing(Parameters* parameters) {
  const int n = parameters->Integer("n", 3, kMaxGroups, "each switch is an address group, which has 9 bits");
  const int p = parameters->Integer("p", 1, 1, kMaxPorts - 2, "ports of a switch");
  const double metres = parameters->Metres("cable", 2.6);
  Topology ring;
  for (int s = 0; s < n; ++s) {
    ring.switches.push_back({s, 0, {s}});  // address: group s, switch 0
    for (int port = 0; port < p; ++port) ring.endpoints.push_back({{s, port}, s * p + port, metres});
    const bool closes = s == n - 1;
    ring.links.push_back({{s, p}, {(s + 1) % n, p + 1}, closes ? LinkKind::kOther : LinkKind::kLocal, metres});
  }
  return ring;
}

}  // namespace

void AddRing() { Families().Add("ring", "n switches in a ring with p endpoints each, ring:n=8,p=1", BuildRing); }
