// SPDX-License-Identifier: Apache-2.0
// Links of a node that go down, and packets that are lost or cut there (docs/reductions.md, Failure).
#include <algorithm>

#include "network/node.h"

namespace tilefly::network {

void Node::FailLink(int port, Cycle from) {
  if (down_from_.empty()) down_from_.assign(inboxes_.size(), kNever);
  down_from_[port] = std::min(down_from_[port], from);
  if (golden() != nullptr) golden()->LinkUp(port, false, from);
}

/// A link of the switch goes down in cycle `now`, or did in the one before: that alone is no event of a run.
bool Node::GoesDown(Cycle now) const {
  return context_->faults &&
         std::any_of(down_from_.begin(), down_from_.end(), [&](Cycle from) { return from == now || from == now - 1; });
}

/// How a packet ends whose last word is on the link in cycle `last`.
Drop Node::EndOf(int port, const LinkPacket& packet, Cycle last) {
  PacketRecord& record = context_->records[packet.payload];
  if (last < DownFrom(port)) return record.operation <= PacketRecord::kBroken ? Drop::kStomped : Drop::kNone;
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
  return last >= DownFrom(departure.port) || context_->records[departure.payload].operation == PacketRecord::kBroken;
}

}  // namespace tilefly::network
