// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "topology/describe.h"
#include "topology/topology.h"

namespace tilefly::topology {

/// A picture of the system. What is left out of it (links of all groups but one, planes' links) is said under it.
std::string DrawSvg(const Topology& topology, const Description& description);

}  // namespace tilefly::topology
