// SPDX-License-Identifier: Apache-2.0
// Output halves (docs/blocks/egress.md): requests that cross, events that change room, credits and channels, decisions,
// and what the link takes.
#include <utility>

#include "golden/arbiter/round_robin.h"
#include "golden/halves/half_switch.h"

namespace tilefly::golden {

void HalfSwitch::RunOutputs(T32 to) {
  ForEachBit(DueBefore(out_due_, to), [&](int port) { RunOutput(port, to); });
  out_done_ = to;
}

/// Decisions and takes before cycle `to`, and the events that they see.
void HalfSwitch::RunOutput(int port, T32 to) {
  OutputHalf& out = out_[port];
  TakeUntil(port, &out, to);
  T32 step = NextRequestStep(out);
  for (;;) {
    const T32 stored = step == kFar ? kFar : step + static_cast<T32>(kCrossing);
    const T32 waking = out.requested != 0 || out.unsettled ? NextWaking(out) : kFar;
    const T32 decide = out.next_decide;
    if (decide <= std::min(stored, waking)) {  // events of its cycle come after it
      if (decide >= to) break;
      Note(decide);
      LeaveAcks(port, &out, decide);
      ApplyBefore(&out, decide);
      out.next_decide = Decide(port, &out, decide);
    } else if (stored <= waking) {
      if (stored >= to - 1) break;
      LeaveAcks(port, &out, stored);
      const RequestMessage message = StepRequests(&out, step);
      step = NextRequestStep(out);
      // With no request until the decision after the grant, and that decision in this piece, both are one.
      const bool alone = step == kFar || step + static_cast<T32>(kCrossing) > stored + 1;
      if (alone && out.requested == 0 && decide == kFar && stored + 2 < to && Express(port, &out, message, stored + 1))
        continue;
      Store(port, &out, stored, message);
    } else {
      if (waking >= to - 1) break;
      WakeBy(&out, waking);
    }
  }
  ApplyBefore(&out, to - 1);
  LeaveAcks(port, &out, to - 1);
  out_due_[port] = DueOf(out);
}

T32 HalfSwitch::DueOf(const OutputHalf& out) const {
  T32 due = out.next_decide;
  if (out.requested != 0 || out.unsettled) {
    if (const T32 waking = NextWaking(out); waking != kFar) due = std::min(due, waking + 1);
  }
  if (const T32 step = NextRequestStep(out); step != kFar) due = std::min<T32>(due, step + kCrossing + 1);
  if (out.taken < out.cells.size()) due = std::min(due, std::max(out.next_take, out.cells[out.taken].at + 1));
  return std::min(due, out.next_ack);
}

// Takes

/// Takes before cycle `to`. Room that they free is known before a decision asks for it.
void HalfSwitch::TakeUntil(int port, OutputHalf* out, T32 to) {
  while (out->taken < out->cells.size()) {
    const T32 take = std::max(out->next_take, out->cells[out->taken].at + 1);
    if (take >= to) return;
    ChooseTaken(out);
    TakePacket(port, out, take);
  }
}

/// Of the first cells that arrived in the same cycle, the one whose row has the turn comes first.
void HalfSwitch::ChooseTaken(OutputHalf* out) {
  const int first = out->taken;
  const T32 at = out->cells[first].at;
  if (first + 1 == out->cells.size() || out->cells[first + 1].at != at) return;
  ++ways_.taken_by_turn;
  unsigned rows = 0;
  for (int i = first; i < out->cells.size() && out->cells[i].at == at; ++i) rows |= 1u << out->cells[i].row;
  const int row = RoundRobin(rows, out->take_pointer);
  int chosen = first;
  while (out->cells[chosen].row != row) ++chosen;
  std::swap(out->cells[first], out->cells[chosen]);
}

void HalfSwitch::TakePacket(int port, OutputHalf* out, T32 take) {
  const FirstCellMessage cell = out->cells[out->taken++];
  const HalfPacket& packet = packets_[cell.packet];
  Departure departure;
  departure.take = base_ + take;
  departure.header = packet.header;
  departure.payload = packet.payload;
  departure.length = static_cast<std::uint16_t>(packet.header.length());
  departure.format = FrameFormat::Of(false, static_cast<Kind>(packet.header.kind()), departure.length);
  departure.eth = -1;
  departure.port = static_cast<std::uint8_t>(port);
  departure.serdes_lanes = out->serdes_lanes;
  departure.last_copy = true;
  departure.cut_through = false;
  const int words = departure.format.words;
  const T32 room = take + static_cast<T32>(kTakeToRead + WordOffset(words - 1, out->serdes_lanes));
  if (out->edge) MakeAck(port, departure.header, cell.cells, room);
  packets_.Release(cell.packet);
  out->take_pointer = PointerAfter(cell.row, profile_.out_rows);
  out->next_take = take + (out->serdes_lanes == 4 ? words : CeilDiv(4 * words, out->serdes_lanes));
  out->rooms.Append({room, cell.cells});
  ++out->packets;
  ++ways_.taken;
  Note(room);
  DropCells(out);
  links_->Depart(departure);
}

/// First cells that are taken and applied are forgotten.
void HalfSwitch::DropCells(OutputHalf* out) {
  while (out->taken > 0 && out->applied > 0) {
    out->cells.PopFront();
    --out->taken;
    --out->applied;
  }
}

// Requests

/// The next step of the turn tiles towards this output in which a request wins; it is stored 8 cycles later.
T32 HalfSwitch::NextRequestStep(const OutputHalf& out) {
  T32 earliest = kFar;
  for (int i = 0; i < out.requests.size() && out.requests[i].at < earliest; ++i)
    earliest = std::min(earliest, std::max(out.requests[i].at, out.last_turn[out.requests[i].row] + 1));
  return earliest;
}

/// The winner of a row that has one in the step.
RequestMessage HalfSwitch::StepRequests(OutputHalf* out, T32 step) {
  int first = 0;
  if (out->requests.size() > 1) {
    while (std::max(out->requests[first].at, out->last_turn[out->requests[first].row] + 1) > step) ++first;
    const int row = out->requests[first].row;
    unsigned sources = 0;
    for (int i = first; i < out->requests.size() && out->requests[i].at <= step; ++i) {
      if (out->requests[i].row == row) sources |= 1u << out->requests[i].source;
    }
    const int winner = RoundRobin(sources, out->turn_pointer[row]);
    while (out->requests[first].row != row || out->requests[first].source != winner) ++first;
    ++ways_.requests_stepped;
  } else {
    ++ways_.requests_alone;
  }
  const RequestMessage message = out->requests[first];
  out->requests.Erase(first);
  out->turn_pointer[message.row] = PointerAfter(message.source, profile_.row_in);
  out->last_turn[message.row] = step;
  return message;
}

/// A request arrives in cycle `at`.
void HalfSwitch::Store(int port, OutputHalf* out, T32 at, const RequestMessage& message) {
  ApplyBefore(out, at + 1);
  HalfQueue& queue = queues_[message.queue];
  AddLoad(port, out, at, message.cells);
  ++queue.stored;
  out->lanes[queue.vl].inputs |= RowMasks{1} << (16 * message.row + message.source);
  out->requested = static_cast<std::uint16_t>(out->requested | 1u << queue.vl);
  out->next_decide = std::min(out->next_decide, at + 1);
  EnterOutput(port, at + 1);
  Note(at + 1);
}

/// Requests that arrive before `end` are in the store afterwards.
int HalfSwitch::Load(int port, Cycle end) {
  OutputHalf& out = out_[port];
  for (T32 step; (step = NextRequestStep(out)) != kFar && base_ + step + kCrossing < end;)
    Store(port, &out, step + static_cast<T32>(kCrossing), StepRequests(&out, step));
  return out.load;
}

int HalfSwitch::Room(int port, Cycle end) {
  ApplyBefore(&out_[port], end == kNever ? kFar : Rel(end));
  return out_[port].room;
}

const CreditSender& HalfSwitch::Credits(int port, Cycle end) {
  ApplyBefore(&out_[port], end == kNever ? kFar : Rel(end));
  return out_[port].credits;
}

// Events that change what decisions see

/// The events of cycle `at`, at an output that is awake or waits for them.
void HalfSwitch::WakeBy(OutputHalf* out, T32 at) {
  ++ways_.woken;
  for (; !out->rooms.empty() && out->rooms.front().at == at; ApplyRoom(out))
    out->next_decide = std::min(out->next_decide, at + 1);
  for (; !out->returns.empty() && out->returns.front().at == at; ApplyCredit(out)) {
    if (out->requested != 0) out->next_decide = std::min(out->next_decide, at + 1);
  }
  while (out->applied < out->cells.size() && out->cells[out->applied].at == at) {
    const T32 free = ApplyCell(out);
    if (out->requested != 0) out->next_decide = std::min(out->next_decide, free);
  }
  DropCells(out);
}

void HalfSwitch::ApplyAllBefore(OutputHalf* out, T32 to) {
  while (!out->rooms.empty() && out->rooms.front().at < to) ApplyRoom(out);
  while (!out->returns.empty() && out->returns.front().at < to) ApplyCredit(out);
  while (out->applied < out->cells.size() && out->cells[out->applied].at < to) ApplyCell(out);
  DropCells(out);
}

void HalfSwitch::ApplyRoom(OutputHalf* out) {
  out->room = static_cast<std::int16_t>(out->room + out->rooms.front().cells);
  out->rooms.PopFront();
}

/// A return is judged without a grant of its own cycle.
void HalfSwitch::ApplyCredit(OutputHalf* out) {
  const CreditMessage& message = out->returns.front();
  const bool at_grant = out->granted_at == message.at && out->granted_vl == message.vl;
  if (!out->credits.Return(message.vl, message.cells, *out->credit_table, at_grant ? out->granted_cells : 0))
    ++out->bad_returns;
  out->returns.PopFront();
}

/// Returns when the channel is free; kFar: further first cells are awaited.
T32 HalfSwitch::ApplyCell(OutputHalf* out) {
  const FirstCellMessage& message = out->cells[out->applied++];
  HalfChannel& channel = out->channels[message.row];
  --channel.outstanding;
  channel.free_at = std::max(message.at + 1, message.at + message.cells - profile_.owner_lead_cycles);
  return channel.outstanding == 0 ? channel.free_at : kFar;
}

}  // namespace tilefly::golden
