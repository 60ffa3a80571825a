// SPDX-License-Identifier: Apache-2.0
// Slots of the CFU (docs/blocks/reduction.md, CFU: launches, Credits; reduction-trees.md): the streams of the groups
// that have one, with the segments that came, the credits that the peers gave, and what has been launched.
#pragma once

#include <array>
#include <cstdint>

#include "golden/common/audit.h"
#include "golden/reduction/red_launch.h"
#include "golden/reduction/red_ports.h"
#include "golden/reduction/red_registers.h"
#include "golden/state/context.h"

namespace tilefly::golden {

/// Cycle of the last launch when there has been none.
inline constexpr Cycle kLongAgo = INT64_MIN / 2;

struct TreeSlot {
  std::int8_t group = -1;  ///< -1: free
  bool in_op = false;
  std::uint16_t ups = 0;
  std::uint16_t downs = 0;
  PortMask members = 0;  ///< M of the page
  Cycle last_launch = kLongAgo;
  Cycle progress = 0;  ///< last of: made ACTIVE, SEGMENT report, launch
  std::array<std::uint16_t, kMaxPorts> arrived{};
  std::array<std::uint16_t, kMaxPorts> credit{};
  std::array<std::uint16_t, kMaxPorts> wants{};  ///< of the last segments, a bit each by their number
  std::array<std::uint16_t, kMaxPorts> ends{};
};

/// Questions about a slot are allowed for slots that a group has.
class TreeSlots {
 public:
  TreeSlots(const Profile& profile, const RedRegisters& registers) : profile_(profile), registers_(registers) {}

  const TreeSlot& operator[](int slot) const { return slots_[slot]; }
  bool HasFree() const { return slots_[0].group < 0 || slots_[1].group < 0; }
  /// Whether segment number `ups` has come from all children.
  bool HasAll(int slot) const;
  /// Whether each of the ports gave credit for segment number `segment`.
  bool HasCredit(int slot, PortMask ports, int segment) const;
  /// M' of docs/blocks/reduction.md.
  PortMask Members(int slot) const;
  /// Whether the segment that goes up next, or the result that goes down next, ends its operation.
  bool IsFinalUp(int slot) const { return Having(slots_[slot].ends, tree(slot).children, slots_[slot].ups) != 0; }
  bool IsFinalDown(int slot) const {
    return Having(slots_[slot].ends, Bit(tree(slot).parent), slots_[slot].downs) != 0;
  }
  /// Whether a peer is expected to send something.
  bool IsOpenWork(int slot) const;

  /// Event: the slot belongs to the group.
  void Take(int slot, int group) { slots_[slot].group = static_cast<std::int8_t>(group); }
  /// Event of cycle `now`: the slot is bound.
  void Bind(Cycle now, int slot);
  /// Event: the slot is free.
  void Free(int slot);
  /// Event of cycle `now`: a segment is reported.
  void Arrived(Cycle now, const RedEvent& report);
  /// Event: a CREDIT is reported.
  void Credited(const RedEvent& report);
  /// Event of cycle `now`: a segment or a result is launched. Returns whether it ends its operation.
  bool Launched(Cycle now, const RedLaunch& launch);
  /// Sets the number of the first segment after a lock, which is 0 else. Tests begin near the wrap of the number with
  /// it.
  void BeginSegments(std::uint16_t first) { first_segment_ = first; }
  /// Checks RED-2.
  void Check(Audit* audit) const;

  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(slots_);
  }

 private:
  const RedTree& tree(int slot) const { return registers_.tree(slots_[slot].group); }
  int BitOf(int segment) const { return segment % profile_.red_store; }
  PortMask Having(const std::array<std::uint16_t, kMaxPorts>& flags, PortMask ports, int segment) const;

  const Profile& profile_;
  const RedRegisters& registers_;
  std::array<TreeSlot, kRedSlots> slots_{};
  std::uint16_t first_segment_ = 0;
};

}  // namespace tilefly::golden
