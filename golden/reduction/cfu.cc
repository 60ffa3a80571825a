// SPDX-License-Identifier: Apache-2.0
// Events of the CFU: launches, reports, room.
#include "golden/reduction/cfu.h"

#include "golden/arbiter/round_robin.h"

namespace tilefly::golden {

Cfu::Cfu(Context& context, const RedRegisters& registers) : context_(context), registers_(registers) {
  const auto room = static_cast<std::int16_t>(context.profile.red_room);
  for (auto& port : room_) port = {room, room, static_cast<std::int16_t>(context.profile.red_short_room)};
}

const Cfu::Commands& Cfu::Commit(Cycle now, const std::optional<RedLaunch>& launch, const Arrivals& arrivals,
                                 Merged* merged) {
  commands_ = {};
  const bool told = launch || merged->launch != nullptr || !arrivals.reports.empty();
  if (!told && arrivals.rooms.empty() && !unsettled_ && now < deadline_) return commands_;
  // What is read is as committed in the cycle before, so all is judged before anything changes.
  Failures failures;
  FindFailures(now, arrivals, &failures);
  std::vector<Turn> turns;
  if (merged->launch != nullptr) Merge(merged, &failures, &turns);
  TimeOut(now, &turns);
  if (launch) Launched(now, *launch, &turns);
  if (merged->launch != nullptr && merged->launch->candidate == RedCandidate::kShortDown && merged->word->arm) {
    engine(merged->launch->group, merged->launch->engine).armed =
        groups_[merged->launch->group].state != RedState::kFailing;
  }
  for (const RedEvent& report : arrivals.reports) Report(now, report);
  for (const RedRoom& room : arrivals.rooms) {
    std::int16_t& cells = room_[room.port][static_cast<int>(room.lane)];
    cells = static_cast<std::int16_t>(cells + room.cells);
  }
  for (const Turn& turn : turns) {
    if (failures.code(turn.group) == Failures::kNone) Change(now, turn);
  }
  unsettled_ = told || !turns.empty();
  for (int g = 0; g < kRedGroups; ++g) {
    if (failures.code(g) == Failures::kNone) continue;
    Fail(g, static_cast<RedCode>(failures.code(g)));
    unsettled_ = true;
  }
  look_ = look_ || unsettled_ || !arrivals.rooms.empty();
  deadline_ = kNever;
  for (int g = 0; g < kRedGroups; ++g) deadline_ = std::min(deadline_, DeadlineOf(now, g));
  return commands_;
}

void Cfu::ReturnRoom(const RedLaunch& launch, int cells) {
  ForEachBit(launch.to, [&](int p) {
    std::int16_t& room = room_[p][static_cast<int>(launch.lane)];
    room = static_cast<std::int16_t>(room + cells);
  });
}

/// The launch of cycle `now`.
void Cfu::Launched(Cycle now, const RedLaunch& launch, std::vector<Turn>* turns) {
  const bool stream = launch.is_stream();
  first_ = PointerAfter(static_cast<int>(launch.candidate), kRedCandidates);
  const Cycle busy = stream ? context_.profile.red_stream : context_.profile.red_short;
  const unsigned lanes = LanesOf(launch);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) != 0) next_[lane] = now + busy;
  }
  ReturnRoom(launch, -(stream ? context_.profile.red_cells : context_.profile.red_short_cells));
  groups_[launch.group].last_launch = now;
  if (launch.is_notice()) {
    groups_[launch.group].notice = false;
    notice_first_ = PointerAfter(launch.group, kRedGroups);
    return;
  }
  if (!stream) {
    groups_[launch.group].last_brief = now;
    Engine& used = engine(launch.group, launch.engine);
    short_first_[launch.goes_down()] = PointerAfter(launch.index(), kRedGroups * kRedEngines);
    if (launch.goes_down()) {
      used.back = false;
    } else {
      used.have = 0;
      used.armed = false;
    }
    return;
  }
  Slot& slot = slots_[launch.slot];
  const RedTree& tree = registers_.tree(launch.group);
  slot.last_launch = slot.progress = now;
  const bool final = launch.goes_down() ? IsFinalDown(slot, tree) : IsFinalUp(slot, tree);
  if (launch.goes_down()) {
    ++slot.downs;
  } else {
    slot.members = Members(slot, tree);
    slot.in_op = !final;
    ++slot.ups;
  }
  if (final && (launch.goes_down() || launch.root)) turns->push_back({Turn::kOperation, launch.group, 0, 0});
}

void Cfu::Report(Cycle now, const RedEvent& report) {
  switch (report.ev) {
    case RedEv::kSegment: {
      if (!binds_[report.slot].valid) break;
      Slot& slot = slots_[report.slot];
      const auto bit = static_cast<std::uint16_t>(1u << BitOf(slot.arrived[report.port]));
      const auto put = [&](std::uint16_t* flags, bool value) {
        *flags = static_cast<std::uint16_t>(value ? *flags | bit : *flags & ~bit);
      };
      put(&slot.wants[report.port], report.wants);
      put(&slot.ends[report.port], report.ends);
      ++slot.arrived[report.port];
      slot.progress = now;
      break;
    }
    case RedEv::kCredit: {
      if (!binds_[report.slot].valid) break;
      std::uint16_t& credit = slots_[report.slot].credit[report.port];
      credit = static_cast<std::uint16_t>(credit + ((report.credit - credit) & 0xFF));
      break;
    }
    case RedEv::kShort: {
      const RedTree& tree = registers_.tree(report.group);
      if (groups_[report.group].state == RedState::kFailing || IsCleared(now, report)) break;
      Engine& of = engine(report.group, report.engine);
      if ((tree.parent_mask() & Bit(report.port)) != 0) {
        of.back = true;
      } else if ((tree.children & Bit(report.port)) != 0) {
        if (of.have == 0) of.since = now;
        of.have |= Bit(report.port);
      }
      break;
    }
    default:
      break;
  }
}

void Cfu::Forget(int group) {
  for (int e = 0; e < kRedEngines; ++e) engine(group, e) = {};
  groups_[group].tag = 0;
  Wake();
}

CfuView Cfu::View() const {
  CfuView view;
  for (int s = 0; s < kRedSlots; ++s) {
    view.group_of[s] = slots_[s].group;
    view.bound[s] = binds_[s].valid;
  }
  for (int g = 0; g < kRedGroups; ++g) {
    const Group& group = groups_[g];
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
  for (const Slot& slot : slots_) {
    if (slot.group < 0) continue;
    const RedTree& tree = registers_.tree(slot.group);
    ForEachBit(tree.peers(), [&](int p) {
      const bool child = (tree.children & Bit(p)) != 0;
      const auto waiting = static_cast<std::uint16_t>(slot.arrived[p] - (child ? slot.ups : slot.downs));
      audit->Require("RED-2", waiting <= context_.profile.red_segments, p, waiting);
    });
  }
  for (int p = 0; p < context_.profile.ports; ++p) {
    for (int lane = 0; lane < kRedLanes; ++lane) {
      const int most =
          lane == static_cast<int>(RedLane::kS) ? context_.profile.red_short_room : context_.profile.red_room;
      audit->Require("RED-4", room_[p][lane] >= 0 && room_[p][lane] <= most, p, room_[p][lane]);
    }
  }
}

}  // namespace tilefly::golden
