// SPDX-License-Identifier: Apache-2.0
// The schedulers of all outputs of a switch. All of them are of one kind, so that a decision does not have to ask for
// the kind.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "golden/scheduler/deficit_round_robin.h"
#include "golden/scheduler/deficit_table.h"
#include "golden/scheduler/infiniband_arbiter.h"
#include "golden/scheduler/own_scheduler.h"
#include "golden/scheduler/round_robin_scheduler.h"
#include "golden/scheduler/self_clocked_fair_queueing.h"
#include "golden/scheduler/strict_priority.h"

namespace tilefly::golden {

/// The Deficit Table, which is the switch's own scheduler, and the schedulers it may be compared with
/// (docs/blocks/scheduler.md, Baselines).
enum class SchedulerKind {
  kDeficitTable,
  kPaperTable,  ///< the Deficit Table that waits for no requests
  kRoundRobin,
  kDeficitRoundRobin,
  kStrictPriority,
  kSelfClocked,
  kInfiniBand,
  kOwn,  ///< of the user's: an OwnScheduler
};

struct SchedulerName {
  std::string_view name;
  SchedulerKind kind;
};
inline constexpr std::array<SchedulerName, 7> kSchedulerNames = {{{"dtable", SchedulerKind::kDeficitTable},
                                                                  {"dtable-paper", SchedulerKind::kPaperTable},
                                                                  {"round-robin", SchedulerKind::kRoundRobin},
                                                                  {"drr", SchedulerKind::kDeficitRoundRobin},
                                                                  {"strict", SchedulerKind::kStrictPriority},
                                                                  {"scfq", SchedulerKind::kSelfClocked},
                                                                  {"infiniband", SchedulerKind::kInfiniBand}}};

struct SchedulerChoice {
  SchedulerKind kind = SchedulerKind::kDeficitTable;
  int high_limit_cells = 890;  ///< of kInfiniBand: ten MTU
  std::string own_name{};      ///< of kOwn, and what makes it for an output of each switch
  std::function<std::unique_ptr<OwnScheduler>(const Profile& profile, int output)> make_own{};
};

/// The name of what is chosen.
inline std::string NameOf(const SchedulerChoice& choice) {
  for (const SchedulerName& known : kSchedulerNames) {
    if (known.kind == choice.kind) return std::string(known.name);
  }
  return choice.own_name;
}

using Schedulers = std::variant<std::vector<DeficitTable>, std::vector<RoundRobinScheduler>, std::vector<DeficitRoundRobin>,
                                std::vector<StrictPriority>, std::vector<SelfClockedFairQueueing>,
                                std::vector<InfiniBandArbiter>, std::vector<HeldScheduler>>;

/// Schedulers of the chosen kind for all outputs.
Schedulers MakeSchedulers(const Profile& profile, const SchedulerChoice& choice);

}  // namespace tilefly::golden
