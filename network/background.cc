// SPDX-License-Identifier: Apache-2.0
#include "network/background.h"

#include <algorithm>

#include "network/network.h"

namespace tilefly::network {

/// Of an end-to-end ack of a packet, without waits: so long may a NIC wait for one while nothing else of the job moves.
Cycle Network::LongestWayOfAcks() const {
  Cycle longest = 0;
  for (int n = 0; n < nodes(); ++n) {
    for (int port = 0; port < profile_.ports; ++port) {
      if (wiring_.far(n, port).connected()) longest = std::max<Cycle>(longest, wiring_.far(n, port).delay);
    }
  }
  return (golden::kMostAckHops + 2) * longest;
}

/// Cycles without progress after which the jobs do not go on, of which none works. With packets inside, or reductions,
/// whose packets are in no books, the background may just hold them up.
Cycle Network::PatienceWithJobs() const {
  const std::vector<workload::Job>& jobs = options_.hosts.workload->jobs;
  const bool reductions = std::any_of(jobs.begin(), jobs.end(), [](const workload::Job& job) {
    return !job.idle && job.schedule.reduction.has_value();
  });
  const bool inside = standing_.jobs_in_flight > 0 || reductions;
  return options_.stall_cycles * (inside ? kPatienceInside : 1) + LongestWayOfAcks();
}

/// Collective: all processes come to it before the same round. The background and jobs that repeat end when all other
/// ranks are done, or when their jobs do not go on: what is said of a run without background is then said of this one.
void Network::EndBackgroundWhenDue(Cycle begins) {
  if (!options_.EndsWithJobs() || background_over_) return;
  const bool done = standing_.ranks_done == options_.hosts.workload->RanksThatEnd();
  Cycle over = std::max(standing_.jobs_last, nics_.begin);
  if (!done) {
    over = std::max(standing_.jobs_progress, nics_.begin);
    if (begins <= over + options_.stall_cycles) return;
    over += PatienceWithJobs();
    jobs_stood_still_ = begins > over && !HostsWork();
    if (!jobs_stood_still_) return;
  }
  background_over_ = true;
  nics_.end = std::min(nics_.end, over + BackgroundTail(KnownBefore(wiring_, profile_, 0)));
  nics_.measured.to = nics_.end;
}

}  // namespace tilefly::network
