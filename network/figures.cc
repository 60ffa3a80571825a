// SPDX-License-Identifier: Apache-2.0
#include "network/figures.h"

#include "network/network.h"

namespace tilefly::network {

Figures::Figures(const Network& network) : nodes(static_cast<std::size_t>(network.nodes())) {
  Add(network);
  Processes& processes = network.processes();
  if (processes.size() > 1) {
    for (const SavedBytes& bytes : processes.Gather(processes.first() ? SavedBytes() : Save(network))) {
      if (!bytes.empty()) Merge(bytes);
    }
  }
  KeepWorst(network.options().congestion.worst_flows, &worst_flows);
  journeys = Journeys::Chosen(network.options().journeys, kept_);
}

void Figures::Add(const Network& network) {
  statistics = network.statistics();
  network.AddWaiting(network.judged_to(), &statistics.history);
  network.AddWaiting(&statistics.samples);
  queue = network.Remaining();
  routed = network.CountRouted();
  statistics.retry.healed_cells += network.CountHealed();
  leftover = network.WhatIsLeft();
  network.AddFlows(&flows, &worst_flows);
  kept_ = network.KeptJourneys();
  for (int n = 0; n < network.nodes(); ++n) {
    if (!network.Has(n)) continue;
    const Node& node = network.node(n);
    for (int port = 0; port < network.profile().ports; ++port) {
      nodes[n].ports.push_back(node.counts(port));
      if (network.faults().any()) AddRepeats(network, node, port, &nodes[n]);
      if (node.link_statistics() == nullptr) continue;
      nodes[n].times.push_back(node.link_statistics()->times(port));
      nodes[n].words.push_back(node.link_statistics()->words(port));
    }
    nodes[n].given_up = node.given_up();
    nodes[n].lane_changes = node.lane_changes();
    statistics.retry.given_up += static_cast<std::int64_t>(node.given_up().size());
    for (const Nic& nic : node.nics()) nodes[n].nics.push_back(nic.counters());
  }
}

void Figures::AddRepeats(const Network& network, const Node& node, int port, NodeFigures* own) {
  own->drawn.push_back(node.Drawn(port));
  own->drawn_at_nics.push_back(node.DrawnAtNic(port));
  own->sent.push_back(node.SentBy(port, false, network.nics().begin, network.cycle()));
  own->sent_by_nics.push_back(node.SentBy(port, true, network.nics().begin, network.cycle()));
}

SavedBytes Figures::Save(const Network& network) const {
  SavedBytes bytes;
  Saver save(&bytes);
  save(statistics, queue, routed, leftover, flows, worst_flows, kept_);
  for (int n = 0; n < network.nodes(); ++n) {
    if (network.Has(n)) save(n, nodes[n]);
  }
  return bytes;
}

void Figures::Merge(const SavedBytes& bytes) {
  Loader load(bytes);
  AddTo(&statistics, load.Get<Statistics>());
  AddTo(&queue, load.Get<Nic::Queue>());
  AddTo(&routed, load.Get<Routed>());
  const auto left = load.Get<Leftover>();
  AddTo(&flows, load.Get<FlowCounts>());
  const auto worst = load.Get<std::vector<WorstFlow>>();
  worst_flows.insert(worst_flows.end(), worst.begin(), worst.end());
  kept_.Append(load.Get<Journeys::Kept>());
  leftover.records += left.records;
  if (left.node >= 0 && (leftover.node < 0 || left.node < leftover.node)) {
    leftover.node = left.node;
    leftover.text = left.text;
  }
  while (!load.AtEnd()) {
    const int node = load.Get<int>();
    load(nodes.at(static_cast<std::size_t>(node)));
  }
}

}  // namespace tilefly::network
