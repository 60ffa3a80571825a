// SPDX-License-Identifier: Apache-2.0
// Executes a schedule on a network where every message takes one cycle and a rank sends one message a cycle.
#pragma once

#include <memory>
#include <vector>

#include "workload/rank_run.h"

namespace tilefly::workload {

class IdealNetwork {
 public:
  /// A clock of 1 GHz: a calc of n ns takes n cycles.
  explicit IdealNetwork(const Schedule& schedule)
      : schedule_(schedule), plan_(MakePlan(schedule)), statistics(schedule.phases) {
    for (std::size_t r = 0; r < plan_.size(); ++r)
      ranks_.push_back(std::make_unique<RankRun>(schedule, plan_[r], static_cast<int>(r), 0, 1'000'000));
  }

  /// The cycle in which the last thing happens.
  Cycle Run() {
    for (Cycle now = 0;;) {
      for (std::size_t r = 0; r < ranks_.size(); ++r) {
        RankRun& rank = *ranks_[r];
        if (rank.due() > now) continue;
        rank.Run(now, &statistics);
        EXPECT_GT(rank.due(), now);
        if (rank.posted().empty() || sending_[r] > now) continue;
        const Posted message = rank.posted().front();
        rank.TakePosted();
        rank.Sent(message.operation, now + 1);
        sending_[r] = now + 1;
        sent_.push_back({static_cast<int>(r), message});
      }
      for (const auto& [source, message] : sent_) {
        const Operation& send = schedule_.ranks[source].operations[message.operation];
        EXPECT_TRUE(ranks_[send.peer]->Arrive(message.slot, 1, now + 1));
        bytes += send.amount;
        ++messages;
      }
      sent_.clear();
      Cycle next = kNoCycle;
      for (const auto& rank : ranks_) next = std::min(next, rank->due());
      if (next == kNoCycle) return now;
      now = next;
    }
  }
  bool done() const { return statistics.ranks_done == static_cast<std::int64_t>(ranks_.size()); }
  const RankRun& rank(int r) const { return *ranks_[r]; }

 private:
  struct OnTheWay {
    int source;
    Posted message;
  };

  const Schedule& schedule_;
  const std::vector<RankPlan> plan_;
  std::vector<std::unique_ptr<RankRun>> ranks_;
  std::vector<Cycle> sending_ = std::vector<Cycle>(plan_.size(), -1);
  std::vector<OnTheWay> sent_;

 public:
  JobStatistics statistics;
  std::int64_t bytes = 0;
  std::int64_t messages = 0;
};

}  // namespace tilefly::workload
