// SPDX-License-Identifier: Apache-2.0
#include "workload/host_costs.h"

#include <vector>

namespace tilefly::workload {
namespace {

void AddTo(const HostCosts& costs, Rank* rank) {
  const auto count = static_cast<std::int32_t>(rank->operations.size());
  std::vector<std::int32_t> calc(static_cast<std::size_t>(count), -1);  // by operation: the one beside it
  for (std::int32_t i = 0; i < count; ++i) {
    const Operation one = rank->operations[i];
    if (one.by_nic) continue;
    const std::int64_t ns = one.kind == Kind::kSend ? costs.send_ns : one.kind == Kind::kReceive ? costs.receive_ns : 0;
    if (ns == 0) continue;
    calc[i] = static_cast<std::int32_t>(rank->operations.size());
    rank->operations.push_back({Kind::kCalc, 0, -1, 0, one.phase, ns});
  }
  for (Dependency& one : rank->dependencies) {
    if (calc[one.operation] >= 0 && rank->operations[one.operation].kind == Kind::kSend)
      one.operation = calc[one.operation];
    if (calc[one.on] >= 0 && rank->operations[one.on].kind == Kind::kReceive && !one.started) one.on = calc[one.on];
  }
  for (std::int32_t i = 0; i < count; ++i) {
    if (calc[i] < 0) continue;
    const bool is_send = rank->operations[i].kind == Kind::kSend;
    rank->dependencies.push_back({is_send ? i : calc[i], is_send ? calc[i] : i, false});
  }
}

}  // namespace

void AddHostCosts(const HostCosts& costs, Schedule* schedule) {
  if (costs.send_ns == 0 && costs.receive_ns == 0) return;
  for (Rank& rank : schedule->ranks) AddTo(costs, &rank);
}

}  // namespace tilefly::workload
