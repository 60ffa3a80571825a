// SPDX-License-Identifier: Apache-2.0
#include "network/counters.h"

#include <stdexcept>

#include "network/node.h"

namespace tilefly::network {

Registry<CounterMaker>& Counters() {
  static Registry<CounterMaker> counters("counter", {});
  return counters;
}

CounterBank::CounterBank(const topology::Topology& topology) {
  for (const CounterMaker& make : Counters().makes()) {
    counters_.push_back(make(topology));
    if (counters_.back() == nullptr)
      throw std::logic_error("counter " + Counters().entries()[counters_.size() - 1].name + ": none was made");
  }
}

std::vector<OwnCounter::Sums> CounterBank::Zeros() const {
  std::vector<OwnCounter::Sums> zeros;
  for (const auto& counter : counters_) zeros.emplace_back(counter->Names().size());
  return zeros;
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
