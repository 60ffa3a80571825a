// SPDX-License-Identifier: Apache-2.0
#include "golden/ingress/ingress.h"

#include <algorithm>

#include "golden/acks/ack_checker.h"
#include "golden/common/stage_times.h"
#include "golden/ingress/cut_through.h"
#include "golden/reduction/reductions.h"
#include "golden/state/stage_probe.h"

namespace tilefly::golden {
namespace {

/// Header of a stored bare frame.
HeaderBits HeaderOfBare(const Context& context, const Packet& packet, int tc, std::uint32_t address) {
  const ClassShares::Class& registers = context.registers.port(packet.input).shares->classes[tc];
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kStd);
  header.len = packet.length;
  header.tc = static_cast<std::uint8_t>(tc);
  header.src = context.registers.AddressOf(packet.input);
  header.dst = address;
  header.mode = registers.mode;
  header.ordered = registers.ordered;
  return HeaderBits(header);
}

/// Outgoing lane of the packet, of class `tc`, by `output`.
int LaneOf(const Registers& registers, const Packet& packet, int output, int tc) {
  return registers.tables().Vl(tc, packet.vl_in, registers.port(packet.input).mode.pclass, registers.port(output).mode.pclass);
}

QueueStage::Lanes LanesOf(const Context& context, const Packet& packet, PortMask outputs, int tc) {
  QueueStage::Lanes lanes{};
  ForEachBit(outputs, [&](int output) { lanes[output] = static_cast<std::uint8_t>(LaneOf(context.registers, packet, output, tc)); });
  return lanes;
}

}  // namespace

Ingress::Ingress(Context& context, EdgeFlows& flows)
    : context_(context),
      flows_(flows),
      buffer_(context),
      stage_(context),
      queues_(context),
      requester_(context, queues_),
      transfer_(context),
      chooser_(context.registers, context.loads, context.watchers.routes),
      taken_back_(context.profile.ports) {}

Cycle Ingress::Finish(Cycle now, int port, Cycle a_last, const End& end) {
  if (buffer_.cutting_through(port) && end.status != Drop::kNone) {
    const auto kind = end.status == Drop::kStomped ? Rare::kStomped : Rare::kDamaged;
    rare_.Enter(a_last + kWireToEvent, {kind, static_cast<std::uint8_t>(port), Drop::kNone, kNone});
    if (end.status == Drop::kBroken && (context_.retry_ports & Bit(port)) != 0) BreakOff(port, a_last);
    buffer_.Finish(now, port, a_last, end);
    return a_last + kWireToEvent;
  }
  return buffer_.Finish(now, port, a_last, end);
}

/// The cells of an attempt that was counted and broken off leave the flow account (docs/blocks/link_retry.md, Receiver).
void Ingress::BreakOff(int port, Cycle a_last) {
  const Index id = buffer_.arriving(port);
  if (id == kNone || !context_.registers.port(port).mode.acks) return;
  const Packet& packet = context_.packets[id];
  const Cycle a0 = buffer_.first_word(port);
  const Index broken = broken_off_.Allocate();
  broken_off_[broken] = {a0, static_cast<std::uint16_t>(packet.header.flow()), packet.cells};
  const Cycle due = std::max(a0 + kTriggerToFifo + 1, a_last + kWireToEvent + 1);
  rare_.Enter(due, {Rare::kBrokenOff, static_cast<std::uint8_t>(port), Drop::kNone, broken});
}

/// A packet of trigger `a` is counted. Those that may still be broken off began less than an MTU at one lane ago.
void Ingress::NoteCounted(int port, Cycle a) {
  if (counted_.empty()) counted_.resize(static_cast<std::size_t>(context_.profile.ports));
  std::deque<Cycle>& counted = counted_[static_cast<std::size_t>(port)];
  counted.push_back(a);
  while (counted.front() < a - 4 * context_.profile.mtu_words_enh - kTriggerToFifo) counted.pop_front();
}

void Ingress::Uncount(Cycle now, int port, Index broken) {
  const BrokenOff attempt = broken_off_[broken];
  broken_off_.Release(broken);
  if (counted_.empty()) return;
  const std::deque<Cycle>& counted = counted_[port];
  if (std::find(counted.begin(), counted.end(), attempt.a0) == counted.end()) return;
  flows_.account().Advance(now);
  flows_.account().Uncount(port, attempt.flow, attempt.cells);
  if (context_.watchers.acks != nullptr) context_.watchers.acks->Uncounted(port, attempt.flow, attempt.cells);
}

Cycle Ingress::Refuse(int port, Cycle a0) {
  const Cycle due = a0 + kWireToEvent;
  rare_.Enter(due, {Rare::kHeader, static_cast<std::uint8_t>(port), Drop::kHeader, kNone});
  return due;
}

void Ingress::Commit(Cycle now, Calendars due, std::vector<DropRecord>* drops, bool ring_uses) {
  CountEntered(now + 1);
  const bool takes_back = taken_back_.Next() <= now;
  PortMask busy = 0;  // ports whose packet from the MAC enters the pipeline
  // Admission tests come before all that changes room: they see what the previous cycle committed.
  if ((due & kDueArrival) != 0) {
    buffer_.Admit(now, drops, [&](Index id) {
      const Packet& packet = context_.packets[id];
      if (packet.cut_through) busy |= Bit(packet.input);
      if (IsTaken(packet)) {
        GiveToRing(now, id);
      } else if (packet.cut_through) {
        Describe(now, id);
      }
    });
  }
  if ((due & kDueEnd) != 0) {
    buffer_.Ends(
        now,
        [&](Index id) {
          const Packet& packet = context_.packets[id];
          busy |= Bit(packet.input);
          packet.taken ? TakenEnds(now, id, true, ring_uses) : Describe(now, id);
        },
        [&](Index id) {
          const Packet& packet = context_.packets[id];
          busy |= Bit(packet.input);
          if (packet.taken) context_.counters.Count(packet.input, Counter::kRedDamaged);
          Discard(now - kWireToEvent, id, packet.status);
        });
  }
  if (takes_back) taken_back_.Enter(now, busy, [&](Index id) { DescribeAgain(now, id); });
  if ((due & kDueQueued) != 0) {
    stage_.Commit(
        now, [&](Index id) { Queued(now, id); },
        [&](Index id, PortMask down, const QueueStage::Lanes& lanes) { return MayEnter(now, id, down, lanes); });
  }
  requester_.Repush();
  if ((due & kDueLastCell) != 0) transfer_.LastCells(now, [&](Index id) { LastCell(id); });
  if (takes_back) taken_back_.Ends([&](Index id) { EndCopy(now, id, drops); });
  rare_.Drain(now, [&](const Rare& rare) { Apply(now, rare, drops, ring_uses); });
}

bool Ingress::IsForThisNode(const HeaderBits& header) const {
  return header.an() && context_.profile.red_present != 0 &&
         SwitchAddress::OfPort(header.destination()) == context_.registers.routes().own();
}

/// The packet is the aggregation node's, and has come into the input buffer.
void Ingress::GiveToRing(Cycle now, Index id) {
  Packet& packet = context_.packets[id];
  packet.taken = true;
  if (context_.reductions != nullptr) context_.reductions->Begins(now, packet);
  if (!packet.cut_through) return;
  packet.duration = CutThroughDuration(packet.length, SerdesLanesOf(packet));
  rare_.Enter(now + packet.duration, {Rare::kTakenEnd, packet.input, Drop::kNone, id});
}

/// The end of a taken packet is known: it goes to the reduction port, and is dropped if that has no use for it.
void Ingress::TakenEnds(Cycle now, Index id, bool good, bool ring_uses) {
  const Packet& packet = context_.packets[id];
  bool used = false;
  if (!good) {
    context_.counters.Count(packet.input, Counter::kRedDamaged);
  } else if (context_.reductions == nullptr) {
    used = ring_uses;
    context_.counters.Count(packet.input, used ? Counter::kRxRed : Counter::kRedRefused);
  } else {
    used = context_.reductions->Ends(now, packet);
  }
  Discard(now - kWireToEvent - (packet.cut_through ? packet.duration : 0), id, used ? Drop::kNone : Drop::kRed);
}

/// Where the packet goes, its header, and its class. Ports in `down` are none of its outputs.
Destination Ingress::LookUpPacket(Cycle now, Packet* packet, PortMask down) {
  const Registers& registers = context_.registers;
  Destination destination;
  if (packet->enh || packet->again) {
    destination = LookUp(registers, context_.profile, packet->input, packet->header);
  } else {
    const BareFields fields = packet->bare;
    destination = LookUp(registers, packet->input, fields);
    packet->header = HeaderOfBare(context_, *packet, Classify(registers, packet->input, fields), destination.address);
  }
  packet->decided = packet->nonminimal = packet->follows = false;
  packet->via_came = static_cast<std::uint16_t>(packet->header.via());
  packet->came_by_via = packet->header.via_valid();
  if (destination.drop != Drop::kNone) return destination;
  if (destination.ports != 0) {
    destination.ports &= ~down;
    if (destination.ports == 0) destination.drop = Drop::kNoRoute;
    return destination;
  }
  const RouteChoice choice = chooser_.Choose(now, packet->input, &packet->header, down);
  packet->decided = choice.decided;
  packet->nonminimal = choice.nonminimal;
  packet->follows = choice.follows;
  packet->hash_output = choice.hash_output;
  destination.drop = choice.drop;
  destination.ports = Bit(choice.output);
  return destination;
}

/// Look-up, classification and routing, with the tables of cycle `now` = a + 4.
void Ingress::Describe(Cycle now, Index id) {
  Packet& packet = context_.packets[id];
  const Registers& registers = context_.registers;
  const PortMask down = context_.downs.Shown(now);
  Destination destination = LookUpPacket(now, &packet, down);
  const int tc = packet.header.tc();
  const PortRegisters& port = registers.port(packet.input);
  const int mtu = port.shares->classes[tc].mtu;
  if (destination.drop == Drop::kNone && mtu != 0 && mtu < packet.cells) destination.drop = Drop::kClassMtu;
  if (!packet.again) packet.accounted = destination.drop == Drop::kNone && port.shares->lossy_classes != 0;
  const bool counted = port.mode.acks && packet.header.hop() == 0 &&
                       packet.header.destination() != HeaderBits::kReplicated && !packet.header.is_red();
  packet.in_flow = counted && !port.mode.flows;
  packet.in_channel = counted && port.mode.flows;
  packet.judged = packet.accounted || packet.follows || port.has_flows();
  if (packet.cut_through && (packet.accounted || destination.drop != Drop::kNone)) {
    packet.duration = CutThroughDuration(packet.length, SerdesLanesOf(packet));
  }
  if (destination.drop != Drop::kNone) {
    Discard(now - kWireToEvent, id, destination.drop);
    return;
  }
  if (packet.cut_through && !packet.again) packet.when += StartOffset(packet.length, SerdesLanesOf(packet));
  packet.copies = packet.copies_left = static_cast<std::uint8_t>(__builtin_popcountll(destination.ports));
  packet.holds = static_cast<std::uint8_t>(packet.copies + 1);  // its own way, its cells, every other copy's take
  if (packet.copies > 1) {
    stage_.Replicated(now, id, destination.ports, LanesOf(context_, packet, destination.ports, tc));
    return;
  }
  DescribeUnicast(now, id, LowestBit(destination.ports), tc, down);
}

void Ingress::DescribeUnicast(Cycle now, Index id, int output, int tc, PortMask down) {
  Packet& packet = context_.packets[id];
  packet.output = static_cast<std::uint8_t>(output);
  if (packet.follows) {
    const PortMask all = ~PortMask{0} >> (kMaxPorts - context_.profile.ports);
    stage_.Following(now, id, LanesOf(context_, packet, all, tc), down);
    return;
  }
  packet.vl = static_cast<std::uint8_t>(LaneOf(context_.registers, packet, output, tc));
  if ((packet.decided || packet.in_flow) && !packet.judged && !packet.again) {
    entering_.Push(now + kLookUpToFifo, id);
  }
  stage_.Unicast(now, id);
}

/// The packet comes to the end of the pipeline: whether it enters the queue stage. If its class has no room it is dropped;
/// a flow channel may hold it. It does not follow its flow to a port in `down`. `lanes`: its lanes by output.
bool Ingress::MayEnter(Cycle now, Index id, PortMask down, const QueueStage::Lanes& lanes) {
  Packet& packet = context_.packets[id];
  if (packet.accounted && !packet.again && !buffer_.Account(packet)) {
    packet.accounted = false;
    Discard(now - kTriggerToFifo, id, Drop::kClassFull);
    return false;
  }
  if (flows_.HasChannels(packet.input)) return MayPass(now, id, down, lanes);
  flows_.account().Advance(now);
  const bool keeps_path = !packet.follows || Follow(&packet, down);
  if (!packet.again) Entered(now, id, keeps_path);
  return true;
}

/// The packet enters the queue stage for the first time. `keeps_path`: it has not left the path of its flow because a
/// port is down.
void Ingress::Entered(Cycle now, Index id, bool keeps_path) {
  Packet& packet = context_.packets[id];
  flows_.account().Advance(now);
  CountRouted(packet);
  if (!packet.in_flow) return;
  const HeaderBits& header = packet.header;
  const FlowPath path{header.destination(), static_cast<std::uint16_t>(header.via()), packet.output, header.via_valid()};
  if ((context_.retry_ports & Bit(packet.input)) != 0) NoteCounted(packet.input, now - kTriggerToFifo);
  flows_.account().Enter(packet.input, static_cast<int>(header.flow()), packet.cells, packet.follows ? &path : nullptr);
  if (context_.watchers.acks != nullptr) {
    context_.watchers.acks->Entered(packet.input, header, packet.cells, packet.output, packet.follows && keeps_path);
  }
}

/// An ordered packet takes the path of its flow while packets of it are in flight (docs/blocks/acks.md). Returns false
/// when it does not, because the path's port is in `down`.
bool Ingress::Follow(Packet* packet, PortMask down) const {
  const HeaderBits& header = packet->header;
  const FlowChannel* flow = flows_.account().Find(packet->input, static_cast<int>(header.flow()));
  if (flow == nullptr) return true;
  const bool is_down = (down & Bit(flow->path.port)) != 0;
  if (flow->path_valid && flow->path.destination == header.destination() && !is_down) {
    TakePath(packet, flow->path.port, flow->path.via, flow->path.via_valid);
  } else {
    TakePath(packet, packet->hash_output, packet->via_came, false);
  }
  return !is_down;
}

/// The packet with trigger `a` is dropped in the pipeline: its cells go free when it has come to the end of the pipeline,
/// and its last word has come.
void Ingress::Discard(Cycle a, Index id, Drop reason) {
  const Packet& packet = context_.packets[id];
  const Cycle end = a + kTriggerToFifo;
  Cycle arrived = end;
  if (packet.cut_through) {
    const Cycle last = packet.again ? LastWordOf(packet) : a + packet.duration;
    arrived = last + kLastWordToRelease;
  }
  const auto kind = arrived > end ? Rare::kReleaseArriving : Rare::kRelease;
  rare_.Enter(std::max(end, arrived), {kind, packet.input, reason, id});
}

void Ingress::Apply(Cycle now, const Rare& rare, std::vector<DropRecord>* drops, bool ring_uses) {
  switch (rare.kind) {
    case Rare::kRelease:
    case Rare::kReleaseArriving: {
      const Packet& packet = context_.packets[rare.packet];
      const bool bad_bare = !packet.enh && packet.status != Drop::kNone;
      buffer_.Free(packet, bad_bare ? context_.profile.mtu_cells : packet.cells);
      const DropPlace place = rare.kind == Rare::kRelease ? DropPlace::kPipeline : DropPlace::kArriving;
      if (rare.reason != Drop::kNone) context_.CountDrop(rare.port, rare.reason, place);
      drops->push_back({packet.payload, rare.port, rare.reason});
      context_.packets.Release(rare.packet);
      break;
    }
    case Rare::kTakenEnd:
      TakenEnds(now, rare.packet, context_.packets[rare.packet].status == Drop::kNone, ring_uses);
      break;
    case Rare::kCopiesEnded: {
      const Packet& packet = context_.packets[rare.packet];
      buffer_.Free(packet, packet.cells);
      ReleaseCopy(&context_.packets, rare.packet);
      break;
    }
    case Rare::kBrokenOff:
      Uncount(now, rare.port, rare.packet);
      break;
    case Rare::kHeader:
      context_.CountDrop(rare.port, rare.reason, DropPlace::kAdmission);
      break;
    case Rare::kStomped:
      context_.counters.Count(rare.port, Counter::kRxStomped);
      break;
    case Rare::kDamaged:
      context_.counters.Count(rare.port, Counter::kRxDamaged);
      break;
  }
}

void Ingress::Queued(Cycle now, Index id) {
  const Packet& packet = context_.packets[id];
  if (context_.watchers.stages != nullptr) context_.watchers.stages->Reached(Stage::kQueued, now, packet);
  if (packet.parent == id && !packet.again) context_.counters.Count(packet.input, Counter::kRxPackets);
  requester_.Queued(queues_.Append(id));
}

/// The packet's last cell leaves: its copy entry is free, and its cells are when it was the last copy.
void Ingress::LastCell(Index id) {
  Packet& packet = context_.packets[id];
  const Index parent_id = packet.parent;
  if (parent_id != id) {
    stage_.FreeCopyEntry(packet.input);
    ReleaseCopy(&context_.packets, id);
  }
  Packet& parent = context_.packets[parent_id];
  if (--parent.copies != 0) return;
  buffer_.Free(parent, parent.cells);
  ReleaseCopy(&context_.packets, parent_id);
}

}  // namespace tilefly::golden
