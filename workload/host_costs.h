// SPDX-License-Identifier: Apache-2.0
// What a rank's CPU has to do besides its schedule (docs/reductions.md, Hosts).
#pragma once

#include <cstdint>

#include "workload/schedule.h"

namespace tilefly::workload {

struct HostCosts {
  std::int64_t send_ns = 0;            ///< at the begin of a send
  std::int64_t receive_ns = 0;         ///< when a message is there
  std::int64_t reduce_ns_per_kib = 0;  ///< of a block that is reduced
};

/// Time of a reduction by the CPU.
struct ReduceTime {
  std::int64_t Of(std::int64_t bytes) const { return fixed_ns + (bytes * ns_per_kib + 1023) / 1024; }

  std::int64_t fixed_ns = 0;
  std::int64_t ns_per_kib = 0;
};

/// A calc before each send and behind each receive that the NIC does not do alone, on CPU 0: what waited for the receive waits for its
/// calc. A cost of 0 adds none.
void AddHostCosts(const HostCosts& costs, Schedule* schedule);

}  // namespace tilefly::workload
