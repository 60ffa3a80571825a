// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "conform/bench/suite.h"

namespace tilefly::conform {

/// The tests of devices with Tilefly's links.
std::vector<Test> LinkTests();

}  // namespace tilefly::conform
