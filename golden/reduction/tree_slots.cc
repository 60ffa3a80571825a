// SPDX-License-Identifier: Apache-2.0
// Slots of the CFU (docs/blocks/reduction.md, CFU: launches, Credits).
#include "golden/reduction/tree_slots.h"

namespace tilefly::golden {

bool TreeSlots::HasAll(int s) const {
  const TreeSlot& slot = slots_[s];
  bool all = true;
  ForEachBit(tree(s).children, [&](int p) { all = all && slot.arrived[p] != slot.ups; });
  return all;
}

/// The ports whose segment of this number has the flag.
PortMask TreeSlots::Having(const std::array<std::uint16_t, kMaxPorts>& flags, PortMask ports, int segment) const {
  PortMask having = 0;
  ForEachBit(ports, [&](int p) {
    if ((flags[p] >> BitOf(segment) & 1) != 0) having |= Bit(p);
  });
  return having;
}

bool TreeSlots::HasCredit(int s, PortMask ports, int segment) const {
  const TreeSlot& slot = slots_[s];
  bool all = true;
  ForEachBit(ports,
             [&](int p) { all = all && static_cast<std::uint16_t>(segment - slot.credit[p]) < profile_.red_segments; });
  return all;
}

PortMask TreeSlots::Members(int s) const {
  const TreeSlot& slot = slots_[s];
  if (slot.in_op) return slot.members;
  return tree(s).nodes | Having(slot.wants, tree(s).children & ~tree(s).nodes, slot.ups);
}

bool TreeSlots::IsOpenWork(int s) const {
  const TreeSlot& slot = slots_[s];
  bool some = slot.in_op || (!tree(s).root && slot.downs != slot.ups);
  ForEachBit(tree(s).children, [&](int p) { some = some || slot.arrived[p] != slot.ups; });
  return some;
}

void TreeSlots::Bind(Cycle now, int s) {
  TreeSlot& slot = slots_[s];
  slot.progress = now;
  slot.ups = slot.downs = first_segment_;
  slot.arrived.fill(first_segment_);
  slot.credit.fill(first_segment_);
}

void TreeSlots::Free(int s) {
  const Cycle last_launch = slots_[s].last_launch;
  slots_[s] = {};
  slots_[s].last_launch = last_launch;
}

void TreeSlots::Arrived(Cycle now, const RedEvent& report) {
  TreeSlot& slot = slots_[report.slot];
  const auto bit = static_cast<std::uint16_t>(1u << BitOf(slot.arrived[report.port]));
  const auto put = [&](std::uint16_t* flags, bool value) {
    *flags = static_cast<std::uint16_t>(value ? *flags | bit : *flags & ~bit);
  };
  put(&slot.wants[report.port], report.wants);
  put(&slot.ends[report.port], report.ends);
  ++slot.arrived[report.port];
  slot.progress = now;
}

void TreeSlots::Credited(const RedEvent& report) {
  std::uint16_t& credit = slots_[report.slot].credit[report.port];
  credit = static_cast<std::uint16_t>(credit + ((report.credit - credit) & 0xFF));
}

bool TreeSlots::Launched(Cycle now, const RedLaunch& launch) {
  TreeSlot& slot = slots_[launch.slot];
  slot.last_launch = slot.progress = now;
  const bool final = launch.goes_down() ? IsFinalDown(launch.slot) : IsFinalUp(launch.slot);
  if (launch.goes_down()) {
    ++slot.downs;
  } else {
    slot.members = Members(launch.slot);
    slot.in_op = !final;
    ++slot.ups;
  }
  return final;
}

void TreeSlots::Check(Audit* audit) const {
  for (const TreeSlot& slot : slots_) {
    if (slot.group < 0) continue;
    const RedTree& tree = registers_.tree(slot.group);
    ForEachBit(tree.peers(), [&](int p) {
      const bool child = (tree.children & Bit(p)) != 0;
      const auto waiting = static_cast<std::uint16_t>(slot.arrived[p] - (child ? slot.ups : slot.downs));
      audit->Require("RED-2", waiting <= profile_.red_segments, p, waiting);
    });
  }
}

}  // namespace tilefly::golden
