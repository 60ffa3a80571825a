// SPDX-License-Identifier: Apache-2.0
// The bandwidth of collectives as their users count it (docs/workloads.md, Bandwidth): that of nccl-tests.
#pragma once

#include <optional>

#include "workload/jobs.h"

namespace tilefly::workload {

/// Of one iteration.
struct CollectiveSize {
  double bytes;   ///< over the time: algorithm bandwidth
  double factor;  ///< of bus bandwidth over algorithm bandwidth
};

/// Empty: the job's pattern has no such definition.
std::optional<CollectiveSize> CollectiveSizeOf(const Job& job);

}  // namespace tilefly::workload
