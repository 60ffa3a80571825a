// SPDX-License-Identifier: Apache-2.0
// What the processes of a run tell one another: once between two rounds (docs/network.md, Several processes).
#include <algorithm>
#include <cstring>

#include "network/network.h"

namespace tilefly::network {

void Standing::Merge(const Standing& other) {
  next = std::min(next, other.next);
  last_progress = std::max(last_progress, other.last_progress);
  last_event = std::max(last_event, other.last_event);
  delivered += other.delivered;
  in_flight += other.in_flight;
  dropped += other.dropped;
  ranks_done += other.ranks_done;
  stop = stop || other.stop;
}

/// A message for another process's switch. The packet's record goes with it.
void Network::SendAway(const LinkMessage& message, Cycle due) {
  SavedBytes& bytes = to_ranks_[RankOf(message.node)];
  if (bytes.empty()) bytes.resize(sizeof(Standing));
  Saver save(&bytes);
  save(message);
  sent_due_ = std::min(sent_due_, due / window_ / round_);
  if (message.kind != LinkKind::kPacket) return;
  const golden::Payload payload = message.packet.payload;
  context_.reds.Save(payload, &save);
  if (message.packet.header.is_red()) return context_.reds.Release(payload);
  if (journeys_) journeys_->Send(payload, &save);
  context_.records.Release(payload);
}

/// Messages of another process.
void Network::TakeIn(const SavedBytes& bytes) {
  Loader load(bytes);
  standing_.Merge(load.Get<Standing>());
  while (!load.AtEnd()) {
    auto message = load.Get<LinkMessage>();
    if (message.kind == LinkKind::kPacket) {
      message.packet.payload = context_.reds.Load(&load);
      if (journeys_ && !message.packet.header.is_red()) journeys_->Receive(message.packet.payload, &load);
    }
    nodes_[message.node]->Receive(message);
    const int domain = domains_.domain_of[message.node];
    const Cycle window = message.Due() / window_;
    windows_[domain].Enter(domains_.place_of[message.node], window);
    rounds_.Enter(domain, window / round_);
  }
}

/// Makes `standing_` that of all processes, and exchanges what was sent in the round that is over.
void Network::Meet(const std::function<bool(Cycle)>& poll) {
  const Cycle next = rounds_.Next();
  const Cycle shown = next != kNever ? next : standing_.next;
  const Statistics& statistics = context_.statistics;
  const bool stop = poll && shown != kNever && poll(shown * round_ * window_);
  standing_ = {std::min(next, sent_due_),
               context_.last_progress,
               context_.last_event,
               statistics.delivered(),
               statistics.in_flight(),
               statistics.dropped(),
               0,
               stop};
  for (const workload::JobStatistics& job : statistics.jobs) standing_.ranks_done += job.ranks_done;
  if (ranks_.size() == 1) return;
  for (SavedBytes& bytes : to_ranks_) {
    bytes.resize(std::max(bytes.size(), sizeof(Standing)));
    std::memcpy(bytes.data(), &standing_, sizeof(Standing));
  }
  ranks_.Exchange(to_ranks_, &from_ranks_);
  for (SavedBytes& bytes : to_ranks_) bytes.clear();
  sent_due_ = kNever;
  for (int r = 0; r < ranks_.size(); ++r) {
    if (r != ranks_.rank()) TakeIn(from_ranks_[r]);
  }
}

}  // namespace tilefly::network
