// SPDX-License-Identifier: Apache-2.0
#include "systemc/reduction/group_failures.h"

namespace tilefly::systemc {

using golden::kRedEngines;
using golden::RedTree;

bool GroupFailures::IsInUse(Cycle now, int group) const {
  bool used = now <= state_.groups[group].last_short + state_.profile.red_delay;
  for (int e = 0; e < kRedEngines; ++e)
    used = used || state_.engine(group, e).have != 0 || state_.engine(group, e).back;
  return used;
}

void GroupFailures::JudgeReport(Cycle now, const Report& report, bool cleared, Causes* causes) const {
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
    if (cleared || !IsStranger(report.group, report.port)) return;
    Causes::Raise(&causes->alone[report.group], RedCode::kRole);
  }
}

void GroupFailures::JudgeTime(Cycle now, int g, Causes* causes) const {
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

void GroupFailures::Fail(int g, RedCode code) {
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

}  // namespace tilefly::systemc
