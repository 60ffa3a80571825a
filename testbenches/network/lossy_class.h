// SPDX-License-Identifier: Apache-2.0
// A class that loses packets.
#pragma once

#include "golden/common/register_write.h"
#include "network/network.h"

namespace tilefly::network {

/// Class 0 may have `cells` of an input buffer and loses what goes beyond.
inline void LoseBeyond(int cells, NetworkOptions* options) {
  const auto share = static_cast<std::uint64_t>(cells);
  options->writes.push_back(
      golden::WriteRegister(golden::kAllPorts, CfgSpace::kClass, static_cast<int>(ClassReg::kShare), share | share << 16 | 1ull << 32));
}

}  // namespace tilefly::network
