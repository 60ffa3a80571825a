// SPDX-License-Identifier: Apache-2.0
// States of groups and failures (docs/blocks/reduction-trees.md, States, Failure).
#include "golden/reduction/red_groups.h"

#include <algorithm>

namespace tilefly::golden {

/// An engine of the group is in use, or a short launch of it has not come to its F before `now`.
bool RedGroups::IsInUse(Cycle now, int group) const {
  if (now <= groups_[group].last_brief + profile_.red_delay) return true;
  return engines_.IsInUse(group);
}

bool RedGroups::IsSilent(Cycle now, int group) const {
  if (groups_[group].state != RedState::kIdle || now < groups_[group].last_launch + profile_.red_home) return false;
  return !registers_.tree(group).valid || engines_.IsSilent(now, group);
}

void RedGroups::JudgeReport(Cycle now, const RedEvent& report, RedCauses* causes) const {
  const auto is_stranger = [&](int group) { return (registers_.tree(group).peers() & Bit(report.port)) == 0; };
  switch (report.ev) {
    case RedEv::kError:
      causes->Raise(report.group, report.code);
      break;
    case RedEv::kFailed:
      if (groups_[report.group].state != RedState::kIdle || IsInUse(now, report.group)) {
        causes->Raise(report.group, report.code);
      }
      break;
    case RedEv::kSegment: {
      const RedBind& bind = binds_[report.slot];
      if (bind.valid && is_stranger(bind.group)) causes->Raise(bind.group, RedCode::kRole);
      break;
    }
    case RedEv::kShort:
      if (is_stranger(report.group)) causes->RaiseAlone(report.group, RedCode::kRole);
      break;
    default:
      break;
  }
}

void RedGroups::JudgeTime(Cycle now, int g, PortMask live, RedCauses* causes) const {
  const RedGroup& group = groups_[g];
  const RedTree& tree = registers_.tree(g);
  const bool waiting = engines_.IsWaiting(g);
  if (waiting && engines_.IsOverdue(now, g)) causes->Raise(g, RedCode::kTimeout);
  if (tree.timeout != 0 && group.state == RedState::kLocking && now >= group.since + tree.timeout) {
    causes->Raise(g, RedCode::kTimeout);
  }
  if (tree.timeout != 0 && group.state == RedState::kActive) {
    const TreeSlot& slot = slots_[group.slot];
    if (now >= slot.progress + tree.timeout && slots_.IsOpenWork(group.slot)) causes->Raise(g, RedCode::kTimeout);
  }
  const bool watched = waiting || group.state == RedState::kLocking || group.state == RedState::kActive;
  if (watched && (tree.peers() & ~live) != 0) causes->Raise(g, RedCode::kLink);
}

void RedGroups::JudgeTime(Cycle now, PortMask live, RedCauses* causes) const {
  for (int g = 0; g < kRedGroups; ++g) {
    if (groups_[g].state == RedState::kFailing) {
      causes->Forget(g);
    } else {
      JudgeTime(now, g, live, causes);
    }
  }
}

/// Code of a short operation's packet upwards, and what it makes of the group.
RedCode RedGroups::CodeOfUp(const RedLaunch& launch, const RedCollect& word, Turn* turn) const {
  const auto action = static_cast<RedAction>(word.action);
  const RedGroup& group = groups_[launch.group];
  if (word.mismatch) return RedCode::kMismatch;
  if (action != RedAction::kLock && action != RedAction::kUnlock) return static_cast<RedCode>(word.code);
  if (word.code != 0) return static_cast<RedCode>(word.code);
  if (action == RedAction::kLock) {
    if (group.state != RedState::kIdle || launch.small || !slots_.HasFree()) return RedCode::kBusy;
    *turn = {launch.root ? Turn::kActivate : Turn::kReserve, launch.group,
             static_cast<std::uint8_t>((group.tag + 1) & 15), word.count};
    return RedCode::kOk;
  }
  if (group.state != RedState::kActive) return RedCode::kBusy;
  if (slots_.IsOpenWork(group.slot)) return RedCode::kBusy;
  if (launch.root) *turn = {Turn::kDrain, launch.group, 0, 0};
  return RedCode::kOk;
}

void RedGroups::Merge(Merged* merged, RedCauses* causes, std::vector<Turn>* turns) const {
  const RedLaunch& launch = *merged->launch;
  const RedCollect& word = *merged->word;
  const RedGroup& group = groups_[launch.group];
  const bool failing = group.state == RedState::kFailing;
  merged->tag = launch.tag;
  merged->code = launch.code;
  if (launch.is_notice()) return;
  if (launch.is_stream()) {
    if (word.mismatch && !failing) causes->Raise(launch.group, RedCode::kMismatch);
    return;
  }
  Turn turn;
  if (launch.candidate == RedCandidate::kShortUp) {
    merged->code = CodeOfUp(launch, word, &turn);
    merged->tag = !launch.root ? std::uint8_t{0} : turn.kind == Turn::kActivate ? turn.tag : group.tag;
  } else {
    merged->code = static_cast<RedCode>(word.code);
    merged->tag = word.tag;
    const auto action = static_cast<RedAction>(word.action);
    if (action == RedAction::kLock && group.state == RedState::kLocking) {
      turn = {word.code == 0 ? Turn::kActivate : Turn::kGiveBack, launch.group, word.tag, word.count};
    } else if (action == RedAction::kLock && word.code == 0 && !failing) {
      causes->RaiseAlone(launch.group, RedCode::kUnbound);
    } else if (action == RedAction::kUnlock && word.code == 0 && group.state == RedState::kActive) {
      turn = {Turn::kDrain, launch.group, 0, 0};
    }
  }
  if (turn.kind != Turn::kNone) turns->push_back(turn);
}

void RedGroups::TimeOut(Cycle now, std::vector<Turn>* turns) const {
  for (int g = 0; g < kRedGroups; ++g) {
    const RedGroup& group = groups_[g];
    const bool drained = group.state == RedState::kDrain && now >= slots_[group.slot].last_launch + profile_.red_home;
    const bool torn =
        group.state == RedState::kFailing && !group.notice && now >= group.last_launch + profile_.red_home;
    if (drained || torn) turns->push_back({Turn::kGiveBack, g, 0, 0});
  }
}

void RedGroups::Change(Cycle now, const Turn& turn, Commands* commands) {
  RedGroup& group = groups_[turn.group];
  switch (turn.kind) {
    case Turn::kNone:
      break;
    case Turn::kReserve:
    case Turn::kActivate:
      if (group.slot < 0) {
        group.slot = slots_[0].group < 0 ? 0 : 1;
        slots_.Take(group.slot, turn.group);
      }
      group.since = now;
      group.state = RedState::kLocking;
      if (turn.kind == Turn::kReserve) break;
      group.state = RedState::kActive;
      group.tag = turn.tag;
      group.left = turn.left;
      group.limited = turn.left != 0;
      BeginLock(now, turn.group, commands);
      break;
    case Turn::kGiveBack:
      if (group.state == RedState::kFailing) commands->clear = turn.group;
      group.state = RedState::kIdle;
      Free(turn.group, commands);
      break;
    case Turn::kDrain:
      group.state = RedState::kDrain;
      break;
    case Turn::kOperation:
      if (group.limited && --group.left == 0) group.state = RedState::kDrain;
      break;
  }
}

/// The group's slot is bound.
void RedGroups::BeginLock(Cycle now, int g, Commands* commands) {
  const RedGroup& group = groups_[g];
  slots_.Bind(now, group.slot);
  binds_[group.slot] = {true, static_cast<std::uint8_t>(g), group.tag};
  commands->bound[group.slot] = true;
}

/// The group has no slot any more.
void RedGroups::Free(int g, Commands* commands) {
  RedGroup& group = groups_[g];
  if (group.slot < 0) return;
  slots_.Free(group.slot);
  if (binds_[group.slot].valid) commands->unbound[group.slot] = true;
  binds_[group.slot] = {};
  group.slot = -1;
}

void RedGroups::Fail(int g, RedCode code) {
  RedGroup& group = groups_[g];
  group.state = RedState::kFailing;
  group.code = code;
  group.notice = true;
  ++group.fails;
}

void RedGroups::Launched(Cycle now, const RedLaunch& launch) {
  RedGroup& group = groups_[launch.group];
  group.last_launch = now;
  if (launch.is_notice()) group.notice = false;
  if (launch.is_brief()) group.last_brief = now;
}

Cycle RedGroups::DeadlineOf(Cycle now, int g) const {
  const RedGroup& group = groups_[g];
  const Cycle timeout = registers_.tree(g).timeout;
  const Cycle quiet = profile_.red_home;
  if (group.state == RedState::kFailing) return group.notice ? kNever : std::max(now + 1, group.last_launch + quiet);
  Cycle due = kNever;
  if (group.state == RedState::kDrain) due = std::max(now + 1, slots_[group.slot].last_launch + quiet);
  if (timeout == 0) return due;
  if (group.state == RedState::kLocking) due = std::min(due, group.since + timeout);
  if (group.state == RedState::kActive && slots_.IsOpenWork(group.slot)) {
    due = std::min(due, slots_[group.slot].progress + timeout);
  }
  return std::min(due, engines_.DeadlineOf(now, g));
}

GroupStatus RedGroups::Status(int g) const {
  const RedGroup& group = groups_[g];
  GroupStatus status;
  status.state = static_cast<std::uint8_t>(group.state);
  status.slot = group.slot > 0;
  status.tag = static_cast<std::uint8_t>(group.tag);
  status.code = static_cast<std::uint8_t>(group.code);
  status.left = static_cast<std::uint16_t>(group.left);
  status.failures = static_cast<std::uint32_t>(group.fails);
  return status;
}

}  // namespace tilefly::golden
