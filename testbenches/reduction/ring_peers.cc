// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/ring_peers.h"

#include "golden/common/register_write.h"

namespace tilefly::bench {
namespace {

constexpr int kLane = 14;

}  // namespace

std::vector<Cfg> RingTree::Writes(int ports) const {
  std::vector<Cfg> writes;
  const auto write = [&](int port, RedReg index, std::uint64_t data) {
    writes.push_back(golden::WriteRegister(port, CfgSpace::kRed, golden::IndexOf(group, index), data));
  };
  write(golden::kAllPorts, RedReg::kTree, 0);
  write(golden::kAllPorts, RedReg::kChildren, children);
  write(golden::kAllPorts, RedReg::kNodes, nodes);
  for (int p = 0; p < ports; ++p) {
    const std::uint64_t address = 0x100u + static_cast<unsigned>(p);
    const bool node = p == parent || (nodes >> p & 1) != 0;
    write(p, RedReg::kPeer,
          GroupPeer::Of(address, node, kLane, static_cast<std::uint64_t>(p % 8), static_cast<std::uint64_t>(RoleOf(p)),
                        small)
              .ToBits());
  }
  const bool root = parent < 0;
  write(golden::kAllPorts, RedReg::kTree,
        GroupTree::Of(/*valid=*/true, root, static_cast<std::uint64_t>(root ? 0 : parent), small, timeout).ToBits());
  return writes;
}

}  // namespace tilefly::bench
