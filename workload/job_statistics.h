// SPDX-License-Identifier: Apache-2.0
// What a run counts of a job. Sums, maxima and a histogram, so that no order of events shows.
#pragma once

#include <cstdint>
#include <vector>

#include "support/latency.h"
#include "workload/schedule.h"

namespace tilefly::workload {

/// A rank of the job has failed.
struct JobFailure {
  friend bool operator<(const JobFailure& a, const JobFailure& b) {
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.rank < b.rank;
  }

  Cycle cycle = kNoCycle;  ///< kNoCycle: none has
  std::int32_t rank = -1;
  std::int32_t code = 0;  ///< red_code_e
};

struct JobStatistics {
  explicit JobStatistics(int phases = 0)
      : phase_done(static_cast<std::size_t>(phases)), phase_end(static_cast<std::size_t>(phases), -1) {}

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(ranks_done, messages, bytes, phase_done, message_latency, rank_iteration);
    archive.Largest(last, phase_end);
    archive.Smallest(failure);
  }

  std::int64_t ranks_done = 0;
  std::int64_t messages = 0;             ///< arrived; of reductions in switches: operations complete at a rank
  std::int64_t bytes = 0;                ///< of these
  Cycle last = -1;                       ///< latest completion of an operation; of a job that repeats -1
  std::vector<std::int64_t> phase_done;  ///< operations complete, by iteration
  std::vector<Cycle> phase_end;          ///< latest completion, by iteration; -1: none
  LatencyHistogram message_latency;      ///< from the handing over to the last packet's last word
  LatencyHistogram rank_iteration;       ///< iterations at each rank: from the end of the one before at this rank
  JobFailure failure;                    ///< the first
};

// Whoever adds a member adds it to Serialize.
static_assert(sizeof(JobStatistics) == 4 * sizeof(std::int64_t) + 2 * sizeof(std::vector<Cycle>) +
                                           2 * sizeof(LatencyHistogram) + sizeof(JobFailure));

}  // namespace tilefly::workload
