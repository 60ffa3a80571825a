// SPDX-License-Identifier: Apache-2.0
// What a run leaves behind in the switches and NICs of this process.
#include <fmt/format.h>

#include "network/network.h"

namespace tilefly::network {

Routed Network::CountRouted() const {
  Routed sum;
  for (const auto& node : nodes_) {
    if (node == nullptr) continue;
    for (int port = 0; port < profile_.ports; ++port) {
      const auto read = [&](Counter counter) {
        return static_cast<std::int64_t>(node->ReadCounter(port, static_cast<int>(counter)));
      };
      const bool source = node->nic(port) != nullptr;
      (source ? sum.minimal : sum.again_minimal) += read(Counter::kRoutedMin);
      (source ? sum.nonminimal : sum.again_nonminimal) += read(Counter::kRoutedNonmin);
    }
  }
  return sum;
}

Nic::Queue Network::Remaining() const {
  Nic::Queue sum;
  for (const auto& node : nodes_) {
    if (node == nullptr) continue;
    for (const Nic& nic : node->nics()) {
      const Nic::Queue queue = nic.Remaining();
      sum.packets += queue.packets;
      sum.words += queue.words;
      sum.measured_words += queue.measured_words;
      sum.background_words += queue.background_words;
    }
  }
  return sum;
}

void Network::AddWaiting(Cycle end, TrafficHistory* history) const {
  if (!nics_.history.kept()) return;
  for (const auto& node : nodes_) {
    if (node == nullptr) continue;
    for (const Nic& nic : node->nics()) nic.AddWaiting(end, history);
  }
}

Leftover Network::WhatIsLeft() const {
  Leftover left;
  left.records = static_cast<std::int64_t>(context_.records.size());
  for (int n = 0; n < nodes() && left.node < 0; ++n) {
    if (!Has(n)) continue;
    left.text = LeftAt(n);
    if (!left.text.empty()) left.node = n;
  }
  return left;
}

std::string Network::LeftAt(int node) const {
  if (const std::string what = nodes_[node]->NotHome(standing_.dropped > 0); !what.empty())
    return fmt::format("switch {} {}", node, what);
  for (const Nic& nic : nodes_[node]->nics()) {
    if (!nic.credits().AllHome()) return fmt::format("endpoint {}: credits are out", nic.endpoint());
  }
  return "";
}

}  // namespace tilefly::network
