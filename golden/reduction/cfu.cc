// SPDX-License-Identifier: Apache-2.0
// The CFU's cycle: decision, events, and when the next one is due.
#include "golden/reduction/cfu.h"

namespace tilefly::golden {

Cfu::Cfu(const Context& context, const RedRegisters& registers)
    : profile_(context.profile),
      registers_(registers),
      slots_(context.profile, registers),
      engines_(registers),
      room_(context.profile),
      groups_(context.profile, registers, engines_, &slots_, &binds_),
      path_(context.profile, registers, slots_, groups_, engines_, room_) {}

std::optional<RedLaunch> Cfu::Decide(Cycle now) {
  if (!look_ && now < look_at_ && now < deadline_) return std::nullopt;
  look_ = false;
  return path_.Choose(now, live_, &look_at_);
}

const Cfu::Commands& Cfu::Commit(Cycle now, const std::optional<RedLaunch>& launch, const Arrivals& arrivals,
                                 Merged* merged) {
  commands_ = {};
  const bool told = launch || merged->launch != nullptr || !arrivals.reports.empty();
  if (!told && arrivals.rooms.empty() && !unsettled_ && now < deadline_) return commands_;
  // What is read is as committed in the cycle before, so all is judged before anything changes.
  RedCauses causes = Judge(now, arrivals);
  std::vector<RedGroups::Turn> turns;
  if (merged->launch != nullptr) groups_.Merge(merged, &causes, &turns);
  groups_.TimeOut(now, &turns);
  if (launch) Launched(now, *launch, &turns);
  if (merged->launch != nullptr && merged->launch->candidate == RedCandidate::kShortDown && merged->word->arm) {
    const int group = merged->launch->group;
    engines_.Arm(group, merged->launch->engine, groups_[group].state != RedState::kFailing);
  }
  for (const RedEvent& report : arrivals.reports) {
    if (!IsCleared(now, report)) Report(now, report);
  }
  for (const RedRoom& room : arrivals.rooms) room_.Add(room.port, room.lane, room.cells);
  for (const RedGroups::Turn& turn : turns) {
    if (causes.code(turn.group) == RedCauses::kNone) groups_.Change(now, turn, &commands_);
  }
  if (commands_.clear >= 0) {
    clears_in_ = now + 1;
    cleared_ = commands_.clear;
  }
  const bool failed = FailGroups(causes);
  unsettled_ = told || failed || !turns.empty();
  look_ = look_ || unsettled_ || !arrivals.rooms.empty();
  deadline_ = kNever;
  for (int g = 0; g < kRedGroups; ++g) deadline_ = std::min(deadline_, groups_.DeadlineOf(now, g));
  return commands_;
}

void Cfu::ReturnRoom(const RedLaunch& launch, int cells) {
  ForEachBit(launch.to, [&](int p) { room_.Add(p, launch.lane, cells); });
}

/// Why groups fail, but for what a launch brings.
RedCauses Cfu::Judge(Cycle now, const Arrivals& arrivals) const {
  RedCauses causes;
  for (const RedEvent& report : arrivals.reports) {
    if (!IsCleared(now, report)) groups_.JudgeReport(now, report, &causes);
  }
  groups_.JudgeTime(now, live_, &causes);
  return causes;
}

/// The launch of cycle `now`.
void Cfu::Launched(Cycle now, const RedLaunch& launch, std::vector<RedGroups::Turn>* turns) {
  path_.Launched(now, launch);
  ReturnRoom(launch, -(launch.is_stream() ? profile_.red_cells : profile_.red_short_cells));
  groups_.Launched(now, launch);
  if (launch.is_brief()) engines_.Launched(launch);
  if (!launch.is_stream()) return;
  const bool final = slots_.Launched(now, launch);
  if (final && (launch.goes_down() || launch.root)) {
    turns->push_back({RedGroups::Turn::kOperation, launch.group, 0, 0});
  }
}

void Cfu::Report(Cycle now, const RedEvent& report) {
  switch (report.ev) {
    case RedEv::kSegment:
      if (binds_[report.slot].valid) slots_.Arrived(now, report);
      break;
    case RedEv::kCredit:
      if (binds_[report.slot].valid) slots_.Credited(report);
      break;
    case RedEv::kShort:
      if (groups_[report.group].state != RedState::kFailing) engines_.Arrived(now, report);
      break;
    default:
      break;
  }
}

/// True: at least one fails.
bool Cfu::FailGroups(const RedCauses& causes) {
  bool some = false;
  for (int g = 0; g < kRedGroups; ++g) {
    if (causes.code(g) == RedCauses::kNone) continue;
    groups_.Fail(g, static_cast<RedCode>(causes.code(g)));
    engines_.Clear(g);
    some = true;
  }
  return some;
}

void Cfu::Forget(int group) {
  engines_.Forget(group);
  groups_.Forget(group);
  Wake();
}

CfuView Cfu::View() const {
  CfuView view;
  for (int s = 0; s < kRedSlots; ++s) {
    view.group_of[s] = slots_[s].group;
    view.bound[s] = binds_[s].valid;
  }
  for (int g = 0; g < kRedGroups; ++g) {
    const RedGroup& group = groups_[g];
    view.states[g] = group.state;
    view.slot_of[g] = group.slot;
    view.fails[g] = group.fails;
    view.notices_due[g] = group.notice;
    const Cycle timeout = registers_.tree(g).timeout;
    view.ends[g] = group.state == RedState::kLocking && timeout != 0 ? group.since + timeout : kNever;
  }
  return view;
}

void Cfu::Check(Audit* audit) const {
  slots_.Check(audit);
  room_.Check(audit);
}

}  // namespace tilefly::golden
