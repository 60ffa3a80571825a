// SPDX-License-Identifier: Apache-2.0
// How far a run with synthetic traffic has come, in words.
#pragma once

#include <cstdint>
#include <string>

#include "golden/common/cycle.h"

namespace tilefly::runs {

struct TrafficProgress {
  Cycle at;                ///< cycle of traffic
  Cycle end;               ///< cycle in which traffic ends, or has ended
  bool may_end_earlier;    ///< the run ends its traffic when it is decided
  std::int64_t delivered;  ///< packets
  std::int64_t inside;     ///< packets
  double cycles_per_s;     ///< 0: it is not known
};

/// When traffic ends is reckoned; how long packets still drain nobody knows.
std::string ProgressText(const TrafficProgress& progress);

}  // namespace tilefly::runs
