// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cosim/setup/switch_setup.h"
#include "cosim/tree/tree.h"
#include "support/random.h"

namespace tilefly::cosim {

/// Draws the trees of group 0 to `count` - 1 over some of `ports`.
std::vector<Tree> DrawTrees(const SwitchSetup& setup, int count, std::uint64_t ports, std::uint64_t seed);
/// Ports that take reductions, one bit each: all ports but standard ones.
std::uint64_t PortsOfTrees(const SwitchSetup& setup);
/// Ports of trees, one bit each, that have company: if the link of such a port goes down, another port of its tree
/// hears of it, because no tree has only this port.
std::uint64_t AccompaniedPorts(const std::vector<Tree>& trees);

}  // namespace tilefly::cosim
