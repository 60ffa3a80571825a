// SPDX-License-Identifier: Apache-2.0
#include "network/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "network/node.h"

namespace tilefly::network {
namespace {

/// Throws ExtensionError unless each name is one, and another than the others.
void CheckNames(const std::string& counter, const std::vector<std::string>& names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty())
      throw ExtensionError(Counters().kind(), counter,
                           fmt::format("its sum {} has an empty name; give each of Names() one", name - names.begin()));
    if (std::find(names.begin(), name, *name) != name)
      throw ExtensionError(Counters().kind(), counter,
                           fmt::format("two of its sums have the name '{}'; give each of Names() its own", *name));
  }
}

}  // namespace

Registry<CounterMaker>& Counters() {
  static Registry<CounterMaker> counters("counter", {});
  return counters;
}

CounterBank::CounterBank(const topology::Topology& topology) {
  for (const CounterMaker& make : Counters().makes()) {
    const std::string& name = NameOf(counters_.size());
    auto counter = InExtension(Counters().kind(), name, [&] { return make(topology); });
    if (counter == nullptr)
      throw ExtensionError(Counters().kind(), name, "none was made; return a counter from its maker");
    names_.push_back(InExtension(Counters().kind(), name, [&] { return counter->Names(); }));
    CheckNames(name, names_.back());
    counters_.push_back(std::move(counter));
  }
}

std::vector<OwnCounter::Sums> CounterBank::Zeros() const {
  std::vector<OwnCounter::Sums> zeros;
  for (const auto& names : names_) zeros.emplace_back(names.size());
  return zeros;
}

void CounterBank::ThrowResized(std::size_t index, std::size_t size) {
  throw ExtensionError(
      Counters().kind(), NameOf(index),
      fmt::format("it has changed the number of its sums to {}; they are as many as Names(), and a counter adds "
                  "to them only",
                  size));
}

/// Only what has counters comes here.
PacketEvent Node::EventOf(const PacketRecord& record, Cycle cycle, int port, int hops) const {
  const NicSetup& nics = *context_->nics;
  return {cycle - nics.begin,          index_,
          port,                        record.source,
          record.destination,          record.tc,
          record.words,                hops,
          record.created - nics.begin, record.sent - nics.begin,
          nics.measured.Has(record.created)};
}

void Node::TellStart(const PacketRecord& record, int port, Cycle now) {
  const PacketEvent event = EventOf(record, now, port, 0);
  context_->counters->ForEach(&context_->statistics.counters,
                              [&](const OwnCounter& counter, OwnCounter::Sums& sums) { counter.Start(event, sums); });
}

void Node::TellLeave(const golden::Departure& departure) {
  const PacketEvent event = EventOf(context_->records[departure.payload], departure.take + golden::kTakeToWire,
                                    departure.port, departure.header.hop());
  context_->counters->ForEach(&context_->statistics.counters,
                              [&](const OwnCounter& counter, OwnCounter::Sums& sums) { counter.Leave(event, sums); });
}

void Node::TellDelivery(const golden::Departure& departure, const PacketRecord& record, Cycle last) {
  const PacketEvent event = EventOf(record, last, departure.port, departure.header.hop());
  context_->counters->ForEach(&context_->statistics.counters,
                              [&](const OwnCounter& counter, OwnCounter::Sums& sums) { counter.Deliver(event, sums); });
}

void Node::TellDrop(const PacketRecord& record, const golden::DropRecord& drop, Cycle now) {
  const PacketEvent event = EventOf(record, now, drop.port, -1);
  context_->counters->ForEach(&context_->statistics.counters, [&](const OwnCounter& counter, OwnCounter::Sums& sums) {
    counter.Drop(event, drop.reason, sums);
  });
}

void Node::TellLoss(const PacketRecord& record, Cycle at) {
  const PacketEvent event = EventOf(record, at, -1, -1);
  context_->counters->ForEach(&context_->statistics.counters,
                              [&](const OwnCounter& counter, OwnCounter::Sums& sums) { counter.Lose(event, sums); });
}

}  // namespace tilefly::network
