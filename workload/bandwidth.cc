// SPDX-License-Identifier: Apache-2.0
#include "workload/bandwidth.h"

#include <string>

namespace tilefly::workload {

std::optional<CollectiveSize> CollectiveSizeOf(const Job& job) {
  const std::string name = job.pattern.substr(0, job.pattern.find(':'));
  const auto ranks = static_cast<double>(job.endpoints.size());
  const auto bytes = static_cast<double>(job.schedule.bytes);
  if (name == "allreduce") return CollectiveSize{bytes, 2 * (ranks - 1) / ranks};
  if (name == "alltoall" || name == "gather") return CollectiveSize{ranks * bytes, (ranks - 1) / ranks};
  if (name == "broadcast" || name == "reduce") return CollectiveSize{bytes, 1};
  return std::nullopt;
}

}  // namespace tilefly::workload
