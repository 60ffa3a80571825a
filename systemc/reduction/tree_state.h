// SPDX-License-Identifier: Apache-2.0
// What the CFU knows of slots, groups and engines (docs/blocks/reduction.md, CFU: launches; reduction-trees.md,
// States), and functions that read it. LaunchUnit only reads it, GroupControl changes it.
#pragma once

#include <array>

#include "golden/reduction/red_registers.h"
#include "systemc/reduction/launch.h"

namespace tilefly::systemc {

struct TreeState {
  static constexpr Cycle kLongAgo = INT64_MIN / 2;  ///< nothing was launched yet

  /// State of a slot. A slot that is not bound is as a slot without an operation.
  struct Slot {
    int group = -1;  ///< -1: free
    bool in_operation = false;
    std::uint16_t ups = 0;
    std::uint16_t downs = 0;
    PortMask members = 0;  ///< M of the page
    Cycle last_launch = kLongAgo;
    Cycle progress = 0;  ///< last of: made ACTIVE, report SEGMENT, launch
    std::array<std::uint16_t, golden::kMaxPorts> arrived{};
    std::array<std::uint16_t, golden::kMaxPorts> credit{};
    std::array<std::uint16_t, golden::kMaxPorts> wants{};  ///< of the last RED_STORE segments, a bit each
    std::array<std::uint16_t, golden::kMaxPorts> ends{};
  };
  struct Group {
    RedState state = RedState::kIdle;
    int slot = -1;
    RedCode code = RedCode::kOk;
    bool notice = false;
    bool limited = false;  ///< the lock was for `left` operations
    std::uint8_t tag = 0;
    std::uint16_t left = 0;
    std::uint32_t fails = 0;
    Cycle since = 0;
    Cycle last_launch = kLongAgo;
    Cycle last_short = kLongAgo;
  };
  struct Engine {
    PortMask have = 0;
    bool back = false;
    bool armed = false;
    Cycle since = 0;
  };

  explicit TreeState(const Profile& p) : profile(p), trees(p.ports) {
    const auto segments = static_cast<std::int16_t>(p.red_room);
    for (auto& port : room) port = {segments, segments, static_cast<std::int16_t>(p.red_short_room)};
  }
  TreeState(const TreeState&) = delete;
  TreeState& operator=(const TreeState&) = delete;

  Engine& engine(int group, int e) { return engines[golden::kRedEngines * group + e]; }
  const Engine& engine(int group, int e) const { return engines[golden::kRedEngines * group + e]; }
  std::uint16_t BitOf(int segment) const { return static_cast<std::uint16_t>(1u << segment % profile.red_store); }

  /// Those of `ports` whose segment of this number has the flag.
  PortMask Having(const std::array<std::uint16_t, golden::kMaxPorts>& flags, PortMask ports, int segment) const {
    PortMask having = 0;
    golden::ForEachBit(ports, [&](int p) {
      if ((flags[p] & BitOf(segment)) != 0) having |= golden::Bit(p);
    });
    return having;
  }
  bool IsFinalUp(const Slot& slot) const { return Having(slot.ends, trees.tree(slot.group).children, slot.ups) != 0; }
  bool IsFinalDown(const Slot& slot) const {
    return Having(slot.ends, golden::Bit(trees.tree(slot.group).parent), slot.downs) != 0;
  }
  /// M' of the page: the children that get the results of the operation to which segment `ups` belongs.
  PortMask MembersOf(const Slot& slot) const {
    const golden::RedTree& tree = trees.tree(slot.group);
    return slot.in_operation ? slot.members : tree.nodes | Having(slot.wants, tree.children & ~tree.nodes, slot.ups);
  }
  /// Whether a peer is expected to send something.
  bool IsOpenWork(const Slot& slot) const {
    const golden::RedTree& tree = trees.tree(slot.group);
    bool open = slot.in_operation || (!tree.root && slot.downs != slot.ups);
    golden::ForEachBit(tree.children, [&](int p) { open = open || slot.arrived[p] != slot.ups; });
    return open;
  }
  bool IsFailing(int group) const { return groups[group].state == RedState::kFailing; }
  /// STATUS register of the group.
  GroupStatus Status(int g) const {
    const Group& group = groups[g];
    GroupStatus status;
    status.state = static_cast<std::uint8_t>(group.state);
    status.slot = group.slot > 0;
    status.tag = static_cast<std::uint8_t>(group.tag);
    status.code = static_cast<std::uint8_t>(group.code);
    status.left = static_cast<std::uint16_t>(group.left);
    status.failures = static_cast<std::uint32_t>(group.fails);
    return status;
  }

  const Profile& profile;
  golden::RedRegisters trees;
  std::array<Slot, golden::kRedSlots> slots{};
  std::array<Group, golden::kRedGroups> groups{};
  std::array<Engine, golden::kRedGroups * golden::kRedEngines> engines{};
  std::array<std::array<std::int16_t, kResultLanes>, golden::kMaxPorts> room{};  ///< cells of the fifos of results
  Bindings bindings{};
  PortMask live = 0;  ///< ports that are enabled and whose links work
};

}  // namespace tilefly::systemc
