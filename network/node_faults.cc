// SPDX-License-Identifier: Apache-2.0
// Links of a node that go down, and packets that are lost or cut there (docs/reductions.md, Failure).
#include <algorithm>

#include "golden/common/stage_times.h"
#include "network/node.h"

namespace tilefly::network {

void Node::FailLink(int port, Cycle from, Cycle till) {
  if (downs_.empty()) downs_.resize(ends_.size());
  downs_[port].push_back({from, till});
  std::sort(downs_[port].begin(), downs_[port].end(), [](const Down& a, const Down& b) { return a.from < b.from; });
  planned_.push_back({from, from});
  if (till != kNever) planned_.push_back({till, till});
  if (Repeats(port)) return AddDown(port, from, till);
  golden()->LinkUp(port, false, from);
  if (till != kNever) golden()->LinkUp(port, true, till);
}

void Node::WriteLater(const std::vector<Cfg>& writes, Cycle bus) {
  const auto count = static_cast<Cycle>(writes.size());
  planned_.push_back({bus + golden::kWriteLatency, bus + golden::kWriteLatency + count - 1});
  for (const Cfg& write : writes) {
    late_writes_.push_back({bus, write});
    PutOnBus(write, bus++);
  }
}

/// A plan changes something in cycle `now`, or did in the one before: that alone is no event of a run.
bool Node::IsPlanned(Cycle now) const {
  return context_->faults &&
         std::any_of(planned_.begin(), planned_.end(),
                     [&](const Span& span) { return span.first <= now && now - 1 <= span.last; });
}

bool Node::IsDownBetween(int port, Cycle first, Cycle last) const {
  if (last < DownFrom(port)) return false;
  return std::any_of(downs_[port].begin(), downs_[port].end(),
                     [&](const Down& down) { return down.from <= last && first < down.till; });
}

Cycle Node::DownSince(int port, Cycle cycle) const {
  if (cycle < DownFrom(port)) return kNever;
  for (const Down& down : downs_[port]) {
    if (down.from <= cycle && cycle < down.till) return down.from;
  }
  return kNever;
}

/// How a packet ends whose last word is on the link in cycle `last`.
Drop Node::EndOf(int port, const LinkPacket& packet, Cycle last) {
  PacketRecord& record = context_->records[packet.payload];
  if (!IsDownBetween(port, packet.wire, last))
    return record.operation <= PacketRecord::kBroken ? Drop::kStomped : Drop::kNone;
  record.operation = PacketRecord::kBroken;
  return Drop::kBroken;
}

void Node::Lose(golden::Payload payload, Cycle at) {
  if (context_->records[payload].red >= 0) return context_->reds.Release(payload);
  ++context_->statistics.lost;
  if (context_->journeys != nullptr) context_->journeys->Drop(payload);
  LeaveBackground(context_->records[payload]);
  CountLoss(context_->records[payload], at);
  if (context_->counters != nullptr) TellLoss(context_->records[payload], at);
  context_->records.Release(payload);
}

/// It comes no more, unless it is sent again.
void Node::CountLoss(const PacketRecord& record, Cycle at) {
  const NicSetup& nics = *context_->nics;
  if (!nics.ends_with_loss) return;
  Statistics& statistics = context_->statistics;
  statistics.history.Lose(nics.history, record.tc, record.source, at, record.words);
  if (nics.samples != nullptr)
    statistics.samples.Lose(record.tc, nics.samples->group_of_endpoint[record.source], at, record.words);
}

/// Whether a packet for a NIC is none for its host: the link went down under it, or another did before.
bool Node::IsLost(const golden::Departure& departure, Cycle last) const {
  if (Repeats(departure.port)) return false;  // the gate has judged it
  const Cycle first = last - golden::WordOffset(departure.format.words - 1, departure.serdes_lanes);
  return IsDownBetween(departure.port, first, last) ||
         context_->records[departure.payload].operation == PacketRecord::kBroken;
}

}  // namespace tilefly::network
