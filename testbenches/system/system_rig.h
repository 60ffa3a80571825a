// SPDX-License-Identifier: Apache-2.0
// A system with devices beside the same of golden switches.
#pragma once

#include <memory>
#include <string>

#include "cosim/system/system_lockstep.h"
#include "network/network.h"
#include "topology/builder.h"

namespace tilefly::cosim {

/// (p, a, h) = (2, 4, 2): 36 switches of tile8 in 9 groups, 72 endpoints.
inline constexpr const char* kDragonfly = "dragonfly:p=2,a=4,h=2";

network::NetworkOptions Traffic(const std::string& pattern, double load, const std::string& size, Cycle cycles);
/// Jobs on the system's endpoints, placed at random.
network::NetworkOptions Jobs(const std::string& patterns, int endpoints = 72);

/// What a pair of systems did.
struct PairRun {
  std::string failure;  ///< the first difference; empty: none
  std::int64_t cycle = -1;
  int node = -1;
  int port = -1;
  network::Ending ending = network::Ending::kStopped;
  std::int64_t compared_busy = 0;
  network::RetryCounts retry;  ///< what links that repeat did
  double seconds = 0;       ///< CPU, of both
  double cycles_per_s = 0;  ///< of both
};

/// Runs `options` with the devices of its make_node and without, to the end of the drain.
PairRun RunPair(const topology::Topology& topology, const network::NetworkOptions& options);

/// The same, and expects no difference: not at a link in any cycle, nor in any result, nor in what is left behind.
PairRun ExpectEqual(const topology::Topology& topology, const network::NetworkOptions& options,
                    std::int64_t least_busy);

}  // namespace tilefly::cosim
