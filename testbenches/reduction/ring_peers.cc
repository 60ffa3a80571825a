// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/ring_peers.h"

#include "golden/common/register_write.h"

namespace tilefly::bench {
namespace {

constexpr int kGroupRegisters = 16;
constexpr int kLane = 14;

}  // namespace

std::vector<Cfg> RingTree::Writes(int ports) const {
  std::vector<Cfg> writes;
  const auto write = [&](int port, RedReg index, std::uint64_t data) {
    writes.push_back(
        golden::WriteRegister(port, CfgSpace::kRed, kGroupRegisters * group + static_cast<int>(index), data));
  };
  write(golden::kAllPorts, RedReg::kTree, 0);
  write(golden::kAllPorts, RedReg::kChildren, children);
  write(golden::kAllPorts, RedReg::kNodes, nodes);
  for (int p = 0; p < ports; ++p) {
    const std::uint64_t address = 0x100u + static_cast<unsigned>(p);
    const bool node = p == parent || (nodes >> p & 1) != 0;
    write(p, RedReg::kPeer,
          address | std::uint64_t{node} << 20 | std::uint64_t{kLane} << 21 | static_cast<std::uint64_t>(p & 7) << 25 |
              static_cast<std::uint64_t>(RoleOf(p)) << 28 | std::uint64_t{small} << 30);
  }
  const bool root = parent < 0;
  write(golden::kAllPorts, RedReg::kTree,
        1 | std::uint64_t{root} << 1 | static_cast<std::uint64_t>(root ? 0 : parent) << 2 | std::uint64_t{small} << 8 |
            std::uint64_t{timeout} << 32);
  return writes;
}

}  // namespace tilefly::bench
