// SPDX-License-Identifier: Apache-2.0
#include "golden/halves/half_switch.h"

#include <stdexcept>
#include <string>

namespace tilefly::golden {
namespace {

/// Cycles that are over are no earlier than so, where the base has moved.
constexpr T32 kEarliest = -(1 << 20);

T32 Moved(T32 at, Cycle by) {
  return at == kFar ? kFar : static_cast<T32>(std::max<Cycle>(at - by, kEarliest));
}

template <typename T, int N>
void MoveAll(Few<T, N>* list, Cycle by) {
  for (int i = 0; i < list->size(); ++i) (*list)[i].at = Moved((*list)[i].at, by);
}

template <typename Message, int kWaiting, int kMerging>
void MoveAll(HalfCrossing<Message, kWaiting, kMerging>* crossing, Cycle by) {
  MoveAll(&crossing->waiting, by);
  MoveAll(&crossing->merging, by);
  crossing->last_step = Moved(crossing->last_step, by);
}

/// Whether cells that are sent by these credits always find room in a buffer of `cells`.
bool Fits(const CreditTable& table, int cells) {
  std::int64_t sum = table.shared;
  for (int v = 0; v < kMaxLanes; ++v) sum += std::min(table.reserve[v], table.cap[v]);
  return sum <= cells;
}

}  // namespace

HalfSwitch::HalfSwitch(const Profile& profile, int class_hold, const Registers& registers, HalfLinks* links)
    : profile_(profile),
      geometry_(profile),
      registers_(registers),
      links_(links),
      in_(static_cast<std::size_t>(profile.ports)),
      ack_depths_{profile.request_credits * profile.vls, profile.cells + profile.copy_entries},
      table_of_(static_cast<std::size_t>(profile.ports) * kMaxLanes, kNoQueue),
      loads_(profile),
      chooser_(registers, loads_, no_checker_) {
  out_.reserve(in_.size());
  in_due_.fill(kFar);
  out_due_.fill(kFar);
  ack_due_.fill(kFar);
  for (int p = 0; p < profile.ports; ++p) {
    out_.emplace_back(profile, class_hold);
    out_.back().room = static_cast<std::int16_t>(profile.obuf_cells);
  }
}

const char* HalfSwitch::WhyNot(const Profile& profile, const Registers& registers) {
  for (int p = 0; p < registers.ports(); ++p) {
    const PortRegisters& port = registers.port(p);
    if (port.mode.enable && port.mode.std_format) return "standard frames";
    if (port.mode.enable && !port.mode.credits) return "no credits";
    if (port.mode.flows) return "flow channels";
    if (port.shares->lossy_classes != 0) return "lossy classes";
    for (const ClassShares::Class& one : port.shares->classes) {
      if (one.mtu != 0) return "an MTU of a class";
    }
    if (!Fits(*port.credit, profile.cells)) return "more credits than room";
  }
  return nullptr;
}

void HalfSwitch::Begin(Cycle now, bool levels, bool by_loads) {
  if (by_loads) loads_.Keep(profile_.ports);
  base_ = now;
  levels_ = levels;
  enabled_ = registers_.enabled();
  own_ = registers_.routes().own();
  vl_class_ = registers_.tables().vl_class;
  class_lanes_ = registers_.tables().class_lanes;
  for (int p = 0; p < profile_.ports; ++p) {
    const PortRegisters& port = registers_.port(p);
    InputHalf& in = in_[p];
    OutputHalf& out = out_[p];
    in.serdes_lanes = out.serdes_lanes = static_cast<std::uint8_t>(port.serdes_lanes());
    pclass_[p] = port.mode.pclass;
    out.edge = port.mode.acks;
    in.cut_through = port.mode.cut_through;
    out.credit_table = port.credit.get();
    out.table = port.scheduler.get();
  }
}

/// Never inlined: the grants that need no history would be slower.
void HalfSwitch::AddToHistory(int port, T32 at, int cells) { loads_.Add(base_ + at, port, cells); }

void HalfSwitch::ThrowPast(const char* what, int port, T32 at, T32 done) const {
  throw std::logic_error(std::string("golden: ") + what + " at port " + std::to_string(port) + " in cycle " +
                         std::to_string(base_ + at) + ", which is over: " + std::to_string(base_ + done) +
                         " has begun");
}

void HalfSwitch::Credit(int port, Cycle wire, int vl, std::uint16_t cells) {
  const T32 at = Rel(wire + kWireToEvent);
  if (at < out_done_ - 1) ThrowPast("a credit return", port, at, out_done_ - 1);
  OutputHalf& out = out_[port];
  out.returns.Insert({at, cells, static_cast<std::uint8_t>(vl)});
  Note(at);
  EnterOutput(port, at + 1);
}

/// Ports are looked at eight at a time, so that a vector holds what is compared.
void HalfSwitch::FindDue() {
  constexpr int kAtATime = 8;
  static_assert(kMaxPorts % kAtATime == 0);
  std::array<T32, kAtATime> due;
  due.fill(kFar);
  for (int first = 0; first < profile_.ports; first += kAtATime) {
    for (int i = 0; i < kAtATime; ++i)
      due[i] = std::min({due[i], in_due_[first + i], out_due_[first + i], ack_due_[first + i]});
  }
  due_ = kFar;
  for (const T32 one : due) due_ = std::min(due_, one);
}

void HalfSwitch::Skip(Cycle to) {
  if (to <= done()) return;
  if (to > Due()) throw std::logic_error("golden: cycles are skipped in which something is due");
  if (to - base_ > span_) return MoveBase(to - base_);
  done_ = in_done_ = out_done_ = Rel(to);
}

void HalfSwitch::Run(Cycle to) {
  if (to - base_ > span_) MoveBase(done_);
  const T32 end = Rel(to);
  if (end - done_ > kMostPiece) throw std::logic_error("golden: a piece of too many cycles");
  RunInputs(std::min<T32>(end, out_done_ + static_cast<T32>(kInputsAhead)));
  RunOutputs(std::min<T32>(end, in_done_ + static_cast<T32>(kOutputsAhead)));
  RunInputs(end);
  RunAcks(end);
  done_ = end;
  FindDue();
}

/// The base goes on by so many cycles; all that is done before it.
void HalfSwitch::MoveBase(Cycle by) {
  ++ways_.moved;
  for (int p = 0; p < profile_.ports; ++p) {
    InputHalf& in = in_[p];
    OutputHalf& out = out_[p];
    for (T32* at : {&in.first_when, &in.last_pop, &in.next_pick, &out.next_decide, &out.next_take, &out.next_ack,
                    &in_due_[p], &out_due_[p], &ack_due_[p]}) {
      *at = Moved(*at, by);
    }
    // A return of long ago is not of the cycle of a grant of long ago.
    out.granted_at = out.granted_at - by < kEarliest ? kEarliest - 1 : static_cast<T32>(out.granted_at - by);
    for (T32& at : out.last_turn) at = Moved(at, by);
    for (HalfChannel& channel : out.channels) channel.free_at = Moved(channel.free_at, by);
    MoveAll(&in.grants, by);
    MoveAll(&in.granted, by);
    MoveAll(&in.returns, by);
    MoveAll(&out.requests, by);
    MoveAll(&out.cells, by);
    MoveAll(&out.rooms, by);
    MoveAll(&out.returns, by);
    if (!ack_.empty()) {
      MoveAll(&ack_[static_cast<std::size_t>(p)].due, by);
      MoveAll(&ack_[static_cast<std::size_t>(p)].crossing, by);
    }
    for (LevelChange& change : in.changes) change.at = Moved(change.at, by);
  }
  packets_.ForEach([by](HalfPacket& packet) { packet.when = Moved(packet.when, by); });
  queues_.ForEach([by](HalfQueue& queue) { queue.pushed = Moved(queue.pushed, by); });
  if (last_ < by) last_before_ = last();
  last_ = last_ < by ? -1 : static_cast<T32>(last_ - by);
  base_ += by;
  done_ = in_done_ = out_done_ = 0;
  FindDue();
}

int HalfSwitch::InputOfSlot(std::size_t slot) const {
  const auto table = static_cast<std::uint16_t>(slot / static_cast<std::size_t>(profile_.ports));
  const auto found = std::find(table_of_.begin(), table_of_.end(), table);
  return static_cast<int>(found - table_of_.begin()) / kMaxLanes;
}

/// Tables are made for lanes in use.
QueueId& HalfSwitch::QueueOf(int input, int output, int vl) {
  std::uint16_t& table = table_of_[static_cast<std::size_t>(input * kMaxLanes + vl)];
  if (table == kNoQueue) {
    table = static_cast<std::uint16_t>(queue_of_.size() / static_cast<std::size_t>(profile_.ports));
    queue_of_.resize(queue_of_.size() + static_cast<std::size_t>(profile_.ports), kNoQueue);
  }
  return queue_of_[static_cast<std::size_t>(table) * static_cast<std::size_t>(profile_.ports) +
                   static_cast<std::size_t>(output)];
}

/// Of routing decisions those are counted that packets have made which come to the queue stage before `end`, two cycles
/// before they are queued.
std::uint64_t HalfSwitch::ReadCounter(int port, int index, Cycle end) {
  constexpr Cycle kBefore = kTriggerToQueued - kTriggerToFifo;
  InputHalf& in = in_[port];
  RouteBefore(port, &in, Rel(end + kBefore));
  const auto entered = [&](bool nonminimal) {
    std::uint64_t count = nonminimal ? in.nonminimal : in.minimal;
    for (Index id = in.first; id != kNone && base_ + packets_[id].when - kBefore < end; id = packets_[id].next)
      count += packets_[id].decided && packets_[id].nonminimal == nonminimal;
    return count;
  };
  switch (static_cast<Counter>(index)) {
    case Counter::kRxPackets:
      return in.packets;
    case Counter::kRoutedMin:
      return entered(false);
    case Counter::kRoutedNonmin:
      return entered(true);
    case Counter::kTxPackets:
      return out_[port].packets;
    case Counter::kAcksMade:
      return ack_.empty() ? 0 : ack_[static_cast<std::size_t>(port)].made;
    case Counter::kAcksIn:
      return ack_.empty() ? 0 : ack_[static_cast<std::size_t>(port)].in;
    case Counter::kBadAcks:
      return ack_.empty() ? 0 : ack_[static_cast<std::size_t>(port)].bad;
    case Counter::kBadCredit:
      ApplyBefore(&out_[port], Rel(end));
      return out_[port].bad_returns;
    default:
      return 0;
  }
}

int HalfSwitch::Used(int port, Cycle end) {
  InputHalf& in = in_[port];
  std::size_t over = 0;
  for (; over < in.changes.size() && base_ + in.changes[over].at < end; ++over) in.used += in.changes[over].cells;
  in.changes.erase(in.changes.begin(), in.changes.begin() + static_cast<std::ptrdiff_t>(over));
  return in.used;
}

void HalfSwitch::Prefetch() const {
  ForEachBit(DueBefore(in_due_, kFar), [&](int port) { golden::Prefetch(&in_[port], sizeof(InputHalf)); });
  ForEachBit(DueBefore(out_due_, kFar), [&](int port) { golden::Prefetch(&out_[port], kPrefetched); });
  packets_.Prefetch();
  queues_.Prefetch();
  golden::Prefetch(table_of_);
  golden::Prefetch(queue_of_);
}

}  // namespace tilefly::golden
