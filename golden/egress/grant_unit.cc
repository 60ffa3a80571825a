// SPDX-License-Identifier: Apache-2.0
#include "golden/egress/grant_unit.h"

namespace tilefly::golden {
namespace {

constexpr int kRunLimitCounter = 127;

}  // namespace

GrantUnit::GrantUnit(Context& context, const SchedulerChoice& scheduler)
    : context_(context),
      outputs_(context.profile.ports),
      schedulers_(MakeSchedulers(context.profile, scheduler)),
      wakes_(context.due, kDueGrant) {
  for (Output& output : outputs_) output.room = static_cast<std::int16_t>(context.profile.obuf_cells);
}

/// Inputs with a request in one of the lanes.
GrantUnit::RowMasks GrantUnit::InputsOf(const Output& output, unsigned lanes) const {
  RowMasks inputs = 0;
  ForEachBit(lanes, [&](int v) { inputs |= output.lanes[v].inputs; });
  return inputs;
}

/// Steps 3 and 4 of docs/blocks/egress.md, Decision t, for class `tc`, with the active `lanes` of all classes. False:
/// no candidate.
bool GrantUnit::FindCandidate(Cycle now, int port, unsigned lanes, int tc, Choice* choice) const {
  const Output& output = outputs_[port];
  lanes &= context_.registers.tables().class_lanes[tc];
  const RowMasks wanted = InputsOf(output, lanes);
  const unsigned red_lanes = lanes & output.red_requested;
  unsigned rows_of_lane = 0;
  if ((lanes & (lanes - 1)) == 0) {
    choice->vl = LowestBit(lanes);
    rows_of_lane = CandidateRows(now, output, wanted, wanted);
    if (red_lanes != 0) rows_of_lane |= RedCandidate(now, output, choice->vl, red_lanes);
    if (rows_of_lane == 0) return false;
  } else {
    unsigned lanes_with_candidate = 0;
    std::array<std::uint8_t, kMaxLanes> rows;
    ForEachBit(lanes, [&](int v) {
      unsigned with_candidate = CandidateRows(now, output, output.lanes[v].inputs, wanted);
      if ((red_lanes >> v & 1) != 0) with_candidate |= RedCandidate(now, output, v, red_lanes);
      rows[v] = static_cast<std::uint8_t>(with_candidate);
      if (with_candidate != 0) lanes_with_candidate |= 1u << v;
    });
    if (lanes_with_candidate == 0) return false;
    choice->vl = RoundRobin(lanes_with_candidate, output.lane_pointer[tc]);
    rows_of_lane = rows[choice->vl];
  }
  choice->row = RoundRobin(rows_of_lane, output.lanes[choice->vl].row_pointer);
  const Channel& channel = output.channels[choice->row];
  choice->was_free = channel.outstanding == 0 && now >= channel.free_at;
  choice->input = choice->was_free ? RoundRobin(InputsOfRow(output, choice->vl, choice->row),
                                                output.lanes[choice->vl].input_pointer[choice->row])
                                   : channel.owner;
  return true;
}

/// Lanes that have a request and may send an MTU.
unsigned GrantUnit::ActiveLanes(Cycle now, int port) {
  const Output& output = outputs_[port];
  const PortRegisters& registers = context_.registers.port(port);
  unsigned active = 0;
  if (registers.mode.credits) {
    if ((context_.retry_ports & Bit(port)) != 0 && !healing_[port].all_known()) return 0;
    const CreditTable& table = *registers.credit;
    ForEachBit(output.requested, [&](int v) {
      if (output.credits.LaneOk(v, table, context_.profile.mtu_cells)) active |= 1u << v;
    });
    return active;
  }
  if (paused_until_.empty()) return output.requested;
  Cycle earliest = kNever;
  ForEachBit(output.requested, [&](int v) {
    const Cycle until = paused_until_[port][context_.registers.tables().vl_class[v]];
    if (now >= until) {
      active |= 1u << v;
    } else {
      earliest = std::min(earliest, until);
    }
  });
  if (earliest != kNever) wakes_.Wake(earliest, now, port);
  return active;
}

/// Rows with a candidate in a lane with requests from `inputs`, when inputs in `wanted` have one in a lane of the class.
unsigned GrantUnit::CandidateRows(Cycle now, const Output& output, RowMasks inputs, RowMasks wanted) const {
  unsigned rows = 0;
  for (RowMasks left = inputs; left != 0;) {
    const int row = LowestBit(left) / 16;
    left &= ~(RowMasks{0xFFFF} << 16 * row);
    if (HasCandidate(now, output.channels[row], RowOf(inputs, row), RowOf(wanted, row))) rows |= 1u << row;
  }
  return rows;
}

/// Row R if it has a candidate in the lane, of `lanes` of the class in which it has requests.
unsigned GrantUnit::RedCandidate(Cycle now, const Output& output, int vl, unsigned lanes) const {
  const int row = context_.profile.rows;
  unsigned wanted = 0;
  ForEachBit(lanes, [&](int v) { wanted |= output.lanes[v].red_inputs; });
  return HasCandidate(now, output.channels[row], output.lanes[vl].red_inputs, wanted) ? 1u << row : 0;
}

/// All channels wanted are busy: a first cell's arrival wakes the output, and so does the cycle in which a channel is free.
void GrantUnit::WakeWhenFree(Cycle now, int port, unsigned lanes) {
  const Output& output = outputs_[port];
  if ((lanes & output.red_requested) != 0) {
    const Channel& channel = output.channels[context_.profile.rows];
    if (channel.outstanding == 0) WakeLater(channel.free_at, now, port);
  }
  const RowMasks wanted = InputsOf(output, lanes);
  for (int row = 0; row < context_.profile.rows; ++row) {
    const Channel& channel = output.channels[row];
    if (channel.outstanding == 0 && RowOf(wanted, row) != 0) WakeLater(channel.free_at, now, port);
  }
}

/// Step 5 of it.
void GrantUnit::Grant(Cycle now, int port, const Choice& choice, int tc, int cells, bool further) {
  Output& output = outputs_[port];
  Channel& channel = output.channels[choice.row];
  output.room = static_cast<std::int16_t>(output.room - cells);
  LowerLoad(now, port, choice.vl, cells);
  const PortRegisters& registers = context_.registers.port(port);
  if (registers.mode.credits) output.credits.Grant(choice.vl, cells, *registers.credit);
  if ((context_.retry_ports & Bit(port)) != 0) healing_[port].Granted(choice.vl, cells);
  ++channel.outstanding;
  if (choice.was_free) {
    channel.owner = static_cast<std::uint8_t>(choice.input);
    channel.run = static_cast<std::uint8_t>(cells);
    const int inputs = IsRed(choice.row) ? kRedInputs : context_.profile.row_in;
    output.lanes[choice.vl].input_pointer[choice.row] = PointerAfter(choice.input, inputs);
  } else {
    channel.run = static_cast<std::uint8_t>(std::min(channel.run + cells, kRunLimitCounter));
  }
  output.lane_pointer[tc] = PointerAfter(choice.vl, context_.profile.vls);
  output.lanes[choice.vl].row_pointer = PointerAfter(choice.row, context_.profile.out_rows);
  if (!further) ForgetInput(port, choice);
}

/// A request for `cells` cells leaves its store.
void GrantUnit::LowerLoad(Cycle now, int port, int vl, int cells) {
  Output& output = outputs_[port];
  context_.loads.Add(now, port, -cells);
  output.granted_at = now;
  output.granted_vl = static_cast<std::uint8_t>(vl);
  output.granted_cells = static_cast<std::uint8_t>(cells);
}

/// The input has no further request on the lane.
void GrantUnit::ForgetInput(int port, const Choice& choice) {
  Output& output = outputs_[port];
  RowMasks& of_rows = output.lanes[choice.vl].inputs;
  if (IsRed(choice.row)) {
    std::uint8_t& of_red = output.lanes[choice.vl].red_inputs;
    of_red = static_cast<std::uint8_t>(of_red & ~(1u << choice.input));
    if (of_red == 0) output.red_requested = static_cast<std::uint16_t>(output.red_requested & ~(1u << choice.vl));
  } else {
    of_rows &= ~BitOf(choice.row, choice.input);
  }
  if (of_rows == 0 && (output.red_requested >> choice.vl & 1) == 0) {
    output.requested = static_cast<std::uint16_t>(output.requested & ~(1u << choice.vl));
  }
}

void GrantUnit::Request(Cycle now, int output_port, int input, int vl, int cells) {
  Output& output = outputs_[output_port];
  const int row = context_.geometry.row[input];
  if (IsRed(row)) {
    output.lanes[vl].red_inputs = static_cast<std::uint8_t>(output.lanes[vl].red_inputs | 1u << context_.geometry.input[input]);
    output.red_requested = static_cast<std::uint16_t>(output.red_requested | 1u << vl);
  } else {
    output.lanes[vl].inputs |= BitOf(row, context_.geometry.input[input]);
  }
  output.requested = static_cast<std::uint16_t>(output.requested | 1u << vl);
  context_.loads.Add(now, output_port, cells);
  active_ |= Bit(output_port);
}

void GrantUnit::FirstCell(Cycle now, int output_port, int row, int cells) {
  Output& output = outputs_[output_port];
  Channel& channel = output.channels[row];
  --channel.outstanding;
  if (context_.watchers.links != nullptr) context_.watchers.links->Arrive(output_port, now);
  channel.free_at = std::max(now + 1, now + cells - context_.profile.owner_lead_cycles);
  // Until the channel is free its owner stays the only candidate, as before.
  if (output.requested != 0 && channel.outstanding == 0) wakes_.Wake(channel.free_at, now, output_port);
}

void GrantUnit::FreeRoom(int output_port, int cells) {
  Output& output = outputs_[output_port];
  output.room = static_cast<std::int16_t>(output.room + cells);
  if (output.requested != 0 || output.unsettled) active_ |= Bit(output_port);
}

void GrantUnit::Credit(Cycle now, int output_port, int vl, std::uint16_t cells) {
  const PortRegisters& registers = context_.registers.port(output_port);
  if (!registers.mode.credits) return;
  Output& output = outputs_[output_port];
  const int granted_now = output.granted_at == now && output.granted_vl == vl ? output.granted_cells : 0;
  const bool retries = (context_.retry_ports & Bit(output_port)) != 0;
  if (retries && (context_.links_up & Bit(output_port)) == 0) return;  // what it says is forgotten at once
  const int used = output.credits.used(vl);
  if (!(retries ? healing_[output_port].Return(&output.credits, vl, cells, *registers.credit, granted_now)
                : output.credits.Return(vl, cells, *registers.credit, granted_now))) {
    context_.counters.Count(output_port, Counter::kBadCredit);
  }
  if (retries && output.credits.used(vl) != used) heard_ |= Bit(output_port);
  if (output.requested != 0) active_ |= Bit(output_port);
}

void GrantUnit::Started(int output_port, int vl, int cells, bool again) {
  healing_[output_port].Started(&outputs_[output_port].credits, vl, cells, again,
                                *context_.registers.port(output_port).credit);
  // A lane that may no longer send lets another class have its turn.
  if (again && outputs_[output_port].requested != 0) active_ |= Bit(output_port);
}

void GrantUnit::Discarded(int output_port, int vl, int cells) {
  healing_[output_port].Discarded(&outputs_[output_port].credits, vl, cells, *context_.registers.port(output_port).credit);
}

bool GrantUnit::WaitsForCredit(int output_port) const {
  const Output& output = outputs_[output_port];
  if (output.requested == 0) return false;
  if (!healing_[output_port].all_known()) return true;
  const CreditTable& table = *context_.registers.port(output_port).credit;
  unsigned waiting = output.requested;
  while (waiting != 0) {
    if (!output.credits.LaneOk(LowestBit(waiting), table, context_.profile.mtu_cells)) return true;
    waiting &= waiting - 1;
  }
  return false;
}

void GrantUnit::SetRetry(int output_port, bool retries) {
  if (healing_.empty() && !retries) return;
  if (healing_.empty()) healing_.assign(outputs_.size(), SenderHealing(context_.profile.vls));
  healing_[output_port] = SenderHealing(context_.profile.vls);
}

void GrantUnit::LinkDown(int output_port) {
  healing_[output_port].LinkDown(&outputs_[output_port].credits, *context_.registers.port(output_port).credit);
}

void GrantUnit::Pause(int output_port, unsigned classes, const std::array<Cycle, kMaxClasses>& until) {
  if (paused_until_.empty()) paused_until_.resize(outputs_.size());
  ForEachBit(classes, [&](int c) { paused_until_[output_port][c] = until[c]; });
  active_ |= Bit(output_port);
}

unsigned GrantUnit::owner_valid(int output) const {
  unsigned valid = 0;
  for (int row = 0; row < kMaxOutRows; ++row) {
    if (outputs_[output].channels[row].outstanding != 0) valid |= 1u << row;
  }
  return valid;
}

}  // namespace tilefly::golden
