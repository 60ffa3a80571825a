// SPDX-License-Identifier: Apache-2.0
// The switch as halves that run ahead of each other (docs/timing.md, Halves): a second engine of the same switch, equal
// to Switch in every counter and cycle.
//
// An input hears of a grant 11 cycles after its decision, an output of a request 8 cycles after it left. So all inputs
// are run for some cycles, then all outputs, and each half does at once what Switch does in many visits of a cycle.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "golden/acks/ack_unit.h"
#include "golden/common/pool.h"
#include "golden/common/stage_times.h"
#include "golden/halves/half_ports.h"
#include "golden/ingress/cut_through.h"
#include "golden/link/departure.h"
#include "golden/registers/registers.h"
#include "golden/routing/chooser.h"
#include "golden/switch/switch.h"

namespace tilefly::golden {

/// Who takes what a switch puts on its links.
class HalfLinks {
 public:
  virtual ~HalfLinks() = default;
  /// The link takes a packet. What comes of it may be told to the switch at once.
  virtual void Depart(const Departure& departure) = 0;
  virtual void Return(const CreditReturn& credit) = 0;
  /// An ack that has crossed the switch.
  virtual void PassOn(const AckReturn& ack) = 0;
};

/// How often the engine took each of its ways, for tests.
struct HalfWays {
  std::int64_t arrived = 0;           ///< packets routed and put into the pipeline
  std::int64_t routed_short = 0;      ///< of these, without the chooser
  std::int64_t routed_late = 0;       ///< packets routed when they come to their queue
  std::int64_t queued = 0;
  std::int64_t popped = 0;            ///< requests that left
  std::int64_t requests_alone = 0;    ///< requests that crossed without a choice
  std::int64_t requests_stepped = 0;  ///< requests that won a choice
  std::int64_t express = 0;           ///< grants with the forgetting after them in one
  std::int64_t decided = 0;           ///< decisions of the scheduler
  std::int64_t granted = 0;           ///< of these, grants
  std::int64_t grants_alone = 0;      ///< grants that crossed without a choice
  std::int64_t grants_stepped = 0;    ///< grants that won a choice
  std::int64_t picked_at_once = 0;    ///< transfers known with the grant's arrival
  std::int64_t picked_later = 0;
  std::int64_t returned = 0;          ///< credit returns
  std::int64_t taken = 0;
  std::int64_t taken_by_turn = 0;     ///< of these, chosen among first cells of one cycle
  std::int64_t woken = 0;             ///< events that woke an output with requests
  std::int64_t acks_left = 0;         ///< acks that outputs made or passed on
  std::int64_t acks_alone = 0;        ///< acks that crossed without a choice
  std::int64_t acks_stepped = 0;      ///< acks that won a choice
  std::int64_t moved = 0;             ///< times that the base moved
};

class HalfSwitch {
 public:
  /// Most cycles of a piece: inputs run 11 cycles, outputs 20, inputs 9 more. In as many cycles a packet that is told
  /// after a piece, and is on the wire in its first cycle, comes to its queue.
  static constexpr Cycle kInputsAhead = kGrantToArrival;
  static constexpr Cycle kOutputsAhead = kCrossing + kEventToDecision;
  static constexpr Cycle kMostPiece = kInputsAhead + kOutputsAhead;
  static_assert(kMostPiece <= kTriggerToQueued);
  /// Cycles of the shortest epoch of the load ring.
  static constexpr Cycle kLeastEpoch = 16;
  /// Virtual output queues with packets at a time.
  static constexpr int kMostQueues = Pool<HalfQueue, QueueId>::kMost;
  /// Cycles from the base after which it moves.
  static constexpr Cycle kSpan = Cycle{1} << 30;

  /// `registers` and `links` must outlive the switch. `class_hold`: see DeficitTable.
  HalfSwitch(const Profile& profile, int class_hold, const Registers& registers, HalfLinks* links);

  /// Why a switch with these registers does not run as halves; null: it does.
  static const char* WhyNot(const Profile& profile, const Registers& registers);

  /// Before all else: registers are as they will be, and nothing happens before cycle `now`. `levels`: Load() and
  /// Used() will be asked for. `by_loads`: packets may come whose way depends on the loads of outputs.
  void Begin(Cycle now, bool levels, bool by_loads = false);
  /// For tests: the base moves after `span` cycles.
  void MoveAfter(Cycle span) { span_ = span; }

  /// A packet's first word is on the port's link in wire cycle `wire`. Throws std::logic_error for a packet that comes
  /// too late, or that would be dropped.
  void Arrive(int port, Cycle wire, Payload payload, const HeaderBits& header);
  /// A credit return is on the port's link in wire cycle `wire`. Throws std::logic_error when it comes too late.
  void Credit(int port, Cycle wire, int vl, std::uint16_t cells);
  /// An ack is on the port's link in wire cycle `wire`. Throws std::logic_error when it comes too late.
  void Acknowledge(int port, Cycle wire, const Ack& ack);

  /// All cycles before it are done.
  Cycle done() const { return base_ + done_; }
  /// The next cycle in which something may happen; kNever: nothing will by itself.
  Cycle Due() const { return due_ == kFar ? kNever : base_ + std::max(due_, done_); }
  /// The latest cycle in which something happened, or is known to happen.
  Cycle last() const { return last_ < 0 ? last_before_ : base_ + last_; }
  /// Nothing happens before cycle `to`.
  void Skip(Cycle to);
  /// Does all cycles before `to`, at most kMostPiece.
  void Run(Cycle to);

  /// Between two calls of Run: a counter of the port before cycle `end`, where nothing is due before it that is not
  /// done. 0 where Switch has a counter that this engine does not move.
  std::uint64_t ReadCounter(int port, int index, Cycle end);
  /// Cells requested and not yet granted, and cells accounted in the input buffer, before cycle `end`. Nothing is due
  /// before it that is not done.
  int Load(int port, Cycle end);
  int Used(int port, Cycle end);
  /// Room of the output buffer, and the account of the far end, as events before cycle `end` leave them; kNever: all
  /// events that are known.
  int Room(int port, Cycle end);
  const CreditSender& Credits(int port, Cycle end);
  std::size_t packets() const { return packets_.size(); }
  /// Cells that the flow accounts of edge ports have in flight, of all flows.
  std::int64_t in_flight() const { return in_flight_; }
  /// Calls `visit(input, vl_in, output, vl)` for every packet in a virtual output queue.
  template <typename Visit>
  void ForEachQueued(Visit&& visit) const {
    for (std::size_t slot = 0; slot < queue_of_.size(); ++slot) {
      if (queue_of_[slot] == kNoQueue) continue;
      const HalfQueue& queue = queues_[queue_of_[slot]];
      const int input = InputOfSlot(slot);
      for (Index id = queue.first; id != kNone; id = packets_[id].next)
        visit(input, int{packets_[id].vl_in}, int{queue.output}, int{queue.vl});
    }
  }
  const HalfWays& ways() const { return ways_; }

  /// The state between two calls of Run, of a switch that has begun. See golden/common/archive.h. What Begin takes from
  /// the registers is left out.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(base_, done_, in_done_, out_done_, last_, last_before_, in_due_, out_due_, ack_due_, due_, in_, out_, ack_,
            in_flight_, packets_, queues_, table_of_, queue_of_, loads_, chooser_);
  }
  /// Calls `visit(payload)` for the payload of each packet inside.
  template <typename Visit>
  void ForEachPayload(Visit&& visit) {
    packets_.ForEach([&](HalfPacket& packet) { visit(packet.payload); });
  }

  void Prefetch() const;
  /// Prefetch what a packet, or what a credit return or an ack, will change at the port.
  void PrefetchInput(int port) const { golden::Prefetch(&in_[static_cast<std::size_t>(port)], 1); }
  void PrefetchOutput(int port) const { golden::Prefetch(&out_[static_cast<std::size_t>(port)].returns, 1); }
  void PrefetchRoute(const HeaderBits& header) const {
    registers_.routes().Prefetch(SwitchAddress::OfPort(header.destination()));
  }

 private:
  /// Of an output half: all but the lanes above 3.
  static constexpr std::size_t kPrefetched = 8 * kCacheLine;

  /// From the event in which an ack is made or passed on to its arrival across the switch.
  static constexpr T32 kAckCrossing = kAckToLeave + kCrossing;

  struct Choice {
    int vl;
    int row;
    int input;  ///< of the row
    bool was_free;
  };

  T32 Rel(Cycle cycle) const { return static_cast<T32>(cycle - base_); }
  /// The half of the port has something to do in cycle `at`.
  void EnterInput(int port, T32 at) {
    in_due_[port] = std::min(in_due_[port], at);
    due_ = std::min(due_, at);
  }
  void EnterOutput(int port, T32 at) {
    out_due_[port] = std::min(out_due_[port], at);
    due_ = std::min(due_, at);
  }
  void FindDue();
  /// The ports with something to do before cycle `to`. Nearly every look is another, so it has no branches.
  PortMask DueBefore(const std::array<T32, kMaxPorts>& due, T32 to) const {
    PortMask ports = 0;
    for (int port = 0; port < profile_.ports; ++port) ports |= PortMask{due[port] < to} << port;
    return ports;
  }
  /// Event of cycle `at`: the load of the output changes.
  void AddLoad(int port, OutputHalf* out, T32 at, int cells) {
    out->load += cells;
    if (loads_.kept()) AddToHistory(port, at, cells);
  }
  [[gnu::noinline]] void AddToHistory(int port, T32 at, int cells);
  [[noreturn]] void ThrowPast(const char* what, int port, T32 at, T32 done) const;
  void MoveBase(Cycle by);
  int InputOfSlot(std::size_t slot) const;
  QueueId& QueueOf(int input, int output, int vl);
  void Note(T32 at) { last_ = std::max(last_, at); }

  // Inputs
  void Route(int port, Cycle looked_up, HalfPacket* packet);
  int OutputOf(int port, Cycle looked_up, HalfPacket* packet);
  void RouteBefore(int port, InputHalf* in, T32 queued) {
    if (in->unrouted != kNone) RouteUnrouted(port, in, queued);
  }
  [[gnu::noinline]] void RouteUnrouted(int port, InputHalf* in, T32 queued);
  T32 StartOffsetOf(int length, int serdes_lanes);
  void RunInputs(T32 to);
  void RunInput(int port, T32 to);
  QueueId PopUntil(int port, InputHalf* in, T32 now, T32 to);
  void Push(InputHalf* in, QueueId id, T32 now);
  void Pop(int port, InputHalf* in, T32 now);
  void Repush(InputHalf* in, QueueId id, T32 now);
  void QueueFirst(int port, InputHalf* in, T32 now, QueueId popped);
  GrantMessage StepGrants(InputHalf* in, T32 step);
  void GrantArrives(int port, InputHalf* in, T32 now, T32 to, QueueId id, QueueId popped);
  T32 NextPick(const InputHalf& in, int* which) const;
  void PickUntil(int port, InputHalf* in, T32 to) {
    if (!in->granted.empty()) PickGranted(port, in, to);
  }
  void PickGranted(int port, InputHalf* in, T32 to);
  void Pick(int port, InputHalf* in, T32 pick, Index id);
  void ReturnUntil(int port, InputHalf* in, T32 to);
  T32 DueOf(const InputHalf& in) const;

  // Outputs
  void RunOutputs(T32 to);
  void RunOutput(int port, T32 to);
  void TakeUntil(int port, OutputHalf* out, T32 to);
  void ChooseTaken(OutputHalf* out);
  void TakePacket(int port, OutputHalf* out, T32 take);
  static T32 NextRequestStep(const OutputHalf& out);
  RequestMessage StepRequests(OutputHalf* out, T32 step);
  void Store(int port, OutputHalf* out, T32 at, const RequestMessage& message);
  /// The next event that may wake an output.
  static T32 NextWaking(const OutputHalf& out) {
    T32 at = kFar;
    if (!out.rooms.empty()) at = out.rooms.front().at;
    if (!out.returns.empty()) at = std::min(at, out.returns.front().at);
    if (out.applied < out.cells.size()) at = std::min(at, out.cells[out.applied].at);
    return at;
  }
  void WakeBy(OutputHalf* out, T32 at);
  /// Applies the events of cycles before `to`; none of them wakes the output.
  void ApplyBefore(OutputHalf* out, T32 to) {
    if (NextWaking(*out) < to) ApplyAllBefore(out, to);
  }
  void ApplyAllBefore(OutputHalf* out, T32 to);
  void ApplyRoom(OutputHalf* out);
  void ApplyCredit(OutputHalf* out);
  T32 ApplyCell(OutputHalf* out);
  void DropCells(OutputHalf* out);
  bool Express(int port, OutputHalf* out, const RequestMessage& message, T32 now);
  T32 Decide(int port, OutputHalf* out, T32 now);
  bool FindCandidate(const OutputHalf& out, T32 now, unsigned lanes, int tc, Choice* choice) const;
  bool HasCandidate(T32 now, const HalfChannel& channel, unsigned inputs, unsigned wanted) const;
  unsigned CandidateRows(T32 now, const OutputHalf& out, RowMasks inputs, RowMasks wanted) const;
  static RowMasks InputsOf(const OutputHalf& out, unsigned lanes);
  T32 WhenFree(T32 now, const OutputHalf& out, unsigned lanes) const;
  T32 WhenEligible(T32 now, const OutputHalf& out, unsigned classes) const;
  void Grant(int port, OutputHalf* out, T32 now, const Choice& choice, int tc, QueueId id);
  unsigned ClassesOf(unsigned lanes) const;
  T32 DueOf(const OutputHalf& out) const;

  // Acks
  void MakeAck(int port, const HeaderBits& header, int cells, T32 at);
  void ExpectAck(int port, const DueAck& ack);
  /// Acks up to cycle `until` leave for the crossbar. The load is that of the cycle before: no request that comes in
  /// `until`, and no grant of it, is in it yet.
  void LeaveAcks(int port, OutputHalf* out, T32 until) {
    while (out->next_ack <= until) LeaveAck(port, out);
  }
  void LeaveAck(int port, OutputHalf* out);
  void RunAcks(T32 to);
  void RunAck(int port, T32 to);

  const Profile& profile_;
  const Geometry geometry_;
  const Registers& registers_;
  HalfLinks* links_;
  Cycle base_ = 0;
  Cycle span_ = kSpan;
  T32 done_ = 0;
  T32 in_done_ = 0;   ///< inputs have done all cycles before it
  T32 out_done_ = 0;  ///< outputs have decided in all cycles before it, and know all events before the last of them
  T32 last_ = -1;          ///< see last(); -1: `last_before_` is
  Cycle last_before_ = 0;
  bool levels_ = false;
  PortMask enabled_ = 0;
  SwitchAddress own_{0, 0};
  std::array<T32, kMaxPorts> in_due_;  ///< by port; kFar where there is no port, too
  std::array<T32, kMaxPorts> out_due_;
  std::array<T32, kMaxPorts> ack_due_;
  T32 due_ = kFar;  ///< the earliest of them; only between two calls of Run
  std::array<std::uint8_t, kMaxPorts> pclass_{};  ///< by port
  std::array<std::uint8_t, kMaxLanes> vl_class_{};
  std::array<std::uint16_t, kMaxClasses> class_lanes_{};
  std::vector<InputHalf> in_;
  std::vector<OutputHalf> out_;
  std::vector<AckHalf> ack_;  ///< none until the first ack
  std::int64_t in_flight_ = 0;
  const CrossingDepths ack_depths_;
  Pool<HalfPacket> packets_;
  Pool<HalfQueue, QueueId> queues_;
  std::vector<std::uint16_t> table_of_;  ///< of each (input, lane): its table of `queue_of_`, an entry for each output
  std::vector<QueueId> queue_of_;
  /// The answer of StartOffsetOf for these values: most packets of a run have one size.
  struct {
    int length = 0;
    int serdes_lanes = 4;
    T32 offset = static_cast<T32>(StartOffset(0, 4));
  } latest_offset_;
  LoadHistory loads_;                    ///< kept only when packets are routed by them
  RouteChecker* no_checker_ = nullptr;
  ChooserBy<LoadHistory> chooser_;
  HalfWays ways_;
};

}  // namespace tilefly::golden
