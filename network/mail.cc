// SPDX-License-Identifier: Apache-2.0
#include "network/mail.h"

#include <cstring>

namespace tilefly::network {

void Standing::Merge(const Standing& other) {
  next = std::min(next, other.next);
  last_progress = std::max(last_progress, other.last_progress);
  last_event = std::max(last_event, other.last_event);
  delivered += other.delivered;
  in_flight += other.in_flight;
  dropped += other.dropped;
  ranks_done += other.ranks_done;
  jobs_last = std::max(jobs_last, other.jobs_last);
  jobs_progress = std::max(jobs_progress, other.jobs_progress);
  jobs_in_flight += other.jobs_in_flight;
  stop = stop || other.stop;
}

void Mail::Send(const LinkMessage& message, int process, Cycle round) {
  due_ = std::min(due_, round);
  SavedBytes* const bytes = &to_[static_cast<std::size_t>(process)];
  if (bytes->empty()) bytes->resize(sizeof(Standing));
  Saver save(bytes);
  save(message);
  LinkMessage own = message;
  if (own.payload() == nullptr) return;
  const golden::Payload payload = *own.payload();
  context_.reds.Save(payload, &save);
  if (own.IsReduction()) return context_.reds.Release(payload);
  if (context_.journeys != nullptr) context_.journeys->Send(payload, &save);
  context_.records.Release(payload);
}

/// The next message of another process.
LinkMessage Mail::Take(Loader* load) {
  auto message = load->Get<LinkMessage>();
  if (golden::Payload* const payload = message.payload()) {
    *payload = context_.reds.Load(load);
    if (context_.journeys != nullptr && !message.IsReduction()) context_.journeys->Receive(*payload, load);
  }
  return message;
}

/// Sends what is to be sent, and gets what the others have sent.
void Mail::Swap(const Standing& own) {
  for (SavedBytes& bytes : to_) {
    bytes.resize(std::max(bytes.size(), sizeof(Standing)));
    std::memcpy(bytes.data(), &own, sizeof(Standing));
  }
  processes_.Exchange(to_, &from_);
  for (SavedBytes& bytes : to_) bytes.clear();
  due_ = kNever;
}

}  // namespace tilefly::network
