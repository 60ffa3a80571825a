// SPDX-License-Identifier: Apache-2.0
// Which launch goes next (docs/blocks/reduction.md, CFU: launches; reduction-trees.md, Short operations).
#include <algorithm>

#include "golden/arbiter/round_robin.h"
#include "golden/reduction/cfu.h"

namespace tilefly::golden {

/// Of all these ports segment number `ups` has come.
bool Cfu::HasAll(const Slot& slot, PortMask children) const {
  bool all = true;
  ForEachBit(children, [&](int p) { all = all && slot.arrived[p] != slot.ups; });
  return all;
}

/// The ports whose segment of this number has the flag.
PortMask Cfu::Having(const std::array<std::uint16_t, kMaxPorts>& flags, PortMask ports, int segment) const {
  PortMask having = 0;
  ForEachBit(ports, [&](int p) {
    if ((flags[p] >> BitOf(segment) & 1) != 0) having |= Bit(p);
  });
  return having;
}

bool Cfu::HasRoom(PortMask ports, RedLane lane, int cells) const {
  bool all = true;
  ForEachBit(ports, [&](int p) { all = all && room_[p][static_cast<int>(lane)] >= cells; });
  return all;
}

bool Cfu::HasCredit(const Slot& slot, PortMask ports, int segment) const {
  bool all = true;
  ForEachBit(ports, [&](int p) {
    all = all && static_cast<std::uint16_t>(segment - slot.credit[p]) < context_.profile.red_segments;
  });
  return all;
}

/// M' of the page.
PortMask Cfu::Members(const Slot& slot, const RedTree& tree) const {
  return slot.in_op ? slot.members : tree.nodes | Having(slot.wants, tree.children & ~tree.nodes, slot.ups);
}

RedLaunch Cfu::Begin(RedCandidate candidate, int group) const {
  RedLaunch launch;
  launch.candidate = candidate;
  launch.group = static_cast<std::uint8_t>(group);
  launch.root = registers_.tree(group).root;
  launch.small = registers_.tree(group).small;
  launch.tag = groups_[group].tag;
  launch.code = groups_[group].code;
  return launch;
}

std::optional<RedLaunch> Cfu::Up(int s) const {
  const Slot& slot = slots_[s];
  const RedTree& tree = registers_.tree(slot.group);
  if (!HasAll(slot, tree.children)) return std::nullopt;
  RedLaunch launch = Begin(s == 0 ? RedCandidate::kUp0 : RedCandidate::kUp1, slot.group);
  launch.slot = static_cast<std::uint8_t>(s);
  launch.segment = slot.ups;
  launch.parts = tree.children;
  if (tree.root) {
    launch.lane = RedLane::kD;
    launch.to = IsFinalUp(slot, tree) ? tree.children : Members(slot, tree);
    if (!HasCredit(slot, tree.nodes, slot.ups)) return std::nullopt;
  } else {
    launch.lane = RedLane::kU;
    launch.to = tree.parent_mask();
    if (!slot.in_op && slot.downs != slot.ups) return std::nullopt;
    if (!HasCredit(slot, launch.to, slot.ups)) return std::nullopt;
  }
  if (!HasRoom(launch.to, launch.lane, context_.profile.red_cells)) return std::nullopt;
  return launch;
}

std::optional<RedLaunch> Cfu::Down(int s) const {
  const Slot& slot = slots_[s];
  const RedTree& tree = registers_.tree(slot.group);
  if (tree.root || slot.arrived[tree.parent] == slot.downs) return std::nullopt;
  RedLaunch launch = Begin(s == 0 ? RedCandidate::kDown0 : RedCandidate::kDown1, slot.group);
  launch.slot = static_cast<std::uint8_t>(s);
  launch.segment = slot.downs;
  launch.parts = Bit(tree.parent);
  launch.lane = RedLane::kD;
  launch.to = IsFinalDown(slot, tree) ? tree.children : slot.members;
  if (!HasRoom(launch.to, launch.lane, context_.profile.red_cells)) return std::nullopt;
  if (!HasCredit(slot, tree.nodes, slot.downs)) return std::nullopt;
  return launch;
}

/// Whether the engine of a group goes up with what it has.
bool Cfu::IsReady(Cycle now, int group, const Engine& engine) const {
  if (engine.have == 0) return false;
  const RedTree& tree = registers_.tree(group);
  if (engine.have == tree.children) return true;
  return tree.small && (!engine.armed || (tree.timeout != 0 && now >= engine.since + tree.timeout));
}

std::optional<RedLaunch> Cfu::ShortUp(Cycle now) const {
  std::uint64_t eligible = 0;
  for (int i = 0; i < kRedGroups * kRedEngines; ++i) {
    const int g = i / kRedEngines;
    const RedTree& tree = registers_.tree(g);
    if (!tree.valid || groups_[g].state == RedState::kFailing || !IsReady(now, g, engines_[i])) continue;
    const PortMask to = tree.root ? tree.children : tree.parent_mask();
    if (HasRoom(to, RedLane::kS, context_.profile.red_short_cells)) eligible |= Bit(i);
  }
  if (eligible == 0) return std::nullopt;
  const int i = RoundRobin(eligible, short_first_[0]);
  RedLaunch launch = Begin(RedCandidate::kShortUp, i / kRedEngines);
  launch.engine = static_cast<std::uint8_t>(i % kRedEngines);
  launch.parts = engines_[i].have;
  const RedTree& tree = registers_.tree(launch.group);
  launch.to = tree.root ? tree.children : tree.parent_mask();
  return launch;
}

std::optional<RedLaunch> Cfu::ShortDown() const {
  std::uint64_t eligible = 0;
  for (int i = 0; i < kRedGroups * kRedEngines; ++i) {
    const int g = i / kRedEngines;
    const RedTree& tree = registers_.tree(g);
    if (!engines_[i].back || !tree.has_parent() || groups_[g].state == RedState::kFailing) continue;
    if (HasRoom(tree.children, RedLane::kS, context_.profile.red_short_cells)) eligible |= Bit(i);
  }
  if (eligible == 0) return std::nullopt;
  const int i = RoundRobin(eligible, short_first_[1]);
  RedLaunch launch = Begin(RedCandidate::kShortDown, i / kRedEngines);
  launch.engine = static_cast<std::uint8_t>(i % kRedEngines);
  launch.parts = Bit(registers_.tree(launch.group).parent);
  launch.to = registers_.tree(launch.group).children;
  return launch;
}

std::optional<RedLaunch> Cfu::Notice() const {
  std::uint64_t eligible = 0;
  for (int g = 0; g < kRedGroups; ++g) {
    const RedTree& tree = registers_.tree(g);
    if (!groups_[g].notice || !tree.valid) continue;
    if (HasRoom(tree.peers() & live_, RedLane::kS, context_.profile.red_short_cells)) eligible |= Bit(g);
  }
  if (eligible == 0) return std::nullopt;
  const int g = RoundRobin(eligible, notice_first_);
  RedLaunch launch = Begin(RedCandidate::kNotice, g);
  launch.to = registers_.tree(g).peers() & live_;
  return launch;
}

std::optional<RedLaunch> Cfu::Candidate(Cycle now, RedCandidate candidate) const {
  if (candidate == RedCandidate::kShortUp) return ShortUp(now);
  if (candidate == RedCandidate::kShortDown) return ShortDown();
  if (candidate == RedCandidate::kNotice) return Notice();
  const int s = SlotOf(candidate);
  const int group = slots_[s].group;
  if (group < 0 || groups_[group].state != RedState::kActive || !registers_.tree(group).valid) return std::nullopt;
  return GoesDown(candidate) ? Down(s) : Up(s);
}

unsigned Cfu::LanesOf(const RedLaunch& launch) {
  const unsigned fifo = 1u << (kU + static_cast<int>(launch.lane));
  if (launch.is_notice()) return fifo;
  return fifo | 1u << (launch.goes_down() ? kDown : kUp);
}

std::optional<RedLaunch> Cfu::Decide(Cycle now) {
  if (!look_ && now < look_at_ && now < deadline_) return std::nullopt;
  look_ = false;
  look_at_ = kNever;
  unsigned wanted = 0;
  for (int i = 0; i < kRedCandidates; ++i) {
    std::optional<RedLaunch> launch = Candidate(now, static_cast<RedCandidate>((first_ + i) % kRedCandidates));
    if (!launch) continue;
    const unsigned lanes = LanesOf(*launch);
    Cycle free = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      if ((lanes >> lane & 1) != 0) free = std::max(free, next_[lane]);
    }
    if (free <= now && (lanes & wanted) == 0) {
      launch->at = now;
      return launch;
    }
    wanted |= lanes;
    if (free > now) look_at_ = std::min(look_at_, free);
  }
  return std::nullopt;
}

}  // namespace tilefly::golden
