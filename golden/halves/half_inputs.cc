// SPDX-License-Identifier: Apache-2.0
// Input halves (docs/blocks/ingress.md): arrival to queue, requester, grant list and transfer, credit returns.
#include <stdexcept>
#include <string>

#include "golden/arbiter/round_robin.h"
#include "golden/halves/half_switch.h"
#include "golden/ingress/lookup.h"

namespace tilefly::golden {

/// All that happens to a packet up to its queue is known when it arrives, because registers stand; unless it is routed
/// by loads.
void HalfSwitch::Arrive(int port, Cycle wire, Payload payload, const HeaderBits& header) {
  InputHalf& in = in_[port];
  const T32 first_word = Rel(wire);
  const int length = header.length();
  const int words = CeilDiv(length + HeaderBits::kBytes, kWordBytes);
  const T32 trigger = in.cut_through ? first_word : first_word + WordOffset(words - 1, in.serdes_lanes);
  const T32 when = trigger + kTriggerToQueued;
  if (when < in_done_) ThrowPast("a packet", port, when, in_done_);
  ++ways_.arrived;
  const Index id = packets_.Allocate();
  HalfPacket& packet = packets_[id];
  packet.header = header;
  packet.payload = payload;
  packet.when = when;
  packet.next = kNone;
  packet.cells = static_cast<std::uint8_t>(CellsOf(length));
  packet.vl_in = static_cast<std::uint8_t>(header.vl() & 15);
  packet.more = packet.decided = packet.nonminimal = false;
  if (!loads_.kept()) {
    Route(port, wire + kWireToEvent, &packet);
  } else if (in.unrouted == kNone) {
    in.unrouted = id;
  }
  if (in.first == kNone) {
    in.first = id;
    in.first_when = when;
    EnterInput(port, when);
  } else {
    packets_[in.last].next = id;
  }
  in.last = id;
  if (levels_) {
    const LevelChange change{first_word + static_cast<T32>(kWireToEvent), packet.cells};
    in.changes.insert(std::upper_bound(in.changes.begin(), in.changes.end(), change,
                                       [](const LevelChange& a, const LevelChange& b) { return a.at < b.at; }),
                      change);
  }
}

/// Packets of the pipeline that are queued before cycle `queued`, where they are not routed when they arrive. The loads
/// that they see are at least an epoch old, so all outputs have run beyond them.
void HalfSwitch::RouteUnrouted(int port, InputHalf* in, T32 queued) {
  static_assert(kInputsAhead <= kLeastEpoch);
  while (in->unrouted != kNone && packets_[in->unrouted].when < queued) {
    HalfPacket& packet = packets_[in->unrouted];
    Route(port, base_ + packet.when - kLookUpToQueued, &packet);
    ++ways_.routed_late;
    in->unrouted = packet.next;
  }
}

void HalfSwitch::Route(int port, Cycle looked_up, HalfPacket* packet) {
  const int output = OutputOf(port, looked_up, packet);
  packet->output = static_cast<std::uint8_t>(output);
  packet->vl = static_cast<std::uint8_t>(
      registers_.tables().Vl(packet->header.tc(), packet->vl_in, pclass_[port], pclass_[output]) & 15);
}

/// The output of a packet that is looked up in cycle `looked_up`.
int HalfSwitch::OutputOf(int port, Cycle looked_up, HalfPacket* packet) {
  HeaderBits& header = packet->header;
  const std::uint32_t address = header.destination();
  const SwitchAddress target = SwitchAddress::OfPort(address);
  if (header.mode() == static_cast<int>(RouteMode::kMinHash) && target != own_ && header.hop() != 0 &&
      !header.via_valid() && header.hop() < profile_.hop_limit) {
    const PortMask ports = registers_.routes().Towards(target) & enabled_;
    if (ports != 0 && (ports & (ports - 1)) == 0) {
      ++ways_.routed_short;
      return LowestBit(ports);
    }
  }
  const Destination destination = LookUp(registers_, profile_, port, header);
  Drop drop = destination.drop;
  if (drop == Drop::kNone && destination.ports != 0) {
    if ((destination.ports & (destination.ports - 1)) == 0) return LowestBit(destination.ports);
    throw std::logic_error("golden: a replicated packet in a switch that runs as halves");
  }
  if (drop == Drop::kNone) {
    const RouteChoice choice = chooser_.Choose(looked_up, port, &header);
    packet->decided = choice.decided;
    packet->nonminimal = choice.nonminimal;
    drop = choice.drop;
    // A flow in order keeps its path while it has packets in flight, and would be given the same: no table changes.
    if (drop == Drop::kNone && (!choice.follows || header.mode() == static_cast<int>(RouteMode::kInOrder)))
      return choice.output;
  }
  throw std::logic_error("golden: a packet at port " + std::to_string(port) +
                         " is dropped in a switch that runs as halves, reason " +
                         std::to_string(static_cast<int>(drop)));
}

void HalfSwitch::RunInputs(T32 to) {
  ForEachBit(DueBefore(in_due_, to), [&](int port) { RunInput(port, to); });
  in_done_ = to;
}

void HalfSwitch::RunInput(int port, T32 to) {
  InputHalf& in = in_[port];
  for (;;) {
    const T32 queued = in.first_when;
    const T32 step = in.grants.NextStep();
    const T32 granted = step == kFar ? kFar : step + static_cast<T32>(kGrantToArrival);
    const T32 now = std::min({queued, granted, to});
    const QueueId popped = PopUntil(port, &in, now, to);
    if (now == to) break;
    Note(now);
    if (granted == now) GrantArrives(port, &in, now, to, StepGrants(&in, step).queue, popped);
    if (queued == now) QueueFirst(port, &in, now, popped);
    if (popped != kNoQueue) Repush(&in, popped, now);
  }
  PickUntil(port, &in, to);
  ReturnUntil(port, &in, to);
  in_due_[port] = DueOf(in);
}

T32 HalfSwitch::DueOf(const InputHalf& in) const {
  T32 due = in.first_when;
  if (in.first_ready != kNoQueue) due = std::min(due, std::max(in.last_pop, queues_[in.first_ready].pushed) + 1);
  if (const T32 step = in.grants.NextStep(); step != kFar) due = std::min<T32>(due, step + kGrantToArrival);
  if (!in.granted.empty()) {
    int which;
    due = std::min(due, NextPick(in, &which));
  }
  if (!in.returns.empty()) due = std::min(due, in.returns.front().at);
  return due;
}

/// Pops of the requester up to cycle `now`. Before it nothing else happens, so a queue that is popped is judged at
/// once; one that is popped in `now` is returned, because it is judged after that cycle's other events.
QueueId HalfSwitch::PopUntil(int port, InputHalf* in, T32 now, T32 to) {
  while (in->first_ready != kNoQueue) {
    const QueueId id = in->first_ready;
    const T32 pop = std::max(in->last_pop, queues_[id].pushed) + 1;
    if (pop > now || pop >= to) break;
    Pop(port, in, pop);
    if (pop == now) return id;
    Repush(in, id, pop);
  }
  return kNoQueue;
}

void HalfSwitch::Push(InputHalf* in, QueueId id, T32 now) {
  HalfQueue& queue = queues_[id];
  queue.ready = true;
  queue.pushed = now;
  queue.next_ready = kNoQueue;
  if (in->first_ready == kNoQueue) {
    in->first_ready = id;
  } else {
    queues_[in->last_ready].next_ready = id;
  }
  in->last_ready = id;
}

void HalfSwitch::Repush(InputHalf* in, QueueId id, T32 now) {
  const HalfQueue& queue = queues_[id];
  if (queue.unrequested > 0 && queue.credits > 0) Push(in, id, now);
}

/// A request leaves.
void HalfSwitch::Pop(int port, InputHalf* in, T32 now) {
  const QueueId id = in->first_ready;
  HalfQueue& queue = queues_[id];
  in->first_ready = queue.next_ready;
  in->last_pop = now;
  queue.ready = false;
  const Index packet_id = queue.next_request;
  HalfPacket& packet = packets_[packet_id];
  queue.next_request = packet.next;
  packet.more = --queue.unrequested != 0;
  --queue.credits;
  if (queue.ungranted++ == 0) {
    queue.next_grant = packet_id;
    queue.cells = packet.cells;
    queue.more = packet.more;
  }
  const T32 arrives = now + static_cast<T32>(kCrossing);
  if (arrives < out_done_ - 1) ThrowPast("a request", queue.output, arrives, out_done_ - 1);
  ++ways_.popped;
  Note(arrives + 1);
  out_[queue.output].requests.Insert({now, id, static_cast<std::uint8_t>(geometry_.input[port] & 15),
                                      static_cast<std::uint8_t>(geometry_.row[port] & 15), packet.cells});
  out_due_[queue.output] = std::min(out_due_[queue.output], arrives + 1);
}

T32 HalfSwitch::StartOffsetOf(int length, int serdes_lanes) {
  if (length != latest_offset_.length || serdes_lanes != latest_offset_.serdes_lanes)
    latest_offset_ = {length, serdes_lanes, static_cast<T32>(StartOffset(length, serdes_lanes))};
  return latest_offset_.offset;
}

/// The first packet of the pipeline comes to its queue.
void HalfSwitch::QueueFirst(int port, InputHalf* in, T32 now, QueueId popped) {
  RouteBefore(port, in, now + 1);
  const Index id = in->first;
  HalfPacket& packet = packets_[id];
  in->first = packet.next;
  in->first_when = packet.next == kNone ? kFar : packets_[packet.next].when;
  packet.next = kNone;
  ++in->packets;
  ++ways_.queued;
  if (out_[port].edge && packet.header.hop() == 0) in_flight_ += packet.cells;
  if (packet.decided) ++(packet.nonminimal ? in->nonminimal : in->minimal);
  QueueId& entry = QueueOf(port, packet.output, packet.vl);
  if (entry == kNoQueue) {
    entry = queues_.Allocate();
    HalfQueue fresh{};
    fresh.first = kNone;
    fresh.credits = static_cast<std::uint8_t>(profile_.request_credits);
    fresh.output = packet.output;
    fresh.vl = packet.vl;
    queues_[entry] = fresh;
  }
  HalfQueue& queue = queues_[entry];
  if (queue.first == kNone) {
    queue.first = id;
  } else {
    packets_[queue.last].next = id;
  }
  queue.last = id;
  if (queue.unrequested++ == 0) queue.next_request = id;
  packet.when = in->cut_through ? packet.when - static_cast<T32>(kTriggerToQueued + kPickToLeave) +
                                      StartOffsetOf(packet.header.length(), in->serdes_lanes)
                                : now;
  if (!queue.ready && popped != entry && queue.credits > 0) Push(in, entry, now);
}

GrantMessage HalfSwitch::StepGrants(InputHalf* in, T32 step) {
  if (in->grants.Alone(step)) {
    ++ways_.grants_alone;
    return in->grants.TakeLone(step, profile_);
  }
  ++ways_.grants_stepped;
  return in->grants.TakeChosen(step, profile_, {});
}

/// A grant and its request credit arrive in cycle `now`.
void HalfSwitch::GrantArrives(int port, InputHalf* in, T32 now, T32 to, QueueId id, QueueId popped) {
  HalfQueue& queue = queues_[id];
  const Index packet_id = queue.first;
  const HalfPacket& packet = packets_[packet_id];
  queue.first = packet.next;
  ++queue.credits;
  if (!queue.ready && popped != id && queue.unrequested > 0) Push(in, id, now);
  if (queue.first == kNone && queue.credits == profile_.request_credits) {
    QueueOf(port, queue.output, queue.vl) = kNoQueue;
    queues_.Release(id);
  }
  PickUntil(port, in, now + 1);
  // A packet that may start as soon as the input is free is overtaken by none that is granted later.
  const T32 pick = std::max(now + 1, in->next_pick);
  if (in->granted.empty() && packet.when <= pick && pick < to) {
    ++ways_.picked_at_once;
    return Pick(port, in, pick, packet_id);
  }
  in->granted.Append({now, packet_id});
}

/// When the next transfer begins, and whose it is, with the grants that have arrived.
T32 HalfSwitch::NextPick(const InputHalf& in, int* which) const {
  T32 earliest = kFar;
  for (int i = 0; i < in.granted.size(); ++i) {
    const GrantedPacket& one = in.granted[i];
    const T32 pick = std::max({in.next_pick, one.at + 1, packets_[one.packet].when});
    if (pick >= earliest) continue;
    earliest = pick;
    *which = i;
  }
  return earliest;
}

/// Transfers of granted packets that begin before cycle `to`.
void HalfSwitch::PickGranted(int port, InputHalf* in, T32 to) {
  while (!in->granted.empty()) {
    int which = 0;
    const T32 pick = NextPick(*in, &which);
    if (pick >= to) return;
    const Index id = in->granted[which].packet;
    in->granted.Erase(which);
    ++ways_.picked_later;
    Pick(port, in, pick, id);
  }
}

void HalfSwitch::Pick(int port, InputHalf* in, T32 pick, Index id) {
  HalfPacket& packet = packets_[id];
  in->next_pick = pick + packet.cells;
  packet.header.Leave(port, packet.vl);
  const T32 arrives = pick + static_cast<T32>(kPickToArrival);
  if (arrives < out_done_ - 1) ThrowPast("a first cell", packet.output, arrives, out_done_ - 1);
  out_[packet.output].cells.Insert({arrives, id, geometry_.row[port], packet.cells});
  out_due_[packet.output] = std::min(out_due_[packet.output], arrives + 1);
  const T32 freed = pick + static_cast<T32>(kPickToLeave) - 1 + packet.cells;
  std::uint16_t& sum = in->freed[packet.vl_in];
  sum = static_cast<std::uint16_t>(sum + packet.cells);
  in->returns.Append({freed + 1, sum, packet.vl_in});
  Note(freed + 1);
  if (levels_) {
    in->changes.insert(std::upper_bound(in->changes.begin(), in->changes.end(), LevelChange{freed, 0},
                                        [](const LevelChange& a, const LevelChange& b) { return a.at < b.at; }),
                       {freed, -packet.cells});
  }
}

/// Cells of one lane at most go free in a cycle, and their return is decided in the next: no lane waits for another.
void HalfSwitch::ReturnUntil(int port, InputHalf* in, T32 to) {
  for (; !in->returns.empty() && in->returns.front().at < to; in->returns.PopFront()) {
    const DueReturn& due = in->returns.front();
    ++ways_.returned;
    links_->Return({base_ + due.at + kCreditToWire, static_cast<std::uint8_t>(port), due.vl, due.cells});
  }
}

}  // namespace tilefly::golden
