// SPDX-License-Identifier: Apache-2.0
#include "golden/ingress/ingress.h"

#include "golden/ingress/cut_through.h"
#include "golden/ingress/lookup.h"
#include "golden/routing/candidates.h"

namespace tilefly::golden {
namespace {

/// Header of a stored bare frame.
HeaderBits HeaderOfBare(const Context& context, const Packet& packet, int tc, std::uint32_t address) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kStd);
  header.len = packet.length;
  header.tc = static_cast<std::uint8_t>(tc);
  header.src = FabricAddress(context.registers.group(), context.registers.switch_number(), packet.input);
  header.dst = address;
  return HeaderBits(header);
}

}  // namespace

Ingress::Ingress(Context& context)
    : context_(context), buffer_(context), stage_(context), queues_(context), requester_(context, queues_), transfer_(context) {}

Cycle Ingress::Finish(Cycle now, int port, Cycle a_last, const End& end) {
  if (buffer_.cutting_through(port) && end.status != Drop::kNone) {
    const auto kind = end.status == Drop::kStomped ? Rare::kStomped : Rare::kDamaged;
    rare_.Enter(a_last + InputBuffer::kAdmission, {kind, static_cast<std::uint8_t>(port), Drop::kNone, kNone});
    buffer_.Finish(now, port, a_last, end);
    return a_last + InputBuffer::kAdmission;
  }
  return buffer_.Finish(now, port, a_last, end);
}

Cycle Ingress::Refuse(int port, Cycle a0) {
  const Cycle due = a0 + InputBuffer::kAdmission;
  rare_.Enter(due, {Rare::kHeader, static_cast<std::uint8_t>(port), Drop::kHeader, kNone});
  return due;
}

void Ingress::Commit(Cycle now, std::vector<DropRecord>* drops) {
  // Admission tests come first: they see what the previous cycle committed.
  buffer_.Admit(now, drops, [&](Index id) { Describe(now, id); });
  buffer_.Ends(
      now, [&](Index id) { Describe(now, id); },
      [&](Index id) { Discard(now + kRelease, id, context_.packets[id].status); });
  stage_.Commit(now, [&](Index id) { Queued(id); });
  requester_.Repush();
  transfer_.LastCells(now, [&](Index id) { LastCell(id); });
  rare_.Drain(now, [&](const Rare& rare) { Happen(rare, drops); });
}

/// Look-up, classification and routing, with the tables of cycle `now` = a + 4.
void Ingress::Describe(Cycle now, Index id) {
  Packet& packet = context_.packets[id];
  const Registers& registers = context_.registers;
  Destination destination;
  int tc;
  if (packet.enh) {
    destination = LookUp(registers, context_.profile, packet.input, packet.header);
    tc = packet.header.tc();
  } else {
    const BareFields fields = packet.bare;
    destination = LookUp(registers, context_.profile, packet.input, fields);
    tc = Classify(registers, packet.input, fields);
    packet.header = HeaderOfBare(context_, packet, tc, destination.address);
  }
  if (destination.drop != Drop::kNone) {
    Cycle due = now + kRelease;
    if (packet.cut_through) {
      const int last_word = CeilDiv(packet.length + HeaderBits::kBytes, 32) - 1;
      const Cycle a_last = packet.when + WordOffset(last_word, registers.port(packet.input).lanes());
      due = std::max(due, a_last + 6);
    }
    Discard(due, id, destination.drop);
    return;
  }
  if (packet.cut_through) packet.when += StartOffset(packet.length, registers.port(packet.input).lanes());
  packet.copies = packet.untaken = static_cast<std::uint8_t>(__builtin_popcountll(destination.ports));
  packet.holds = static_cast<std::uint8_t>(packet.copies + 1);  // its own way, its cells, every other copy's take
  if (packet.copies > 1) {
    DescribeReplicated(now, id, destination.ports, tc);
    return;
  }
  const int output = LowestBit(destination.ports);
  const int vl = registers.tables().Vl(tc, packet.vl_in, registers.port(packet.input).mode.pclass,
                                       registers.port(output).mode.pclass);
  const Candidate candidate = CandidateSet::Of(output, vl).Choose();
  packet.output = candidate.output;
  packet.vl = candidate.vl;
  stage_.Unicast(now, id);
}

void Ingress::DescribeReplicated(Cycle now, Index id, PortMask outputs, int tc) {
  const Packet& packet = context_.packets[id];
  const Registers& registers = context_.registers;
  QueueStage::Lanes lanes{};
  ForEachBit(outputs, [&](int output) {
    const int vl = registers.tables().Vl(tc, packet.vl_in, registers.port(packet.input).mode.pclass,
                                         registers.port(output).mode.pclass);
    lanes[output] = CandidateSet::Of(output, vl).Choose().vl;
  });
  stage_.Replicated(now, id, outputs, lanes);
}

void Ingress::Discard(Cycle due, Index id, Drop reason) {
  rare_.Enter(due, {Rare::kRelease, context_.packets[id].input, reason, id});
}

void Ingress::Happen(const Rare& rare, std::vector<DropRecord>* drops) {
  switch (rare.kind) {
    case Rare::kRelease: {
      const Packet& packet = context_.packets[rare.packet];
      const bool bad_bare = !packet.enh && packet.status != Drop::kNone;
      buffer_.Free(packet, bad_bare ? context_.profile.mtu_cells : packet.cells);
      context_.CountDrop(rare.port, rare.reason, false);
      drops->push_back({packet.payload, rare.port, rare.reason});
      context_.packets.Release(rare.packet);
      break;
    }
    case Rare::kHeader:
      context_.CountDrop(rare.port, rare.reason, true);
      break;
    case Rare::kStomped:
      context_.counters.Count(rare.port, Counter::kRxStomped);
      break;
    case Rare::kDamaged:
      context_.counters.Count(rare.port, Counter::kRxDamaged);
      break;
  }
}

void Ingress::Queued(Index id) {
  const Packet& packet = context_.packets[id];
  if (packet.parent == id) context_.counters.Count(packet.input, Counter::kRxPackets);
  requester_.Queued(queues_.Append(id));
}

/// The packet's last cell leaves: its copy entry is free, and its cells are when it was the last copy.
void Ingress::LastCell(Index id) {
  Packet& packet = context_.packets[id];
  const Index parent_id = packet.parent;
  if (parent_id != id) {
    stage_.FreeCopyEntry(packet.input);
    LetGo(&context_.packets, id);
  }
  Packet& parent = context_.packets[parent_id];
  if (--parent.copies != 0) return;
  buffer_.Free(parent, parent.cells);
  LetGo(&context_.packets, parent_id);
}

}  // namespace tilefly::golden
