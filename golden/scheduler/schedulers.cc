// SPDX-License-Identifier: Apache-2.0
#include "golden/scheduler/schedulers.h"

namespace tilefly::golden {
namespace {

template <typename Scheduler>
Schedulers ForAll(const Profile& profile, const Scheduler& scheduler) {
  return std::vector<Scheduler>(static_cast<std::size_t>(profile.ports), scheduler);
}

Schedulers OwnForAll(const Profile& profile, const SchedulerChoice& choice) {
  std::vector<HeldScheduler> schedulers;
  for (int output = 0; output < profile.ports; ++output)
    schedulers.emplace_back(choice.own_name, choice.make_own(profile, output));
  return schedulers;
}

}  // namespace

Schedulers MakeSchedulers(const Profile& profile, const SchedulerChoice& choice) {
  switch (choice.kind) {
    case SchedulerKind::kDeficitTable:
      break;
    case SchedulerKind::kPaperTable:
      return ForAll(profile, DeficitTable(profile, 0));
    case SchedulerKind::kRoundRobin:
      return ForAll(profile, RoundRobinScheduler(profile));
    case SchedulerKind::kDeficitRoundRobin:
      return ForAll(profile, DeficitRoundRobin(profile));
    case SchedulerKind::kStrictPriority:
      return ForAll(profile, StrictPriority(profile));
    case SchedulerKind::kSelfClocked:
      return ForAll(profile, SelfClockedFairQueueing(profile));
    case SchedulerKind::kInfiniBand:
      return ForAll(profile, InfiniBandArbiter(profile, choice.high_limit_cells));
    case SchedulerKind::kOwn:
      return OwnForAll(profile, choice);
  }
  return ForAll(profile, DeficitTable(profile));
}

}  // namespace tilefly::golden
