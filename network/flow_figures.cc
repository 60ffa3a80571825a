// SPDX-License-Identifier: Apache-2.0
#include "network/flow_figures.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "network/network.h"

namespace tilefly::network {
namespace {

void AddPort(Node* node, int port, FlowCounts* counts) {
  const auto read = [&](Counter counter) {
    return static_cast<std::int64_t>(node->ReadCounter(port, static_cast<int>(counter)));
  };
  counts->acks += read(Counter::kAcksMade);
  counts->marks_made += read(Counter::kMarksMade);
  counts->marks_in += read(Counter::kMarksIn);
  counts->held += read(Counter::kFlowHeld);
  counts->throttled += read(Counter::kFlowThrottled);
  counts->full += read(Counter::kFlowFull);
  counts->lost += read(Counter::kFlowLost);
  counts->stray += read(Counter::kFlowStray);
  counts->pauses += read(Counter::kFlowPauses);
}

}  // namespace

void AddFlows(const Network& network, const Nodes& nodes, FlowCounts* counts, std::vector<WorstFlow>* worst) {
  std::map<std::uint32_t, int> endpoints;  // by fabric address
  for (std::size_t e = 0; e < network.nics().addresses.size(); ++e)
    endpoints[network.nics().addresses[e]] = static_cast<int>(e);
  for (int n = 0; n < network.nodes(); ++n) {
    if (!network.Has(n)) continue;
    Node& node = nodes[n];
    for (const Nic& nic : node.nics()) counts->packets_on_links += nic.counters().packets;
    const golden::FlowPorts* const flows = node.golden() == nullptr ? nullptr : node.golden()->channels();
    for (int port = 0; port < network.profile().ports; ++port) {
      counts->packets_on_links += node.counts(port).packets;
      const int source = network.wiring().far(n, port).endpoint;
      if (source < 0) continue;
      AddPort(&node, port, counts);
      counts->unseen_ports += !node.is_golden();
      if (flows == nullptr || !flows->Has(port) || flows->books(port) == nullptr) continue;
      flows->books(port)->ForEach(network.cycle() + 1, [&](int tc, std::uint32_t address, const golden::FlowBook& book) {
        counts->held_cycles += book.held_cycles;
        const auto destination = endpoints.find(address);
        if (destination != endpoints.end()) worst->push_back({source, destination->second, tc, book});
      });
      KeepWorst(network.options().congestion.worst_flows, worst);
    }
  }
}

void KeepWorst(int most, std::vector<WorstFlow>* flows) {
  const auto before = [](const WorstFlow& a, const WorstFlow& b) {
    return std::make_tuple(-a.book.held_cycles, a.source, a.destination, a.tc) <
           std::make_tuple(-b.book.held_cycles, b.source, b.destination, b.tc);
  };
  std::sort(flows->begin(), flows->end(), before);
  if (flows->size() > static_cast<std::size_t>(most)) flows->resize(static_cast<std::size_t>(most));
}

}  // namespace tilefly::network
