// SPDX-License-Identifier: Apache-2.0
// What does not change while a schedule is executed: who waits for whom, and where each message is counted.
#pragma once

#include <cstdint>
#include <vector>

#include "workload/schedule.h"

namespace tilefly::workload {

/// The n-th message that a rank sends to another with a tag is received by the n-th receive that is posted for it. The
/// messages of one (source, tag) are a *channel* of the receiver, each has a *slot* there: the channel's first one + n.
struct RankPlan {
  /// Operations that wait for `operation`: [first[operation], first[operation + 1]) in `after`.
  std::vector<std::int32_t> first;
  /// 2 * operation, + 1 if it waits for the beginning only.
  std::vector<std::int32_t> after;
  std::vector<std::int32_t> waits;    ///< by operation: for how many others
  std::vector<std::int32_t> channel;  ///< by operation: of a receive its channel; of a send a number of its own
  std::vector<std::int32_t> slot;     ///< by operation: of a send the first slot of its channel at the receiver
  std::vector<std::int32_t> base;     ///< by channel: its first slot
  std::int32_t slots = 0;
  std::int32_t sending = 0;  ///< channels of sends
  std::int32_t cpus = 0;
};

/// By rank, of a schedule that Check has passed.
std::vector<RankPlan> MakePlan(const Schedule& schedule);

}  // namespace tilefly::workload
