// SPDX-License-Identifier: Apache-2.0
#include "golden/reduction/red_registers.h"

#include "golden/common/register_fields.h"
#include "golden/ingress/registers.h"

namespace tilefly::golden {
namespace {

constexpr int kIndices = 16;  // of a group

RedPeer PeerOf(std::uint64_t data) {
  RedPeer peer;
  peer.address = static_cast<std::uint32_t>(Field(data, 0, 20));
  peer.an = Field(data, 20, 1) != 0;
  peer.vl = static_cast<std::uint8_t>(Field(data, 21, 4));
  peer.tc = static_cast<std::uint8_t>(Field(data, 25, 3));
  const auto role = static_cast<RedRole>(Field(data, 28, 2));
  if (role == RedRole::kChild || role == RedRole::kParent) peer.role = role;
  peer.small = Field(data, 30, 1) != 0;
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
  const int group = write.index / kIndices;
  if (group >= kRedGroups) return -1;
  RedTree& tree = trees_[group];
  switch (static_cast<RedReg>(write.index % kIndices)) {
    case RedReg::kChildren:
      tree.children = write.data & existing_;
      break;
    case RedReg::kNodes:
      tree.nodes = write.data & existing_;
      break;
    case RedReg::kTree:
      tree.valid = Field(write.data, 0, 1) != 0;
      tree.root = Field(write.data, 1, 1) != 0;
      tree.parent = static_cast<std::uint8_t>(Field(write.data, 2, 6));
      tree.parent_bit = Bit(tree.parent) & existing_;
      tree.small = Field(write.data, 8, 1) != 0;
      tree.timeout = static_cast<Cycle>(Field(write.data, 32, 32));
      return group;
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
