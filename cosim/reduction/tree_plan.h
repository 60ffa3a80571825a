// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cosim/setup/switch_setup.h"
#include "cosim/tree/tree.h"
#include "support/random.h"

namespace tilefly::cosim {

/// Trees over some of `ports`, drawn: group 0 to `count` - 1.
std::vector<Tree> DrawTrees(const SwitchSetup& setup, int count, std::uint64_t ports, std::uint64_t seed);
/// Ports that take reductions, one bit each: all but standard ones.
std::uint64_t PortsOfTrees(const SwitchSetup& setup);
/// Ports of trees, one bit each, of which somebody else hears when their link goes down: no tree has such a port alone.
std::uint64_t AccompaniedPorts(const std::vector<Tree>& trees);

}  // namespace tilefly::cosim
