// SPDX-License-Identifier: Apache-2.0
// What a run counts of a job. Sums, maxima and a histogram, so that no order of events shows.
#pragma once

#include <cstdint>
#include <vector>

#include "support/latency.h"
#include "workload/schedule.h"

namespace tilefly::workload {

struct JobStatistics {
  explicit JobStatistics(int phases = 0) : phase_end(static_cast<std::size_t>(phases), -1) {}

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ranks_done, messages, bytes, message_latency);
    archive.Largest(last, phase_end);
  }

  std::int64_t ranks_done = 0;
  std::int64_t messages = 0;         ///< arrived
  std::int64_t bytes = 0;            ///< of these
  Cycle last = -1;                   ///< latest completion of an operation
  std::vector<Cycle> phase_end;      ///< the same by iteration; -1: none
  LatencyHistogram message_latency;  ///< from the handing over to the last packet's last word
};

// Whoever adds a member adds it to Serialize.
static_assert(sizeof(JobStatistics) ==
              4 * sizeof(std::int64_t) + sizeof(std::vector<Cycle>) + sizeof(LatencyHistogram));

}  // namespace tilefly::workload
