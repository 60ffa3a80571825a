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
  std::vector<int> classes;     ///< by job: its traffic class
  std::vector<int> most_data;   ///< by job: most data of a packet, bytes
  Cycle message_overhead = 0;   ///< cycles before the first packet of a message
  Cycle packet_overhead = 0;    ///< cycles before every packet
  Cycle reduction_send = 0;     ///< time of a host at the begin of a reduction in switches, in cycles
  Cycle reduction_receive = 0;  ///< time of a host when its last result has come, in cycles
};

}  // namespace tilefly::network
