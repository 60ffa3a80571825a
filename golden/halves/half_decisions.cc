// SPDX-License-Identifier: Apache-2.0
// Decisions of output halves (docs/blocks/egress.md, Decision t): the rules of GrantUnit for outputs without row R.
#include <algorithm>

#include "golden/arbiter/round_robin.h"
#include "golden/halves/half_switch.h"

namespace tilefly::golden {
namespace {

constexpr int kMostRun = 127;

unsigned RowOf(RowMasks masks, int row) { return static_cast<unsigned>(masks >> 16 * row) & 0xFFFF; }

bool IsFree(const HalfChannel& channel, T32 now) { return channel.outstanding == 0 && now >= channel.free_at; }

}  // namespace

/// Nobody else wants the output, now or in the next cycle, and its scheduler is at rest: the grant of cycle `now` and
/// the decision after it, which forgets, move one pointer of the scheduler. False: nothing was done, because it is not
/// so simple.
bool HalfSwitch::Express(int port, OutputHalf* out, const RequestMessage& message, T32 now) {
  if (out->unsettled || out->scheduler.unsettled()) return false;
  HalfQueue& queue = queues_[message.queue];
  if (queue.more) return false;
  ApplyBefore(out, now);
  const int cells = queue.cells;
  const int mtu = profile_.mtu_cells;
  if (out->room - cells < mtu) return false;  // the decision after it might not run
  if (!out->credits.LaneOk(queue.vl, *out->credit_table, mtu)) return false;
  const HalfChannel& channel = out->channels[message.row];
  const Choice choice{queue.vl, message.row, message.source, IsFree(channel, now)};
  if (!choice.was_free && channel.owner != message.source) return false;
  const int tc = vl_class_[static_cast<std::size_t>(queue.vl)];
  if (!out->scheduler.PassThrough(*out->table, tc, cells)) return false;
  ++ways_.express;
  ++queue.stored;  // for Grant
  AddLoad(port, out, now - 1, cells);
  LeaveAcks(port, out, now);
  out->lanes[queue.vl].inputs |= RowMasks{1} << (16 * message.row + message.source);
  out->requested = static_cast<std::uint16_t>(1u << queue.vl);
  Grant(port, out, now, choice, tc, message.queue);
  Note(now + 1);
  return true;
}

unsigned HalfSwitch::ClassesOf(unsigned lanes) const {
  unsigned classes = 0;
  ForEachBit(lanes, [&](int v) { classes |= 1u << vl_class_[static_cast<std::size_t>(v)]; });
  return classes;
}

/// The decision of cycle `now`. Returns the next that may change something, as far as it is known.
T32 HalfSwitch::Decide(int port, OutputHalf* out, T32 now) {
  if (out->requested == 0 && !out->scheduler.unsettled()) return kFar;
  if (out->room < profile_.mtu_cells) {
    out->unsettled = out->scheduler.unsettled();
    return kFar;
  }
  ++ways_.decided;
  out->unsettled = false;
  if (out->requested == 0) {
    const Outcome outcome =
        out->scheduler.Decide(base_ + now, *out->table, 0, 0, [](int) { return Head{}; }).outcome;
    return outcome == Outcome::kExpects ? now + 1 : kFar;
  }
  unsigned lanes = 0;
  ForEachBit(out->requested, [&](int v) {
    if (out->credits.LaneOk(v, *out->credit_table, profile_.mtu_cells)) lanes |= 1u << v;
  });
  const unsigned sendable = ClassesOf(lanes);
  const unsigned wanted = lanes == out->requested ? sendable : ClassesOf(out->requested);
  Choice choice{};
  QueueId id = kNoQueue;
  const Decision decision = out->scheduler.Decide(base_ + now, *out->table, wanted, sendable, [&](int tc) {
    if (!FindCandidate(*out, now, lanes, tc, &choice)) return Head{};
    id = QueueOf(geometry_.port(choice.row, choice.input), port, choice.vl);
    return Head{queues_[id].cells, queues_[id].more};
  });
  switch (decision.outcome) {
    case Outcome::kMoved:
    case Outcome::kExpects:
      return now + 1;
    case Outcome::kGranted:
      ++ways_.granted;
      Grant(port, out, now, choice, decision.tc, id);
      return now + 1;
    case Outcome::kWaits:
      return std::min(WhenFree(now, *out, lanes), WhenEligible(now, *out, sendable));
    case Outcome::kNothing:
      break;
  }
  return WhenEligible(now, *out, sendable);
}

/// Inputs with a request in one of the lanes.
RowMasks HalfSwitch::InputsOf(const OutputHalf& out, unsigned lanes) {
  RowMasks inputs = 0;
  ForEachBit(lanes, [&](int v) { inputs |= out.lanes[static_cast<std::size_t>(v)].inputs; });
  return inputs;
}

bool HalfSwitch::HasCandidate(T32 now, const HalfChannel& channel, unsigned inputs, unsigned wanted) const {
  if (IsFree(channel, now)) return true;
  const unsigned owner = 1u << channel.owner;
  if ((inputs & owner) == 0) return false;
  return channel.run < profile_.run_limit_cells || (wanted & ~owner) == 0;
}

unsigned HalfSwitch::CandidateRows(T32 now, const OutputHalf& out, RowMasks inputs, RowMasks wanted) const {
  unsigned rows = 0;
  for (RowMasks left = inputs; left != 0;) {
    const int row = LowestBit(left) / 16;
    left &= ~(RowMasks{0xFFFF} << 16 * row);
    const HalfChannel& channel = out.channels[static_cast<std::size_t>(row)];
    if (HasCandidate(now, channel, RowOf(inputs, row), RowOf(wanted, row))) rows |= 1u << row;
  }
  return rows;
}

/// Steps 3 and 4 of the page, for class `tc`, with the active `lanes` of all classes. False: no candidate.
bool HalfSwitch::FindCandidate(const OutputHalf& out, T32 now, unsigned lanes, int tc, Choice* choice) const {
  lanes &= class_lanes_[static_cast<std::size_t>(tc)];
  const RowMasks wanted = InputsOf(out, lanes);
  unsigned rows_of_lane = 0;
  if ((lanes & (lanes - 1)) == 0) {
    choice->vl = LowestBit(lanes);
    rows_of_lane = CandidateRows(now, out, wanted, wanted);
    if (rows_of_lane == 0) return false;
  } else {
    unsigned with_candidate = 0;
    std::array<std::uint8_t, kMaxLanes> rows;
    ForEachBit(lanes, [&](int v) {
      const unsigned own = CandidateRows(now, out, out.lanes[static_cast<std::size_t>(v)].inputs, wanted);
      rows[static_cast<std::size_t>(v)] = static_cast<std::uint8_t>(own);
      if (own != 0) with_candidate |= 1u << v;
    });
    if (with_candidate == 0) return false;
    choice->vl = RoundRobin(with_candidate, out.lane_pointer[static_cast<std::size_t>(tc)]);
    rows_of_lane = rows[static_cast<std::size_t>(choice->vl)];
  }
  const HalfLane& lane = out.lanes[static_cast<std::size_t>(choice->vl)];
  choice->row = RoundRobin(rows_of_lane, lane.row_pointer);
  const auto row = static_cast<std::size_t>(choice->row);
  const HalfChannel& channel = out.channels[row];
  choice->was_free = IsFree(channel, now);
  choice->input =
      choice->was_free ? RoundRobin(RowOf(lane.inputs, choice->row), lane.input_pointer[row]) : channel.owner;
  return true;
}

/// All channels wanted are busy: when the first of them is free, of those whose first cells have all arrived.
T32 HalfSwitch::WhenFree(T32 now, const OutputHalf& out, unsigned lanes) const {
  const RowMasks wanted = InputsOf(out, lanes);
  T32 when = kFar;
  for (int row = 0; row < profile_.rows; ++row) {
    const HalfChannel& channel = out.channels[static_cast<std::size_t>(row)];
    if (channel.outstanding == 0 && RowOf(wanted, row) != 0 && channel.free_at > now)
      when = std::min(when, channel.free_at);
  }
  return when;
}

/// When the first of the classes with a maximum may send again.
T32 HalfSwitch::WhenEligible(T32 now, const OutputHalf& out, unsigned classes) const {
  T32 when = kFar;
  ForEachBit(classes & out.table->shaped(), [&](int c) {
    const Cycle from = out.scheduler.EligibleFrom(c);
    if (from > base_ + now) when = std::min(when, Rel(from));
  });
  return when;
}

/// Step 5 of the page; the grant leaves.
void HalfSwitch::Grant(int port, OutputHalf* out, T32 now, const Choice& choice, int tc, QueueId id) {
  const auto row = static_cast<std::size_t>(choice.row);
  HalfQueue& queue = queues_[id];
  HalfLane& lane = out->lanes[static_cast<std::size_t>(choice.vl)];
  HalfChannel& channel = out->channels[row];
  const int cells = queue.cells;
  out->room = static_cast<std::int16_t>(out->room - cells);
  AddLoad(port, out, now, -cells);
  out->granted_at = now;
  out->granted_vl = static_cast<std::uint8_t>(choice.vl);
  out->granted_cells = static_cast<std::uint8_t>(cells);
  out->credits.Grant(choice.vl, cells, *out->credit_table);
  ++channel.outstanding;
  if (choice.was_free) {
    channel.owner = static_cast<std::uint8_t>(choice.input);
    channel.run = static_cast<std::uint8_t>(cells);
    lane.input_pointer[row] = PointerAfter(choice.input, profile_.row_in);
  } else {
    channel.run = static_cast<std::uint8_t>(std::min(channel.run + cells, kMostRun));
  }
  out->lane_pointer[static_cast<std::size_t>(tc)] = PointerAfter(choice.vl, profile_.vls);
  lane.row_pointer = PointerAfter(choice.row, profile_.out_rows);
  if (--queue.ungranted != 0) {
    queue.next_grant = packets_[queue.next_grant].next;
    queue.cells = packets_[queue.next_grant].cells;
    queue.more = packets_[queue.next_grant].more;
  }
  if (--queue.stored == 0) {
    lane.inputs &= ~(RowMasks{1} << (16 * choice.row + choice.input));
    if (lane.inputs == 0) out->requested = static_cast<std::uint16_t>(out->requested & ~(1u << choice.vl));
  }
  const int input = geometry_.port(choice.row, choice.input);
  const T32 arrives = now + static_cast<T32>(kGrantToArrival);
  if (arrives < in_done_) ThrowPast("a grant", input, arrives, in_done_);
  Note(arrives + 1);
  in_[static_cast<std::size_t>(input)].grants.waiting.Insert({now, id, geometry_.input[port], geometry_.row[port]});
  in_due_[static_cast<std::size_t>(input)] = std::min(in_due_[static_cast<std::size_t>(input)], arrives);
}

}  // namespace tilefly::golden
