// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "golden/common/types.h"
#include "workload/jobs.h"

namespace tilefly::network {

/// What all hosts of a run have in common.
struct HostSetup {
  /// Whether endpoints execute jobs instead of sending synthetic traffic.
  bool used() const { return workload != nullptr; }

  std::shared_ptr<const workload::Workload> workload;
  std::vector<int> classes;     ///< traffic class by job
  std::vector<int> most_data;   ///< of a packet, bytes, by job
  Cycle message_overhead = 0;   ///< before the first packet of a message
  Cycle packet_overhead = 0;    ///< before every packet
  Cycle reduction_send = 0;     ///< of a host at the begin of an operation that the switches do
  Cycle reduction_receive = 0;  ///< when its last result is there
};

}  // namespace tilefly::network
