// SPDX-License-Identifier: Apache-2.0
// Registers of space RED (docs/blocks/reduction-trees.md, Registers).
#pragma once

#include <array>
#include <vector>

#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/types.h"

namespace tilefly::golden {

inline constexpr int kRedGroups = 8;

/// A group as the CFU knows it.
struct RedTree {
  bool has_parent() const { return valid && !root; }
  /// The parent's port; none when it does not exist.
  PortMask parent_mask() const { return has_parent() ? parent_bit : 0; }
  /// Children and parent.
  PortMask peers() const { return children | parent_mask(); }

  PortMask children = 0;
  PortMask nodes = 0;  ///< those of the children that are aggregation nodes
  bool valid = false;
  bool root = false;
  bool small = false;
  std::uint8_t parent = 0;
  PortMask parent_bit = 0;  ///< of the parent's port, if that exists
  Cycle timeout = 0;        ///< 0: none
};

/// The peer behind a port, in a group.
struct RedPeer {
  /// Header of a reduction packet of `length` bytes to the peer, from `port_address`.
  Header HeaderFrom(std::uint32_t port_address, int length) const;

  std::uint32_t address = 0;
  RedRole role = RedRole::kNone;
  bool an = false;
  bool small = false;
  std::uint8_t vl = 0;
  std::uint8_t tc = 0;
};

class RedRegisters {
 public:
  explicit RedRegisters(int ports) : existing_(~PortMask{0} >> (kMaxPorts - ports)), peers_(ports) {}

  /// Event: a write of space RED. A write that addresses nothing changes nothing. Returns the group whose register TREE
  /// was written, -1: none.
  int Write(const Cfg& write);

  const RedTree& tree(int group) const { return trees_[group]; }
  const RedPeer& peer(int port, int group) const { return peers_[port][group]; }

 private:
  PortMask existing_;
  std::array<RedTree, kRedGroups> trees_{};
  std::vector<std::array<RedPeer, kRedGroups>> peers_;
};

}  // namespace tilefly::golden
