// SPDX-License-Identifier: Apache-2.0
#include "golden/reduction/red_registers.h"

#include "golden/registers/registers.h"

namespace tilefly::golden {
namespace {

RedPeer PeerOf(std::uint64_t data) {
  const GroupPeer word = GroupPeer::FromBits(data);
  RedPeer peer;
  peer.address = word.address;
  peer.an = word.an;
  peer.vl = word.vl;
  peer.tc = word.tc;
  const auto role = static_cast<RedRole>(word.role);
  if (role == RedRole::kChild || role == RedRole::kParent) peer.role = role;
  peer.small = word.is_small;
  return peer;
}

}  // namespace

Header RedPeer::HeaderFrom(std::uint32_t port_address, int length) const {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kRed);
  header.len = static_cast<std::uint16_t>(length);
  header.src = port_address;
  header.dst = address;
  header.an = an;
  header.vl = vl;
  header.tc = tc;
  header.mode = static_cast<std::uint8_t>(RouteMode::kInOrder);
  header.ordered = true;
  header.hop = 1;
  return header;
}

int RedRegisters::Write(const Cfg& write) {
  const GroupIndex at = GroupIndex::FromBits(write.index);
  const int group = at.group;
  if (group >= kRedGroups) return -1;
  RedTree& tree = trees_[group];
  switch (static_cast<RedReg>(at.which)) {
    case RedReg::kChildren:
      tree.children = write.data & existing_;
      break;
    case RedReg::kNodes:
      tree.nodes = write.data & existing_;
      break;
    case RedReg::kTree: {
      const GroupTree word = GroupTree::FromBits(write.data);
      tree.valid = word.valid;
      tree.root = word.root;
      tree.parent = word.parent;
      tree.parent_bit = Bit(tree.parent) & existing_;
      tree.small = word.is_small;
      tree.timeout = word.timeout;
      return group;
    }
    case RedReg::kPeer:
      for (std::size_t p = 0; p < peers_.size(); ++p) {
        if (Addresses(write, static_cast<int>(p))) peers_[p][group] = PeerOf(write.data);
      }
      break;
    default:
      break;
  }
  return -1;
}

}  // namespace tilefly::golden
