// SPDX-License-Identifier: Apache-2.0
#include "cosim/tree/tree.h"

#include <algorithm>

#include "golden/common/register_write.h"
#include "golden/common/types.h"

namespace tilefly::cosim {

std::vector<Cfg> Tree::Writes() const {
  std::vector<Cfg> writes;
  const auto write = [&](int port, RedReg reg, std::uint64_t data) {
    writes.push_back(golden::WriteRegister(port, CfgSpace::kRed, golden::IndexOf(group, reg), data));
  };
  write(golden::kAllPorts, RedReg::kChildren, children);
  write(golden::kAllPorts, RedReg::kNodes, nodes);
  for (std::uint64_t left = members(); left != 0; left &= left - 1) {
    const int port = golden::LowestBit(left);
    const auto role = static_cast<std::uint64_t>(port == parent ? RedRole::kParent : RedRole::kChild);
    write(port, RedReg::kPeer,
          GroupPeer::Of(peer(port).address, peer(port).node, static_cast<std::uint64_t>(peer(port).vl),
                        static_cast<std::uint64_t>(peer(port).tc), role, small)
              .ToBits());
  }
  write(golden::kAllPorts, RedReg::kTree,
        GroupTree::Of(/*valid=*/true, parent < 0, static_cast<std::uint64_t>(std::max(parent, 0)), small, timeout)
            .ToBits());
  return writes;
}

}  // namespace tilefly::cosim
