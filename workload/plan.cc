// SPDX-License-Identifier: Apache-2.0
#include "workload/plan.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tilefly::workload {
namespace {

using Key = std::pair<std::int32_t, std::uint32_t>;  ///< peer, tag

/// The different keys of the rank's sends or receives, in order.
std::vector<Key> KeysOf(const Rank& rank, Kind kind) {
  std::vector<Key> keys;
  for (const Operation& one : rank.operations) {
    if (one.kind == kind) keys.emplace_back(one.peer, one.tag);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

std::int32_t IndexOf(const std::vector<Key>& keys, const Key& key) {
  const auto found = std::lower_bound(keys.begin(), keys.end(), key);
  if (found == keys.end() || *found != key) throw std::logic_error("workload: a message that nobody receives");
  return static_cast<std::int32_t>(found - keys.begin());
}

void Chain(const Rank& rank, RankPlan* plan) {
  const std::size_t count = rank.operations.size();
  plan->first.assign(count + 1, 0);
  plan->waits.assign(count, 0);
  for (const Dependency& one : rank.dependencies) {
    ++plan->first[static_cast<std::size_t>(one.on) + 1];
    ++plan->waits[one.operation];
  }
  for (std::size_t i = 0; i < count; ++i) plan->first[i + 1] += plan->first[i];
  std::vector<std::int32_t> at(plan->first.begin(), plan->first.end() - 1);
  plan->after.resize(rank.dependencies.size());
  for (const Dependency& one : rank.dependencies) plan->after[at[one.on]++] = 2 * one.operation + (one.started ? 1 : 0);
}

void CountSlots(const Rank& rank, const std::vector<Key>& received, RankPlan* plan) {
  plan->channel.assign(rank.operations.size(), -1);
  plan->base.assign(received.size() + 1, 0);
  for (std::size_t i = 0; i < rank.operations.size(); ++i) {
    const Operation& one = rank.operations[i];
    if (one.kind == Kind::kCalc) plan->cpus = std::max(plan->cpus, one.cpu + 1);
    if (one.kind != Kind::kReceive) continue;
    plan->channel[i] = IndexOf(received, {one.peer, one.tag});
    ++plan->base[static_cast<std::size_t>(plan->channel[i]) + 1];
  }
  for (std::size_t c = 0; c < received.size(); ++c) plan->base[c + 1] += plan->base[c];
  plan->slots = plan->base.back();
  plan->base.pop_back();
}

}  // namespace

std::vector<RankPlan> MakePlan(const Schedule& schedule) {
  std::vector<RankPlan> plans(schedule.ranks.size());
  std::vector<std::vector<Key>> received;
  for (std::size_t r = 0; r < plans.size(); ++r) {
    const Rank& rank = schedule.ranks[r];
    received.push_back(KeysOf(rank, Kind::kReceive));
    Chain(rank, &plans[r]);
    CountSlots(rank, received.back(), &plans[r]);
  }
  for (std::size_t r = 0; r < plans.size(); ++r) {
    const Rank& rank = schedule.ranks[r];
    const std::vector<Key> sent = KeysOf(rank, Kind::kSend);
    plans[r].sending = static_cast<std::int32_t>(sent.size());
    plans[r].slot.assign(rank.operations.size(), -1);
    for (std::size_t i = 0; i < rank.operations.size(); ++i) {
      const Operation& one = rank.operations[i];
      if (one.kind != Kind::kSend) continue;
      plans[r].channel[i] = IndexOf(sent, {one.peer, one.tag});
      const auto to = static_cast<std::size_t>(one.peer);
      plans[r].slot[i] = plans[to].base[IndexOf(received[to], {static_cast<std::int32_t>(r), one.tag})];
    }
  }
  return plans;
}

}  // namespace tilefly::workload
