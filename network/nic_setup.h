// SPDX-License-Identifier: Apache-2.0
// The part of the NICs' set-up that follows from the options of a run (docs/network.md, Queues of a NIC).
#pragma once

#include "golden/registers/registers.h"
#include "network/network_options.h"
#include "network/nic.h"
#include "network/system_lanes.h"
#include "topology/topology.h"

namespace tilefly::network {

/// Makes the set-up that all NICs of a run share: lanes, credits, window, channels and modes. The caller adds traffic,
/// hosts and the cycles of the run. `registers` are the registers that all switches have alike, and `acks` says whether
/// packets are acknowledged; `loses_acks`: some acks are lost on links. Throws UsageError when an option needs acks or
/// messages and the run has none. `options` must outlive the set-up.
NicSetup MakeNicSetup(const NetworkOptions& options, const topology::Topology& topology, const Profile& profile,
                      const SystemLanes& lanes, const golden::Registers& registers, bool acks, bool loses_acks);

}  // namespace tilefly::network
