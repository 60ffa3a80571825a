// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tilefly::cosim {

using Bytes = std::vector<std::uint8_t>;

}  // namespace tilefly::cosim
