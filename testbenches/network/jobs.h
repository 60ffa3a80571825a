// SPDX-License-Identifier: Apache-2.0
// Runs of jobs.
#pragma once

#include <memory>
#include <utility>

#include "network/network.h"

namespace tilefly::network {

/// The endpoints execute the jobs, in class 0 with packets of up to 4 KiB of data.
inline void UseJobs(workload::Workload workload, NetworkOptions* options) {
  options->hosts.classes.assign(workload.jobs.size(), 0);
  options->hosts.most_data.assign(workload.jobs.size(), workload::kMostData);
  options->hosts.workload = std::make_shared<const workload::Workload>(std::move(workload));
}

}  // namespace tilefly::network
