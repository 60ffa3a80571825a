// SPDX-License-Identifier: Apache-2.0
#include "topology/table_hops.h"

#include <fmt/format.h>

#include "support/errors.h"

namespace tilefly::topology {

TableHops::TableHops(const Topology& topology, const Wiring& wiring, const PortTables& tables)
    : topology_(topology), tables_(tables), arc_of_(topology.switches.size() * kMaxPorts, -1) {
  for (int arc = 0; arc < wiring.arcs(); ++arc) arc_of_[wiring.Tail(arc) * kMaxPorts + wiring.TailPort(arc)] = arc;
}

void TableHops::Append(int at, std::uint64_t mask, std::vector<int>* arcs) const {
  for (; mask != 0; mask &= mask - 1) {
    const int port = __builtin_ctzll(mask);
    const int arc = arc_of_[at * kMaxPorts + port];
    if (arc < 0) {
      throw UsageError(fmt::format(
          "routes of {}: switch {} sends packets for others to port {}, which has no link; correct its table",
          topology_.name, at, port));
    }
    arcs->push_back(arc);
  }
}

void TableHops::Towards(int domain, std::vector<std::vector<int>>* next) const {
  next->resize(topology_.switches.size());
  for (int at = 0; at < static_cast<int>(next->size()); ++at) {
    (*next)[at].clear();
    if (topology_.switches[at].group != domain) Append(at, tables_.of_group(at, domain), &(*next)[at]);
  }
}

void TableHops::Inside(int from, int to, std::vector<int>* arcs) const {
  Append(from, tables_.of_switch(from, topology_.switches[to].index), arcs);
}

}  // namespace tilefly::topology
