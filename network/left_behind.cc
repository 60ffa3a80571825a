// SPDX-License-Identifier: Apache-2.0
#include "network/left_behind.h"

#include <fmt/format.h>

namespace tilefly::network {
namespace {

std::string LeftAt(int number, Node* node, bool lost) {
  if (const std::string what = node->NotHome(lost); !what.empty()) return fmt::format("switch {} {}", number, what);
  for (const Nic& nic : node->nics()) {
    const NicRepeats* const repeats = nic.repeats();
    const bool told = repeats == nullptr || repeats->slots() == nullptr || !repeats->slots()->stuck();
    if (told && !nic.credits().AllHome()) return fmt::format("endpoint {}: credits are out", nic.endpoint());
  }
  return "";
}

}  // namespace

std::string Leftover::Text() const {
  return records != 0 ? fmt::format("{} packets are still on record", records) : text;
}

Routed CountRouted(const Nodes& nodes, int ports) {
  Routed sum;
  nodes.ForEach([&](Node& node) {
    for (int port = 0; port < ports; ++port) {
      const auto read = [&](Counter counter) {
        return static_cast<std::int64_t>(node.ReadCounter(port, static_cast<int>(counter)));
      };
      const bool source = node.nic(port) != nullptr;
      (source ? sum.minimal : sum.again_minimal) += read(Counter::kRoutedMin);
      (source ? sum.nonminimal : sum.again_nonminimal) += read(Counter::kRoutedNonmin);
    }
  });
  return sum;
}

std::int64_t CountHealed(const Nodes& nodes, int ports) {
  std::int64_t cells = 0;
  nodes.ForEach([&](Node& node) {
    for (int port = 0; port < ports && node.repeats(); ++port)
      cells += static_cast<std::int64_t>(node.ReadCounter(port, static_cast<int>(Counter::kCreditsHealed)));
  });
  return cells;
}

Nic::Queue CountQueued(const Nodes& nodes) {
  Nic::Queue sum;
  nodes.ForEachNic([&](const Nic& nic) {
    const Nic::Queue queue = nic.Remaining();
    sum.packets += queue.packets;
    sum.words += queue.words;
    sum.measured_words += queue.measured_words;
    sum.background_words += queue.background_words;
  });
  return sum;
}

void AddWaiting(const Nodes& nodes, Cycle end, TrafficHistory* history) {
  nodes.ForEachNic([&](const Nic& nic) { nic.AddWaiting(end, history); });
}

void AddWaiting(const Nodes& nodes, Samples* samples) {
  nodes.ForEachNic([&](const Nic& nic) { nic.AddWaiting(samples); });
}

Leftover FindLeftover(const Nodes& nodes, const Contexts& contexts, bool lost) {
  Leftover left;
  left.records = static_cast<std::int64_t>(contexts.records());
  for (int n = 0; n < nodes.count() && left.node < 0; ++n) {
    if (!nodes.Has(n)) continue;
    left.text = LeftAt(n, &nodes[n], lost);
    if (!left.text.empty()) left.node = n;
  }
  return left;
}

}  // namespace tilefly::network
