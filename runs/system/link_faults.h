// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/network.h"

namespace tilefly::runs {

/// "3.17@5000,4.0@100": links that go down. Throws UsageError.
std::vector<network::LinkFault> ParseLinkFaults(const std::string& text);

}  // namespace tilefly::runs
