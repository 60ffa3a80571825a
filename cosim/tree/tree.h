// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "generated/registers.h"
#include "generated/wire.h"

namespace tilefly::cosim {

/// The peer of a reduction port, and how packets to it travel.
struct RedAddress {
  std::uint32_t address = 0;  ///< fabric address
  bool node = false;          ///< it is an aggregation node
  int vl = 0;                 ///< lane of the packets that go to it
  int tc = 0;
};

/// A group of a switch as its registers have it (docs/blocks/reduction-trees.md). Masks have one bit for each port.
struct Tree {
  int group = 0;
  std::uint64_t children = 0;
  std::uint64_t nodes = 0;  ///< of the children
  int parent = -1;          ///< port; -1: root
  bool small = false;
  std::uint32_t timeout = 0;  ///< cycles, 0: none
  std::array<RedAddress, 64> peers{};

  std::uint64_t members() const { return children | (parent < 0 ? 0 : std::uint64_t{1} << parent); }
  int child_count() const { return __builtin_popcountll(children); }
  const RedAddress& peer(int port) const { return peers[static_cast<std::size_t>(port)]; }
  /// Register writes that set up the group.
  std::vector<Cfg> Writes() const;
};

}  // namespace tilefly::cosim
