// SPDX-License-Identifier: Apache-2.0
// States of groups and failures (docs/blocks/reduction-trees.md, States, Failure).
#include "golden/reduction/cfu.h"

namespace tilefly::golden {

/// An engine of the group is in use, or a short launch of it has not come to its F before `now`.
bool Cfu::IsInUse(Cycle now, int group) const {
  if (now <= groups_[group].last_brief + context_.profile.red_delay) return true;
  for (int e = 0; e < kRedEngines; ++e) {
    if (engine(group, e).have != 0 || engine(group, e).back) return true;
  }
  return false;
}

bool Cfu::IsSilent(Cycle now, int group) const {
  if (groups_[group].state != RedState::kIdle || now < groups_[group].last_launch + context_.profile.red_home)
    return false;
  if (!registers_.tree(group).valid) return true;
  for (int e = 0; e < kRedEngines; ++e) {
    if (IsReady(now, group, engine(group, e)) || engine(group, e).back) return false;
  }
  return true;
}

/// Something is expected of somebody.
bool Cfu::IsOpenWork(const Slot& slot, const RedTree& tree) const {
  bool some = slot.in_op || (!tree.root && slot.downs != slot.ups);
  ForEachBit(tree.children, [&](int p) { some = some || slot.arrived[p] != slot.ups; });
  return some;
}

void Cfu::JudgeReport(Cycle now, const RedEvent& report, Failures* failures) const {
  const auto is_stranger = [&](int group) { return (registers_.tree(group).peers() & Bit(report.port)) == 0; };
  switch (report.ev) {
    case RedEv::kError:
      failures->Raise(report.group, report.code);
      break;
    case RedEv::kFailed:
      if (groups_[report.group].state != RedState::kIdle || IsInUse(now, report.group)) {
        failures->Raise(report.group, report.code);
      }
      break;
    case RedEv::kSegment: {
      const RedBind& bind = binds_[report.slot];
      if (bind.valid && is_stranger(bind.group)) failures->Raise(bind.group, RedCode::kRole);
      break;
    }
    case RedEv::kShort:
      if (!IsCleared(now, report) && is_stranger(report.group)) failures->RaiseAlone(report.group, RedCode::kRole);
      break;
    default:
      break;
  }
}

/// Deadlines that have come, and links that are down.
void Cfu::JudgeTime(Cycle now, int g, Failures* failures) const {
  const Group& group = groups_[g];
  const RedTree& tree = registers_.tree(g);
  bool waiting = false;
  for (int e = 0; e < kRedEngines; ++e) {
    const Engine& of = engine(g, e);
    if (of.have == 0) continue;
    waiting = true;
    if (!tree.small && tree.timeout != 0 && now >= of.since + tree.timeout) failures->Raise(g, RedCode::kTimeout);
  }
  if (tree.timeout != 0 && group.state == RedState::kLocking && now >= group.since + tree.timeout) {
    failures->Raise(g, RedCode::kTimeout);
  }
  if (tree.timeout != 0 && group.state == RedState::kActive) {
    const Slot& slot = slots_[group.slot];
    if (now >= slot.progress + tree.timeout && IsOpenWork(slot, tree)) failures->Raise(g, RedCode::kTimeout);
  }
  const bool watched = waiting || group.state == RedState::kLocking || group.state == RedState::kActive;
  if (watched && (tree.peers() & ~live_) != 0) failures->Raise(g, RedCode::kLink);
}

void Cfu::FindFailures(Cycle now, const Arrivals& arrivals, Failures* failures) const {
  for (const RedEvent& report : arrivals.reports) JudgeReport(now, report, failures);
  for (int g = 0; g < kRedGroups; ++g) {
    if (groups_[g].state == RedState::kFailing) {
      failures->Forget(g);
    } else {
      JudgeTime(now, g, failures);
    }
  }
}

/// Code of a short operation's packet upwards, and what it makes of the group.
RedCode Cfu::CodeOfUp(const RedLaunch& launch, const RedCollect& word, Turn* turn) const {
  const auto action = static_cast<RedAction>(word.action);
  const Group& group = groups_[launch.group];
  if (word.mismatch) return RedCode::kMismatch;
  if (action != RedAction::kLock && action != RedAction::kUnlock) return static_cast<RedCode>(word.code);
  if (word.code != 0) return static_cast<RedCode>(word.code);
  if (action == RedAction::kLock) {
    const bool free = slots_[0].group < 0 || slots_[1].group < 0;
    if (group.state != RedState::kIdle || launch.small || !free) return RedCode::kBusy;
    *turn = {launch.root ? Turn::kActivate : Turn::kReserve, launch.group,
             static_cast<std::uint8_t>((group.tag + 1) & 15), word.count};
    return RedCode::kOk;
  }
  if (group.state != RedState::kActive) return RedCode::kBusy;
  if (IsOpenWork(slots_[group.slot], registers_.tree(launch.group))) return RedCode::kBusy;
  if (launch.root) *turn = {Turn::kDrain, launch.group, 0, 0};
  return RedCode::kOk;
}

/// F of a launch.
void Cfu::Merge(Merged* merged, Failures* failures, std::vector<Turn>* turns) const {
  const RedLaunch& launch = *merged->launch;
  const RedCollect& word = *merged->word;
  const Group& group = groups_[launch.group];
  const bool failing = group.state == RedState::kFailing;
  merged->tag = launch.tag;
  merged->code = launch.code;
  if (launch.is_notice()) return;
  if (launch.is_stream()) {
    if (word.mismatch && !failing) failures->Raise(launch.group, RedCode::kMismatch);
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
      failures->RaiseAlone(launch.group, RedCode::kUnbound);
    } else if (action == RedAction::kUnlock && word.code == 0 && group.state == RedState::kActive) {
      turn = {Turn::kDrain, launch.group, 0, 0};
    }
  }
  if (turn.kind != Turn::kNone) turns->push_back(turn);
}

/// Groups that have drained or are torn down.
void Cfu::TimeOut(Cycle now, std::vector<Turn>* turns) const {
  for (int g = 0; g < kRedGroups; ++g) {
    const Group& group = groups_[g];
    const bool drained =
        group.state == RedState::kDrain && now >= slots_[group.slot].last_launch + context_.profile.red_home;
    const bool torn =
        group.state == RedState::kFailing && !group.notice && now >= group.last_launch + context_.profile.red_home;
    if (drained || torn) turns->push_back({Turn::kGiveBack, g, 0, 0});
  }
}

void Cfu::Change(Cycle now, const Turn& turn) {
  Group& group = groups_[turn.group];
  switch (turn.kind) {
    case Turn::kNone:
      break;
    case Turn::kReserve:
    case Turn::kActivate:
      if (group.slot < 0) {
        group.slot = slots_[0].group < 0 ? 0 : 1;
        slots_[group.slot].group = static_cast<std::int8_t>(turn.group);
      }
      group.since = now;
      group.state = RedState::kLocking;
      if (turn.kind == Turn::kReserve) break;
      group.state = RedState::kActive;
      group.tag = turn.tag;
      group.left = turn.left;
      group.limited = turn.left != 0;
      BeginLock(now, turn.group);
      break;
    case Turn::kGiveBack:
      if (group.state == RedState::kFailing) {
        commands_.clear = turn.group;
        clears_in_ = now + 1;
        cleared_ = turn.group;
      }
      group.state = RedState::kIdle;
      Free(turn.group);
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
void Cfu::BeginLock(Cycle now, int g) {
  const Group& group = groups_[g];
  Slot& slot = slots_[group.slot];
  slot.progress = now;
  slot.ups = slot.downs = first_segment_;
  slot.arrived.fill(first_segment_);
  slot.credit.fill(first_segment_);
  binds_[group.slot] = {true, static_cast<std::uint8_t>(g), group.tag};
  commands_.bound[group.slot] = true;
}

/// The group has no slot any more.
void Cfu::Free(int g) {
  Group& group = groups_[g];
  if (group.slot < 0) return;
  const Cycle last_launch = slots_[group.slot].last_launch;
  slots_[group.slot] = {};
  slots_[group.slot].last_launch = last_launch;
  if (binds_[group.slot].valid) commands_.unbound[group.slot] = true;
  binds_[group.slot] = {};
  group.slot = -1;
}

void Cfu::Fail(int g, RedCode code) {
  Group& group = groups_[g];
  group.state = RedState::kFailing;
  group.code = code;
  group.notice = true;
  ++group.fails;
  for (int e = 0; e < kRedEngines; ++e) {
    Engine& of = engine(g, e);
    of.have = 0;
    of.back = of.armed = false;
  }
  look_ = true;
}

/// The next cycle in which time alone does something to the group.
Cycle Cfu::DeadlineOf(Cycle now, int g) const {
  const Group& group = groups_[g];
  const RedTree& tree = registers_.tree(g);
  const Cycle quiet = context_.profile.red_home;
  if (group.state == RedState::kFailing) return group.notice ? kNever : std::max(now + 1, group.last_launch + quiet);
  Cycle due = kNever;
  if (group.state == RedState::kDrain) due = std::max(now + 1, slots_[group.slot].last_launch + quiet);
  if (tree.timeout == 0) return due;
  if (group.state == RedState::kLocking) due = std::min(due, group.since + tree.timeout);
  if (group.state == RedState::kActive && IsOpenWork(slots_[group.slot], tree)) {
    due = std::min(due, slots_[group.slot].progress + tree.timeout);
  }
  for (int e = 0; e < kRedEngines; ++e) {
    // Of a small group: the decision of that cycle may launch what is there, and later ones when there is room.
    const Cycle end = engine(g, e).since + tree.timeout;
    if (engine(g, e).have != 0 && end > now) due = std::min(due, end);
  }
  return due;
}

GroupStatus Cfu::Status(int g) const {
  const Group& group = groups_[g];
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
