// SPDX-License-Identifier: Apache-2.0
#include "systemc/egress/grant_unit.h"

#include <algorithm>

namespace tilefly::systemc {
namespace {

constexpr int kMostRun = 127;

Profile OnePort(Profile profile) {
  profile.ports = 1;
  return profile;
}

}  // namespace

GrantUnit::GrantUnit(Context& context, int port, const golden::SchedulerChoice& scheduler)
    : context_(context),
      port_(port),
      scheduler_(golden::MakeSchedulers(OnePort(context.profile), scheduler)),
      store_(static_cast<std::size_t>(context.profile.ports + golden::kRedInputs) * golden::kMaxLanes),
      meter_(OnePort(context.profile)),
      room_(context.profile.obuf_cells) {}

void GrantUnit::Restart() {
  std::visit([&](auto& schedulers) { schedulers[0].Restart(context_.profile.dtable_entries); }, scheduler_);
}

void GrantUnit::Request(Crossing* crossing) {
  const int row = context_.geometry.row[crossing->input];
  const int input = context_.geometry.input[crossing->input];
  Fifo& fifo = FifoOf(row, input, crossing->vl);
  const bool more_before = fifo.stored != 0 && fifo.last->more;
  meter_.Request(0, crossing->vl, crossing->cells, ++fifo.stored, more_before, crossing->more);
  crossing->next_stored = nullptr;
  (fifo.first == nullptr ? fifo.first : fifo.last->next_stored) = crossing;
  fifo.last = crossing;
  inputs_[crossing->vl][row] |= 1u << input;
  requested_ |= 1u << crossing->vl;
}

void GrantUnit::FirstCell(Cycle cycle, int row, int cells) {
  Channel& channel = channels_[row];
  --channel.outstanding;
  channel.free_at = std::max(cycle + 1, cycle + cells - context_.profile.owner_lead_cycles);
}

void GrantUnit::Credit(int vl, int cells) {
  freed_[vl] = static_cast<std::uint16_t>(freed_[vl] + cells);
  if (!credits_.Return(vl, freed_[vl], *context_.port(port_).credit)) {
    context_.counters.Count(port_, Counter::kBadCredit);
  }
}

void GrantUnit::Take(int vl, int cells, bool lost) {
  if (!healing_) return;
  if (lost) {
    healing_->Discarded(&credits_, vl, cells, *context_.port(port_).credit);
  } else {
    healing_->Taken(vl, cells);
  }
}

void GrantUnit::LinkDown() {
  healing_->LinkDown(&credits_, *context_.port(port_).credit);
  freed_ = {};
}

void GrantUnit::Resync(int vl, int held) {
  freed_[vl] = static_cast<std::uint16_t>(-held);
  healing_->Return(&credits_, vl, freed_[vl], *context_.port(port_).credit);
}

/// Lanes with a request that may send an MTU.
unsigned GrantUnit::SendableLanes(Cycle now) const {
  if (healing_ && !healing_->all_known()) return 0;
  const golden::PortRegisters& registers = context_.port(port_);
  unsigned lanes = 0;
  golden::ForEachBit(requested_, [&](int v) {
    const bool ok = registers.mode.credits ? credits_.LaneOk(v, *registers.credit, context_.profile.mtu_cells)
                                           : now >= paused_until_[context_.registers.tables().vl_class[v]];
    if (ok) lanes |= 1u << v;
  });
  return lanes;
}

/// When the first of the lanes with a request is not paused any more, kNever: none is.
Cycle GrantUnit::PauseEnds(Cycle now) const {
  Cycle earliest = kNever;
  if (context_.port(port_).mode.credits) return earliest;
  golden::ForEachBit(ClassesOf(requested_), [&](int c) {
    if (paused_until_[c] > now) earliest = std::min(earliest, paused_until_[c]);
  });
  return earliest;
}

unsigned GrantUnit::ClassesOf(unsigned lanes) const {
  unsigned classes = 0;
  golden::ForEachBit(lanes, [&](int v) { classes |= 1u << context_.registers.tables().vl_class[v]; });
  return classes;
}

Crossing* GrantUnit::Decide(Cycle now) {
  using golden::Outcome;
  again_ = kNever;
  if (!MayRun()) return nullptr;
  return std::visit(
      [&](auto& schedulers) -> Crossing* {
        auto& scheduler = schedulers[0];
        if (requested_ == 0 && !scheduler.unsettled()) return nullptr;
        const golden::SchedulerTable& table = *context_.port(port_).scheduler;
        const unsigned lanes = SendableLanes(now);
        const unsigned sendable = ClassesOf(lanes);
        Choice choice{};
        const golden::Decision decision =
            scheduler.Decide(now, table, ClassesOf(requested_), sendable, [&](int tc) -> golden::Head {
              if (!FindCandidate(now, lanes, tc, &choice)) return {};
              const Crossing* head = FifoOf(choice.row, choice.input, choice.vl).first;
              return {head->cells, head->more};
            });
        if (decision.outcome == Outcome::kMoved || decision.outcome == Outcome::kExpects) again_ = now + 1;
        if (decision.outcome == Outcome::kWaits) again_ = WhenFree(now);
        if (decision.outcome == Outcome::kGranted) {
          again_ = now + 1;
          return Grant(decision.tc, choice);
        }
        again_ = std::min(again_, PauseEnds(now));
        golden::ForEachBit(sendable & table.shaped(), [&](int c) {
          const Cycle eligible = scheduler.EligibleFrom(c);
          if (eligible > now) again_ = std::min(again_, eligible);
        });
        return nullptr;
      },
      scheduler_);
}

/// Rows with a candidate in lane `vl`, when inputs in `wanted` have a request in an active lane of its class.
unsigned GrantUnit::CandidateRows(Cycle now, int vl, const InputMasks& wanted) const {
  unsigned rows = 0;
  for (int row = 0; row < context_.profile.out_rows; ++row) {
    const std::uint32_t inputs = inputs_[vl][row];
    if (inputs == 0) continue;
    const Channel& channel = channels_[row];
    const std::uint32_t owner = 1u << channel.owner;
    const bool may_go_on = (inputs & owner) != 0 &&
                           (channel.run < context_.profile.run_limit_cells || (wanted[row] & ~owner) == 0);
    if (Free(now, channel) || may_go_on) rows |= 1u << row;
  }
  return rows;
}

/// Steps 3 and 4 of the page. False: class `tc` has no candidate in the active `lanes`.
bool GrantUnit::FindCandidate(Cycle now, unsigned lanes, int tc, Choice* choice) const {
  lanes &= context_.registers.tables().class_lanes[tc];
  InputMasks wanted{};
  golden::ForEachBit(lanes, [&](int v) {
    for (int row = 0; row < context_.profile.out_rows; ++row) wanted[row] |= inputs_[v][row];
  });
  std::array<unsigned, golden::kMaxLanes> rows{};
  unsigned lanes_with_candidate = 0;
  golden::ForEachBit(lanes, [&](int v) {
    rows[v] = CandidateRows(now, v, wanted);
    if (rows[v] != 0) lanes_with_candidate |= 1u << v;
  });
  if (lanes_with_candidate == 0) return false;
  choice->vl = golden::RoundRobin(lanes_with_candidate, lane_pointer_[tc]);
  choice->row = golden::RoundRobin(rows[choice->vl], row_pointer_[choice->vl]);
  const Channel& channel = channels_[choice->row];
  choice->was_free = Free(now, channel);
  choice->input = choice->was_free ? golden::RoundRobin(inputs_[choice->vl][choice->row],
                                                        input_pointer_[choice->vl][choice->row])
                                   : channel.owner;
  return true;
}

/// The oldest request of the fifo leaves the store.
Crossing* GrantUnit::Pop(int vl, int row, int input) {
  Fifo& fifo = FifoOf(row, input, vl);
  Crossing* const crossing = fifo.first;
  fifo.first = crossing->next_stored;
  meter_.Grant(0, vl, crossing->cells, --fifo.stored, fifo.last->more);
  if (fifo.first == nullptr) {
    InputMasks& inputs = inputs_[vl];
    inputs[row] &= ~(1u << input);
    const bool none = std::all_of(inputs.begin(), inputs.end(), [](std::uint32_t mask) { return mask == 0; });
    if (none) requested_ &= ~(1u << vl);
  }
  return crossing;
}

/// The lowest lane, row and input with a request.
Crossing* GrantUnit::TakeBack(Cycle now) {
  again_ = kNever;
  for (unsigned lanes = requested_; lanes != 0; lanes &= lanes - 1) {
    const int vl = golden::LowestBit(lanes);
    for (int row = 0; row < context_.profile.rows; ++row) {
      if (inputs_[vl][row] == 0) continue;
      again_ = now + 1;
      return Pop(vl, row, golden::LowestBit(inputs_[vl][row]));
    }
  }
  return nullptr;
}

/// Step 5 of the page.
Crossing* GrantUnit::Grant(int tc, const Choice& choice) {
  Crossing* const crossing = Pop(choice.vl, choice.row, choice.input);
  room_ -= crossing->cells;
  if (context_.port(port_).mode.credits) credits_.Grant(choice.vl, crossing->cells, *context_.port(port_).credit);
  if (healing_) healing_->Granted(choice.vl, crossing->cells);
  Channel& channel = channels_[choice.row];
  ++channel.outstanding;
  if (choice.was_free) {
    channel.owner = choice.input;
    channel.run = crossing->cells;
    input_pointer_[choice.vl][choice.row] = golden::PointerAfter(choice.input, InputsOf(choice.row));
  } else {
    channel.run = std::min(channel.run + crossing->cells, kMostRun);
  }
  lane_pointer_[tc] = golden::PointerAfter(choice.vl, context_.profile.vls);
  row_pointer_[choice.vl] = golden::PointerAfter(choice.row, context_.profile.out_rows);
  return crossing;
}

/// When a channel is free that was given back and is not yet.
Cycle GrantUnit::WhenFree(Cycle now) const {
  Cycle earliest = kNever;
  for (const Channel& channel : channels_) {
    if (channel.outstanding == 0 && channel.free_at > now) earliest = std::min(earliest, channel.free_at);
  }
  return earliest;
}

}  // namespace tilefly::systemc
