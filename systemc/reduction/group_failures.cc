// SPDX-License-Identifier: Apache-2.0
// Why groups fail, what a failure does, and what time alone does (docs/blocks/reduction-trees.md, Failure).
#include <algorithm>

#include "systemc/reduction/group_control.h"

namespace tilefly::systemc {

using golden::kRedEngines;
using golden::RedTree;

/// An engine of the group is in use, or a short launch of it is on the lanes.
bool GroupControl::IsInUse(Cycle now, int group) const {
  bool used = now <= state_.groups[group].last_short + state_.profile.red_delay;
  for (int e = 0; e < kRedEngines; ++e)
    used = used || state_.engine(group, e).have != 0 || state_.engine(group, e).back;
  return used;
}

void GroupControl::JudgeReport(Cycle now, const Report& report, Causes* causes) const {
  if (report.ev == RedEv::kError) {
    Causes::Raise(&causes->causes[report.group], report.code);
  } else if (report.ev == RedEv::kFailed) {
    if (state_.groups[report.group].state == RedState::kIdle && !IsInUse(now, report.group)) return;
    Causes::Raise(&causes->causes[report.group], report.code);
  } else if (report.ev == RedEv::kSegment) {
    const Binding& bound = state_.bindings[report.slot];
    if (bound.valid && IsStranger(bound.group, report.port))
      Causes::Raise(&causes->causes[bound.group], RedCode::kRole);
  } else if (report.ev == RedEv::kShort) {
    if (IsCleared(now, report) || !IsStranger(report.group, report.port)) return;
    Causes::Raise(&causes->alone[report.group], RedCode::kRole);
  }
}

/// Deadlines that have come, and ports that do not work.
void GroupControl::JudgeTime(Cycle now, int g, Causes* causes) const {
  const TreeState::Group& group = state_.groups[g];
  const RedTree& tree = state_.trees.tree(g);
  bool in_use = group.state == RedState::kLocking || group.state == RedState::kActive;
  bool late = false;
  for (int e = 0; e < kRedEngines; ++e) {
    const TreeState::Engine& engine = state_.engine(g, e);
    if (engine.have == 0) continue;
    in_use = true;
    late = late || (!tree.small && now >= engine.since + tree.timeout);
  }
  if (group.state == RedState::kLocking) late = late || now >= group.since + tree.timeout;
  if (group.state == RedState::kActive) {
    const TreeState::Slot& slot = state_.slots[group.slot];
    late = late || (now >= slot.progress + tree.timeout && state_.IsOpenWork(slot));
  }
  if (late && tree.timeout != 0) Causes::Raise(&causes->causes[g], RedCode::kTimeout);
  if (in_use && (tree.peers() & ~state_.live) != 0) Causes::Raise(&causes->causes[g], RedCode::kLink);
}

/// Groups that have drained or are torn down.
void GroupControl::EndQuiet(Cycle now, std::vector<Turn>* turns) const {
  for (int g = 0; g < golden::kRedGroups; ++g) {
    const TreeState::Group& group = state_.groups[g];
    const Cycle home = state_.profile.red_home;
    const bool drained = group.state == RedState::kDrain && now >= state_.slots[group.slot].last_launch + home;
    const bool torn = IsFailing(g) && !group.notice && now >= group.last_launch + home;
    if (drained || torn) turns->push_back({Turn::kGiveBack, g, 0, 0});
  }
}

void GroupControl::Fail(int g, RedCode code) {
  TreeState::Group& group = state_.groups[g];
  group.state = RedState::kFailing;
  group.code = code;
  group.notice = true;
  ++group.fails;
  for (int e = 0; e < kRedEngines; ++e) {
    TreeState::Engine& engine = state_.engine(g, e);
    engine.have = 0;
    engine.back = engine.armed = false;
  }
}

/// The next cycle in which time alone does something to the group.
Cycle GroupControl::DeadlineOf(Cycle now, int g) const {
  const TreeState::Group& group = state_.groups[g];
  const Cycle timeout = state_.trees.tree(g).timeout;
  const Cycle home = state_.profile.red_home;
  if (IsFailing(g)) return group.notice ? kNever : std::max(now + 1, group.last_launch + home);
  Cycle due = kNever;
  if (group.state == RedState::kDrain) due = std::max(now + 1, state_.slots[group.slot].last_launch + home);
  if (timeout == 0) return due;
  if (group.state == RedState::kLocking) due = std::min(due, group.since + timeout);
  if (group.state == RedState::kActive && state_.IsOpenWork(state_.slots[group.slot])) {
    due = std::min(due, state_.slots[group.slot].progress + timeout);
  }
  for (int e = 0; e < kRedEngines; ++e) {
    const TreeState::Engine& engine = state_.engine(g, e);
    if (engine.have != 0 && engine.since + timeout > now) due = std::min(due, engine.since + timeout);
  }
  return due;
}

}  // namespace tilefly::systemc
