// SPDX-License-Identifier: Apache-2.0
#include "systemc/reduction/launch_unit.h"

#include <algorithm>

#include "golden/arbiter/round_robin.h"

namespace tilefly::systemc {

using golden::Bit;
using golden::kRedEngines;
using golden::kRedGroups;
using golden::RedTree;

std::optional<Launch> LaunchUnit::Decide(Cycle now) {
  again_ = kNever;
  unsigned claimed = 0;  // lanes that an eligible candidate before waits for
  for (std::size_t i = 0; i < kRedCandidateValues.size(); ++i) {
    std::optional<Launch> launch = Of(now, kRedCandidateValues[(first_ + i) % kRedCandidateValues.size()]);
    if (!launch) continue;
    const unsigned lanes = LanesOf(*launch);
    const Cycle free = WhenFree(lanes);
    if (free <= now && (lanes & claimed) == 0) {
      launch->at = now;
      return launch;
    }
    claimed |= lanes;
    if (free > now) again_ = std::min(again_, free);
  }
  return std::nullopt;
}

void LaunchUnit::Launched(const Launch& launch) {
  first_ = golden::PointerAfter(static_cast<int>(launch.candidate), golden::kRedCandidates);
  const Cycle busy = launch.streams() ? state_.profile.red_stream : state_.profile.red_short;
  golden::ForEachBit(LanesOf(launch), [&](int lane) { free_from_[lane] = launch.at + busy; });
  if (launch.is_notice()) {
    notice_first_ = golden::PointerAfter(launch.group, kRedGroups);
  } else if (!launch.streams()) {
    short_first_[launch.down()] =
        golden::PointerAfter(kRedEngines * launch.group + launch.engine, kRedGroups * kRedEngines);
  }
}

unsigned LaunchUnit::LanesOf(const Launch& launch) {
  const unsigned returns = 1u << (kReturnU + static_cast<int>(launch.lane));
  if (launch.is_notice()) return returns;
  return returns | 1u << (launch.down() ? kCollectDown : kCollectUp);
}

Cycle LaunchUnit::WhenFree(unsigned lanes) const {
  Cycle free = 0;
  golden::ForEachBit(lanes, [&](int lane) { free = std::max(free, free_from_[lane]); });
  return free;
}

std::optional<Launch> LaunchUnit::Of(Cycle now, RedCandidate candidate) const {
  if (candidate == RedCandidate::kShortUp) return ShortUp(now);
  if (candidate == RedCandidate::kShortDown) return ShortDown();
  if (candidate == RedCandidate::kNotice) return Notice();
  const int group = state_.slots[golden::SlotOf(candidate)].group;
  if (group < 0 || state_.groups[group].state != RedState::kActive || !state_.trees.tree(group).valid)
    return std::nullopt;
  return golden::GoesDown(candidate) ? Down(candidate) : Up(candidate);
}

Launch LaunchUnit::Make(RedCandidate candidate, int group) const {
  Launch launch;
  launch.candidate = candidate;
  launch.group = group;
  launch.root = state_.trees.tree(group).root;
  launch.small = state_.trees.tree(group).small;
  launch.tag = state_.groups[group].tag;
  launch.code = state_.groups[group].code;
  return launch;
}

bool LaunchUnit::HasRoom(PortMask ports, ResultLane lane, int cells) const {
  bool all = true;
  golden::ForEachBit(ports, [&](int p) { all = all && state_.room[p][static_cast<int>(lane)] >= cells; });
  return all;
}

bool LaunchUnit::HasCredit(const TreeState::Slot& slot, PortMask nodes, int segment) const {
  bool all = true;
  golden::ForEachBit(nodes, [&](int p) {
    all = all && static_cast<std::uint16_t>(segment - slot.credit[p]) < state_.profile.red_segments;
  });
  return all;
}

std::optional<Launch> LaunchUnit::Up(RedCandidate candidate) const {
  const int number = golden::SlotOf(candidate);
  const TreeState::Slot& slot = state_.slots[number];
  const RedTree& tree = state_.trees.tree(slot.group);
  bool all_came = true;
  golden::ForEachBit(tree.children, [&](int p) { all_came = all_came && slot.arrived[p] != slot.ups; });
  if (!all_came) return std::nullopt;
  Launch launch = Make(candidate, slot.group);
  launch.slot = number;
  launch.segment = slot.ups;
  launch.parts = tree.children;
  if (tree.root) {
    launch.lane = ResultLane::kDown;
    launch.to = state_.IsFinalUp(slot) ? tree.children : state_.MembersOf(slot);
  } else {
    if (!slot.in_operation && slot.downs != slot.ups) return std::nullopt;  // one operation at a time
    launch.lane = ResultLane::kUp;
    launch.to = tree.parent_mask();
  }
  const PortMask nodes = tree.root ? tree.nodes : launch.to;
  if (!HasCredit(slot, nodes, slot.ups) || !HasRoom(launch.to, launch.lane, state_.profile.red_cells))
    return std::nullopt;
  return launch;
}

std::optional<Launch> LaunchUnit::Down(RedCandidate candidate) const {
  const int number = golden::SlotOf(candidate);
  const TreeState::Slot& slot = state_.slots[number];
  const RedTree& tree = state_.trees.tree(slot.group);
  if (tree.root || slot.arrived[tree.parent] == slot.downs) return std::nullopt;
  Launch launch = Make(candidate, slot.group);
  launch.slot = number;
  launch.segment = slot.downs;
  launch.parts = Bit(tree.parent);
  launch.lane = ResultLane::kDown;
  launch.to = state_.IsFinalDown(slot) ? tree.children : slot.members;
  if (!HasCredit(slot, tree.nodes, slot.downs) || !HasRoom(launch.to, launch.lane, state_.profile.red_cells))
    return std::nullopt;
  return launch;
}

/// Whether the engine goes up with what it has.
bool LaunchUnit::IsReady(Cycle now, int group, const TreeState::Engine& engine) const {
  if (engine.have == 0) return false;
  const RedTree& tree = state_.trees.tree(group);
  if (engine.have == tree.children) return true;
  return tree.small && (!engine.armed || (tree.timeout != 0 && now >= engine.since + tree.timeout));
}

std::optional<Launch> LaunchUnit::ShortUp(Cycle now) const {
  const auto to = [&](int g) {
    return state_.trees.tree(g).root ? state_.trees.tree(g).children : state_.trees.tree(g).parent_mask();
  };
  std::uint64_t eligible = 0;
  for (int i = 0; i < kRedGroups * kRedEngines; ++i) {
    const int g = i / kRedEngines;
    if (!IsReady(now, g, state_.engines[i]) || !state_.trees.tree(g).valid) continue;
    if (state_.groups[g].state == RedState::kFailing) continue;
    if (HasRoom(to(g), ResultLane::kShort, state_.profile.red_short_cells)) eligible |= Bit(i);
  }
  if (eligible == 0) return std::nullopt;
  const int i = golden::RoundRobin(eligible, short_first_[0]);
  Launch launch = Make(RedCandidate::kShortUp, i / kRedEngines);
  launch.engine = i % kRedEngines;
  launch.parts = state_.engines[i].have;
  launch.to = to(launch.group);
  return launch;
}

std::optional<Launch> LaunchUnit::ShortDown() const {
  std::uint64_t eligible = 0;
  for (int i = 0; i < kRedGroups * kRedEngines; ++i) {
    const int g = i / kRedEngines;
    const RedTree& tree = state_.trees.tree(g);
    if (!state_.engines[i].back || !tree.has_parent() || state_.groups[g].state == RedState::kFailing) continue;
    if (HasRoom(tree.children, ResultLane::kShort, state_.profile.red_short_cells)) eligible |= Bit(i);
  }
  if (eligible == 0) return std::nullopt;
  const int i = golden::RoundRobin(eligible, short_first_[1]);
  Launch launch = Make(RedCandidate::kShortDown, i / kRedEngines);
  launch.engine = i % kRedEngines;
  launch.parts = Bit(state_.trees.tree(launch.group).parent);
  launch.to = state_.trees.tree(launch.group).children;
  return launch;
}

std::optional<Launch> LaunchUnit::Notice() const {
  const auto to = [&](int g) { return state_.trees.tree(g).peers() & state_.live; };
  std::uint64_t eligible = 0;
  for (int g = 0; g < kRedGroups; ++g) {
    if (!state_.groups[g].notice || !state_.trees.tree(g).valid) continue;
    if (HasRoom(to(g), ResultLane::kShort, state_.profile.red_short_cells)) eligible |= Bit(g);
  }
  if (eligible == 0) return std::nullopt;
  Launch launch = Make(RedCandidate::kNotice, golden::RoundRobin(eligible, notice_first_));
  launch.to = to(launch.group);
  return launch;
}

}  // namespace tilefly::systemc
