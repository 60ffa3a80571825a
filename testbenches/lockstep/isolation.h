// SPDX-License-Identifier: Apache-2.0
// Class isolation: what the other classes can do to the latency of one that is inside its share
// (docs/blocks/scheduler.md, Isolation).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/device.h"
#include "generated/profile.h"
#include "golden/scheduler/schedulers.h"

namespace tilefly::cosim {

/// An eighth of the outputs are hot; eight inputs send to each. One sends packets of the class `victim`, the largest
/// ones, one after the other in its own time: `load` times the share that the table gives the class. The others send
/// packets of the other classes without end, each input of one class.
struct Isolation {
  const Profile* profile;
  const char* plan;      ///< file of wishes
  int victim;            ///< index of the class in the plan
  double load = 0.5;     ///< of its share
  bool one_row = false;  ///< a hot output's inputs are in one row, else two in each
};

/// What came of it. Latencies in cycles.
struct Isolated {
  std::string failure;       ///< of one of the two runs; empty: none
  std::int64_t added = 0;    ///< 99.9th percentile of the victims' latencies, with the others less without
  std::int64_t bound = 0;    ///< what others may add while the output's link is never idle
  std::int64_t idle = 0;     ///< what may come on top when it is
  std::int64_t victims = 0;  ///< packets measured
  double full = 0;           ///< words of the hot outputs' links with the others, of their word slots
};

/// Runs it without the others and with them.
Isolated Isolate(const Isolation& isolation, const std::vector<std::string>& devices, Cycle cycles,
                 golden::SchedulerKind scheduler = golden::SchedulerKind::kDeficitTable);

}  // namespace tilefly::cosim
