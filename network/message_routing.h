// SPDX-License-Identifier: Apache-2.0
// Application-aware routing at a NIC (docs/workloads.md): the NIC's counters decide the mode of each message.
#pragma once

#include "generated/registers.h"
#include "golden/common/types.h"
#include "workload/app_aware.h"

namespace tilefly::network {

class MessageRouting {
 public:
  /// Values of the NIC's counters.
  struct Reading {
    std::int64_t acks = 0;
    Cycle acked_cycles = 0;
    std::int64_t words = 0;
    std::int64_t stalled_cycles = 0;
  };

  explicit MessageRouting(const workload::AppAwareOptions& options) : routing_(options) {}

  /// Chooses the bias of a message that begins when the counters show `now`.
  workload::Bias Choose(const workload::NextMessage& message, const Reading& now);

 private:
  workload::AppAwareRouting routing_;
  Reading before_;  ///< counters at the last decision
};

constexpr RouteMode ModeOf(workload::Bias bias) {
  return bias == workload::Bias::kHigh ? RouteMode::kAdaptive3 : RouteMode::kAdaptive0;
}

}  // namespace tilefly::network
