// SPDX-License-Identifier: Apache-2.0
// Which launch goes next (docs/blocks/reduction.md, CFU: launches; reduction-trees.md, Short operations).
#include "golden/reduction/launch_path.h"

#include <algorithm>

#include "golden/arbiter/round_robin.h"

namespace tilefly::golden {

RedLaunch LaunchPath::Begin(RedCandidate candidate, int group) const {
  RedLaunch launch;
  launch.candidate = candidate;
  launch.group = static_cast<std::uint8_t>(group);
  launch.root = registers_.tree(group).root;
  launch.small = registers_.tree(group).small;
  launch.tag = groups_[group].tag;
  launch.code = groups_[group].code;
  return launch;
}

std::optional<RedLaunch> LaunchPath::Up(int s) const {
  const TreeSlot& slot = slots_[s];
  const RedTree& tree = registers_.tree(slot.group);
  if (!slots_.HasAll(s)) return std::nullopt;
  RedLaunch launch = Begin(s == 0 ? RedCandidate::kUp0 : RedCandidate::kUp1, slot.group);
  launch.slot = static_cast<std::uint8_t>(s);
  launch.segment = slot.ups;
  launch.parts = tree.children;
  if (tree.root) {
    launch.lane = RedLane::kD;
    launch.to = slots_.IsFinalUp(s) ? tree.children : slots_.Members(s);
    if (!slots_.HasCredit(s, tree.nodes, slot.ups)) return std::nullopt;
  } else {
    launch.lane = RedLane::kU;
    launch.to = tree.parent_mask();
    if (!slot.in_op && slot.downs != slot.ups) return std::nullopt;
    if (!slots_.HasCredit(s, launch.to, slot.ups)) return std::nullopt;
  }
  if (!room_.HasRoom(launch.to, launch.lane, profile_.red_cells)) return std::nullopt;
  return launch;
}

std::optional<RedLaunch> LaunchPath::Down(int s) const {
  const TreeSlot& slot = slots_[s];
  const RedTree& tree = registers_.tree(slot.group);
  if (tree.root || slot.arrived[tree.parent] == slot.downs) return std::nullopt;
  RedLaunch launch = Begin(s == 0 ? RedCandidate::kDown0 : RedCandidate::kDown1, slot.group);
  launch.slot = static_cast<std::uint8_t>(s);
  launch.segment = slot.downs;
  launch.parts = Bit(tree.parent);
  launch.lane = RedLane::kD;
  launch.to = slots_.IsFinalDown(s) ? tree.children : slot.members;
  if (!room_.HasRoom(launch.to, launch.lane, profile_.red_cells)) return std::nullopt;
  if (!slots_.HasCredit(s, tree.nodes, slot.downs)) return std::nullopt;
  return launch;
}

std::optional<RedLaunch> LaunchPath::ShortUp(Cycle now) const {
  std::uint64_t eligible = 0;
  for (int i = 0; i < RedEngines::kCount; ++i) {
    const int g = i / kRedEngines;
    const RedTree& tree = registers_.tree(g);
    if (!tree.valid || groups_[g].state == RedState::kFailing || !engines_.IsReady(now, i)) continue;
    const PortMask to = tree.root ? tree.children : tree.parent_mask();
    if (room_.HasRoom(to, RedLane::kS, profile_.red_short_cells)) eligible |= Bit(i);
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

std::optional<RedLaunch> LaunchPath::ShortDown() const {
  std::uint64_t eligible = 0;
  for (int i = 0; i < RedEngines::kCount; ++i) {
    const int g = i / kRedEngines;
    const RedTree& tree = registers_.tree(g);
    if (!engines_[i].back || !tree.has_parent() || groups_[g].state == RedState::kFailing) continue;
    if (room_.HasRoom(tree.children, RedLane::kS, profile_.red_short_cells)) eligible |= Bit(i);
  }
  if (eligible == 0) return std::nullopt;
  const int i = RoundRobin(eligible, short_first_[1]);
  RedLaunch launch = Begin(RedCandidate::kShortDown, i / kRedEngines);
  launch.engine = static_cast<std::uint8_t>(i % kRedEngines);
  launch.parts = Bit(registers_.tree(launch.group).parent);
  launch.to = registers_.tree(launch.group).children;
  return launch;
}

std::optional<RedLaunch> LaunchPath::Notice(PortMask live) const {
  std::uint64_t eligible = 0;
  for (int g = 0; g < kRedGroups; ++g) {
    const RedTree& tree = registers_.tree(g);
    if (!groups_[g].notice || !tree.valid) continue;
    if (room_.HasRoom(tree.peers() & live, RedLane::kS, profile_.red_short_cells)) eligible |= Bit(g);
  }
  if (eligible == 0) return std::nullopt;
  const int g = RoundRobin(eligible, notice_first_);
  RedLaunch launch = Begin(RedCandidate::kNotice, g);
  launch.to = registers_.tree(g).peers() & live;
  return launch;
}

std::optional<RedLaunch> LaunchPath::Candidate(Cycle now, PortMask live, RedCandidate candidate) const {
  if (candidate == RedCandidate::kShortUp) return ShortUp(now);
  if (candidate == RedCandidate::kShortDown) return ShortDown();
  if (candidate == RedCandidate::kNotice) return Notice(live);
  const int s = SlotOf(candidate);
  const int group = slots_[s].group;
  if (group < 0 || groups_[group].state != RedState::kActive || !registers_.tree(group).valid) return std::nullopt;
  return GoesDown(candidate) ? Down(s) : Up(s);
}

unsigned LaunchPath::LanesOf(const RedLaunch& launch) {
  const unsigned fifo = 1u << (kU + static_cast<int>(launch.lane));
  if (launch.is_notice()) return fifo;
  return fifo | 1u << (launch.goes_down() ? kDown : kUp);
}

std::optional<RedLaunch> LaunchPath::Choose(Cycle now, PortMask live, Cycle* look_at) const {
  *look_at = kNever;
  unsigned wanted = 0;
  for (int i = 0; i < kRedCandidates; ++i) {
    const auto candidate = static_cast<RedCandidate>((first_ + i) % kRedCandidates);
    std::optional<RedLaunch> launch = Candidate(now, live, candidate);
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
    if (free > now) *look_at = std::min(*look_at, free);
  }
  return std::nullopt;
}

void LaunchPath::Launched(Cycle now, const RedLaunch& launch) {
  const bool stream = launch.is_stream();
  first_ = PointerAfter(static_cast<int>(launch.candidate), kRedCandidates);
  const Cycle busy = stream ? profile_.red_stream : profile_.red_short;
  const unsigned lanes = LanesOf(launch);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) != 0) next_[lane] = now + busy;
  }
  if (launch.is_notice()) {
    notice_first_ = PointerAfter(launch.group, kRedGroups);
  } else if (!stream) {
    short_first_[launch.goes_down()] = PointerAfter(launch.index(), RedEngines::kCount);
  }
}

}  // namespace tilefly::golden
