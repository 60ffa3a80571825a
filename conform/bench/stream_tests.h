// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "conform/bench/suite.h"

namespace tilefly::conform {

/// The tests of the kit for devices with AXI-Stream ports.
std::vector<Test> StreamTests();

}  // namespace tilefly::conform
