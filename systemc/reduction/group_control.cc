// SPDX-License-Identifier: Apache-2.0
#include "systemc/reduction/group_control.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace tilefly::systemc {

using golden::Bit;
using golden::kRedEngines;
using golden::kRedGroups;
using golden::RedTree;

/// All is judged as the cycle before left it, before anything changes.
GroupControl::Commands GroupControl::Commit(Cycle now, const Events& events) {
  commands_ = {};
  Causes causes;
  for (const Report& report : events.reports) failures_.JudgeReport(now, report, IsCleared(now, report), &causes);
  for (int g = 0; g < kRedGroups; ++g) {
    if (state_.IsFailing(g)) {
      causes.causes[g] = causes.alone[g] = std::nullopt;
    } else {
      failures_.JudgeTime(now, g, &causes);
    }
  }
  std::vector<Turn> turns;
  if (events.landing != nullptr) Land(events.landing, &causes, &turns);
  EndQuiet(now, &turns);
  if (events.launch != nullptr) Begin(*events.launch, &turns);
  if (events.landing != nullptr && events.landing->launch->candidate == RedCandidate::kShortDown &&
      events.landing->word->arm) {
    const Launch& launch = *events.landing->launch;
    state_.engine(launch.group, launch.engine).armed = !state_.IsFailing(launch.group);
  }
  for (const Report& report : events.reports) Hear(now, report);
  for (const Room& room : events.rooms) {
    std::int16_t& cells = state_.room[room.port][static_cast<int>(room.lane)];
    cells = static_cast<std::int16_t>(cells + room.cells);
  }
  for (const Turn& turn : turns) {
    if (!causes.of(turn.group)) Change(now, turn);
  }
  unsettled_ = events.launch != nullptr || events.landing != nullptr || !events.reports.empty() || !turns.empty();
  for (int g = 0; g < kRedGroups; ++g) {
    if (!causes.of(g)) continue;
    failures_.Fail(g, *causes.of(g));
    unsettled_ = true;
  }
  deadline_ = kNever;
  for (int g = 0; g < kRedGroups; ++g) deadline_ = std::min(deadline_, DeadlineOf(now, g));
  return commands_;
}

void GroupControl::Forget(int group) {
  for (int e = 0; e < kRedEngines; ++e) state_.engine(group, e) = {};
  state_.groups[group].tag = 0;
  unsettled_ = true;
}

void GroupControl::AddRoom(const Launch& launch, int cells) {
  golden::ForEachBit(launch.to, [&](int p) {
    std::int16_t& room = state_.room[p][static_cast<int>(launch.lane)];
    room = static_cast<std::int16_t>(room + cells);
  });
}

/// A launch begins.
void GroupControl::Begin(const Launch& launch, std::vector<Turn>* turns) {
  TreeState::Group& group = state_.groups[launch.group];
  AddRoom(launch, -(launch.streams() ? state_.profile.red_cells : state_.profile.red_short_cells));
  group.last_launch = launch.at;
  if (launch.is_notice()) {
    group.notice = false;
    return;
  }
  if (!launch.streams()) {
    group.last_short = launch.at;
    TreeState::Engine& engine = state_.engine(launch.group, launch.engine);
    if (launch.down()) {
      engine.back = false;
    } else {
      engine.have = 0;
      engine.armed = false;
    }
    return;
  }
  TreeState::Slot& slot = state_.slots[launch.slot];
  slot.last_launch = slot.progress = launch.at;
  const bool final = launch.down() ? state_.IsFinalDown(slot) : state_.IsFinalUp(slot);
  if (launch.down()) {
    ++slot.downs;
  } else {
    slot.members = state_.MembersOf(slot);
    slot.in_operation = !final;
    ++slot.ups;
  }
  if (final && (launch.down() || launch.root)) turns->push_back({Turn::kOperation, launch.group, 0, 0});
}

void GroupControl::Hear(Cycle now, const Report& report) {
  if (report.ev == RedEv::kSegment) {
    if (!state_.bindings[report.slot].valid) return;
    TreeState::Slot& slot = state_.slots[report.slot];
    const std::uint16_t bit = state_.BitOf(slot.arrived[report.port]++);
    const auto put = [&](std::uint16_t* flags, bool value) {
      *flags = static_cast<std::uint16_t>(value ? *flags | bit : *flags & ~bit);
    };
    put(&slot.wants[report.port], report.wants);
    put(&slot.ends[report.port], report.ends);
    slot.progress = now;
  } else if (report.ev == RedEv::kCredit) {
    if (!state_.bindings[report.slot].valid) return;
    std::uint16_t& credit = state_.slots[report.slot].credit[report.port];
    credit = static_cast<std::uint16_t>(credit + ((report.credit - credit) & 0xFF));
  } else if (report.ev == RedEv::kShort) {
    if (state_.IsFailing(report.group) || IsCleared(now, report)) return;
    const RedTree& tree = state_.trees.tree(report.group);
    TreeState::Engine& engine = state_.engine(report.group, report.engine);
    if ((tree.parent_mask() & Bit(report.port)) != 0) {
      engine.back = true;
    } else if ((tree.children & Bit(report.port)) != 0) {
      if (engine.have == 0) engine.since = now;
      engine.have |= Bit(report.port);
    }
  }
}

/// Code of a short operation's packet upwards, and what it makes of its group.
RedCode GroupControl::CodeOfUp(const Launch& launch, const RedCollect& word, Turn* turn) const {
  if (word.mismatch) return RedCode::kMismatch;
  const auto action = static_cast<RedAction>(word.action);
  if (word.code != 0 || (action != RedAction::kLock && action != RedAction::kUnlock))
    return static_cast<RedCode>(word.code);
  const TreeState::Group& group = state_.groups[launch.group];
  if (action == RedAction::kLock) {
    const bool some_free =
        std::any_of(state_.slots.begin(), state_.slots.end(), [](const auto& slot) { return slot.group < 0; });
    if (group.state != RedState::kIdle || launch.small || !some_free) return RedCode::kBusy;
    *turn = {launch.root ? Turn::kActivate : Turn::kReserve, launch.group,
             static_cast<std::uint8_t>((group.tag + 1) & 15), word.count};
    return RedCode::kOk;
  }
  if (group.state != RedState::kActive || state_.IsOpenWork(state_.slots[group.slot])) return RedCode::kBusy;
  if (launch.root) *turn = {Turn::kDrain, launch.group, 0, 0};
  return RedCode::kOk;
}

void GroupControl::Land(Landing* landing, Causes* causes, std::vector<Turn>* turns) const {
  const Launch& launch = *landing->launch;
  const RedCollect& word = *landing->word;
  const TreeState::Group& group = state_.groups[launch.group];
  landing->tag = launch.tag;
  landing->code = launch.code;
  if (launch.is_notice()) return;
  if (launch.streams()) {
    if (word.mismatch && !state_.IsFailing(launch.group)) Causes::Raise(&causes->causes[launch.group], RedCode::kMismatch);
    return;
  }
  Turn turn;
  if (launch.candidate == RedCandidate::kShortUp) {
    landing->code = CodeOfUp(launch, word, &turn);
    landing->tag = !launch.root ? std::uint8_t{0} : turn.kind == Turn::kActivate ? turn.tag : group.tag;
  } else {
    landing->code = static_cast<RedCode>(word.code);
    landing->tag = word.tag;
    const auto action = static_cast<RedAction>(word.action);
    if (action == RedAction::kLock && group.state == RedState::kLocking) {
      turn = {word.code == 0 ? Turn::kActivate : Turn::kGiveBack, launch.group, word.tag, word.count};
    } else if (action == RedAction::kLock && word.code == 0 && !state_.IsFailing(launch.group)) {
      Causes::Raise(&causes->alone[launch.group], RedCode::kUnbound);
    } else if (action == RedAction::kUnlock && word.code == 0 && group.state == RedState::kActive) {
      turn = {Turn::kDrain, launch.group, 0, 0};
    }
  }
  if (turn.kind != Turn::kNone) turns->push_back(turn);
}

void GroupControl::Change(Cycle now, const Turn& turn) {
  TreeState::Group& group = state_.groups[turn.group];
  if (turn.kind == Turn::kGiveBack) {
    if (group.state == RedState::kFailing) {
      commands_.clear = cleared_ = turn.group;
      cleared_in_ = now + 1;
    }
    group.state = RedState::kIdle;
    Free(turn.group);
  } else if (turn.kind == Turn::kDrain) {
    group.state = RedState::kDrain;
  } else if (turn.kind == Turn::kOperation) {
    if (group.limited && --group.left == 0) group.state = RedState::kDrain;
  } else {
    if (group.slot < 0) {
      group.slot = state_.slots[0].group < 0 ? 0 : 1;
      state_.slots[group.slot].group = turn.group;
    }
    group.since = now;
    group.state = RedState::kLocking;
    if (turn.kind == Turn::kReserve) return;
    group.state = RedState::kActive;
    group.tag = turn.tag;
    group.left = turn.left;
    group.limited = turn.left != 0;
    state_.slots[group.slot].progress = now;
    state_.bindings[group.slot] = {true, static_cast<std::uint8_t>(turn.group), turn.tag};
    commands_.bound[group.slot] = true;
  }
}

/// Groups that have drained or are torn down.
void GroupControl::EndQuiet(Cycle now, std::vector<Turn>* turns) const {
  for (int g = 0; g < kRedGroups; ++g) {
    const TreeState::Group& group = state_.groups[g];
    const Cycle home = state_.profile.red_home;
    const bool drained = group.state == RedState::kDrain && now >= state_.slots[group.slot].last_launch + home;
    const bool torn = state_.IsFailing(g) && !group.notice && now >= group.last_launch + home;
    if (drained || torn) turns->push_back({Turn::kGiveBack, g, 0, 0});
  }
}

/// The group has no slot any more.
void GroupControl::Free(int g) {
  const int number = std::exchange(state_.groups[g].slot, -1);
  if (number < 0) return;
  TreeState::Slot& slot = state_.slots[number];
  const Cycle last_launch = slot.last_launch;
  slot = {};
  slot.last_launch = last_launch;
  if (state_.bindings[number].valid) commands_.unbound[number] = true;
  state_.bindings[number] = {};
}

/// The next cycle in which time alone does something to the group.
Cycle GroupControl::DeadlineOf(Cycle now, int g) const {
  const TreeState::Group& group = state_.groups[g];
  const Cycle timeout = state_.trees.tree(g).timeout;
  const Cycle home = state_.profile.red_home;
  if (state_.IsFailing(g)) return group.notice ? kNever : std::max(now + 1, group.last_launch + home);
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
