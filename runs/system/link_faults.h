// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/network.h"

namespace tilefly::cosim {

/// "3.17@5000,4.0@100": links that go down. Throws UsageError.
std::vector<golden::LinkFault> ParseLinkFaults(const std::string& text);

}  // namespace tilefly::cosim
