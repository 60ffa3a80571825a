// SPDX-License-Identifier: Apache-2.0
// What the processes of a run tell one another, once between two rounds (docs/network.md, Several processes).
#include <algorithm>

#include "network/network.h"

namespace tilefly::network {

/// A message for another process's switch. The packet's record goes with it.
void Network::SendAway(const LinkMessage& message, Cycle due) {
  Saver save(mail_.To(ProcessOf(message.node), timetable_.RoundOf(due)));
  save(message);
  if (message.kind != LinkKind::kPacket) return;
  const golden::Payload payload = message.packet.payload;
  context_.reds.Save(payload, &save);
  if (message.packet.header.is_red()) return context_.reds.Release(payload);
  if (journeys_) journeys_->Send(payload, &save);
  context_.records.Release(payload);
}

/// Messages of another process.
void Network::TakeIn(Loader* load) {
  while (!load->AtEnd()) {
    auto message = load->Get<LinkMessage>();
    if (message.kind == LinkKind::kPacket) {
      message.packet.payload = context_.reds.Load(load);
      if (journeys_ && !message.packet.header.is_red()) journeys_->Receive(message.packet.payload, load);
    }
    nodes_[message.node]->Receive(message);
    timetable_.Enter(message.node, message.Due());
  }
}

/// Makes `standing_` that of all processes, and exchanges what was sent in the round that is over.
void Network::Synchronize(const std::function<bool(Cycle)>& poll) {
  const Cycle next = timetable_.NextRound();
  const Cycle shown = next != kNever ? next : standing_.next;
  const Statistics& statistics = context_.statistics;
  const bool stop = poll && shown != kNever && poll(shown * timetable_.round());
  standing_ = {std::min(next, mail_.due()),
               context_.last_progress,
               context_.last_event,
               statistics.delivered(),
               statistics.in_flight(),
               statistics.dropped(),
               0,
               -1,
               context_.jobs_progress,
               statistics.in_flight() - statistics.background_inside,
               stop};
  for (const workload::JobStatistics& job : statistics.jobs) {
    standing_.ranks_done += job.ranks_done;
    standing_.jobs_last = std::max(standing_.jobs_last, job.last);
  }
  if (processes_.size() == 1) return;
  Standing all = standing_;
  mail_.Exchange(standing_, [&](const Standing& other, Loader* load) {
    all.Merge(other);
    TakeIn(load);
  });
  standing_ = all;
}

}  // namespace tilefly::network
