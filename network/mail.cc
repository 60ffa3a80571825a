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

void Mail::Send(const Standing& own) {
  for (SavedBytes& bytes : to_) {
    bytes.resize(std::max(bytes.size(), sizeof(Standing)));
    std::memcpy(bytes.data(), &own, sizeof(Standing));
  }
  processes_.Exchange(to_, &from_);
  for (SavedBytes& bytes : to_) bytes.clear();
  due_ = kNever;
}

}  // namespace tilefly::network
