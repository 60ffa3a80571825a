// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "golden/ingress/registers.h"
#include "network/network_options.h"
#include "network/nic.h"
#include "network/system_lanes.h"
#include "topology/topology.h"

namespace tilefly::network {

/// What all NICs of a run have in common, but for who sends what and for its times. `registers`: what all switches have
/// alike; `acks`: packets are acknowledged. Throws UsageError for options that need acks, or messages, where there are
/// none. `options` must outlive it.
NicSetup MakeNicSetup(const NetworkOptions& options, const topology::Topology& topology, const Profile& profile,
                      const SystemLanes& lanes, const golden::Registers& registers, bool acks);

}  // namespace tilefly::network
