// SPDX-License-Identifier: Apache-2.0
#include "network/halves_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace tilefly::network {
namespace {

/// Whether the ways of packets depend on loads.
bool IsByLoads(RouteMode mode) {
  return mode != RouteMode::kMinHash && mode != RouteMode::kNminHash && mode != RouteMode::kInOrder;
}

int ClassHold(const Profile& profile, golden::SchedulerKind kind) {
  return kind == golden::SchedulerKind::kPaperTable ? 0 : profile.class_hold;
}

}  // namespace

const char* HalvesNode::WhyNot(const NetworkOptions& options, const Profile& profile, int lanes, bool reductions) {
  const golden::SchedulerKind kind = options.scheduler.kind;
  if (!options.halves) return "not asked for";
  if (reductions) return "reductions";
  if (options.congestion.on) return "flow channels";
  if (options.routing.app_aware) return "messages that choose their routing";
  if (kind != golden::SchedulerKind::kDeficitTable && kind != golden::SchedulerKind::kPaperTable)
    return "another scheduler than the Deficit Table";
  if (options.stalls) return "statistics of links";
  if (options.journeys.any()) return "journeys";
  if (!options.faults.empty()) return "faults of links";
  if (profile.ports * profile.ports * lanes > golden::HalfSwitch::kMostQueues) return "more queues than have numbers";
  return nullptr;
}

HalvesNode::HalvesNode(const Profile& profile, const golden::SchedulerChoice& scheduler, int index,
                       NodeContext* context)
    : Node(profile, index, context),
      profile_(profile),
      registers_(profile),
      halves_(profile, ClassHold(profile, scheduler.kind), registers_, this) {
  std::vector<Inbox>().swap(inboxes_);  // messages wait in the halves
}

void HalvesNode::MeetPeers(const std::function<Node*(int node)>& peer) {
  peers_.resize(ends());
  for (int port = 0; port < static_cast<int>(peers_.size()); ++port) {
    if (far(port).node >= 0) peers_[port] = dynamic_cast<HalvesNode*>(peer(far(port).node));
  }
}

void HalvesNode::Write(const std::vector<Cfg>& writes, Cycle bus) {
  if (writes.empty()) return;
  for (const Cfg& write : writes) registers_.Apply(write);
  written_ = bus + static_cast<Cycle>(writes.size()) + golden::kWriteLatency;
}

/// A stepped switch is still awake in the cycle behind the event of the last write. That cycle is an event here, too:
/// both engines have the same last event.
void HalvesNode::Begin() {
  begun_ = true;
  if (context_->probe != nullptr && context_->probe->NeedsSteps())
    throw std::logic_error("network: a probe of steps, and switches that run as halves; clear NetworkOptions::halves");
  if (const char* why = golden::HalfSwitch::WhyNot(profile_, registers_))
    throw std::logic_error(fmt::format("network: switch {} cannot run as halves: {}", index_, why));
  if (written_ != kNever) context_->last_event = std::max(context_->last_event, written_);
  halves_.Begin(context_->nics->begin, context_->nics->samples != nullptr, IsByLoads(context_->nics->mode));
}

void HalvesNode::Tell(int port, const LinkPacket& packet) {
  // The record of a packet that ends at a NIC of this switch is read when the NIC's link takes the packet.
  if (golden::SwitchAddress::OfPort(packet.header.destination()) == registers_.routes().own())
    context_->records.Prefetch(packet.payload);
  halves_.Arrive(port, packet.wire, packet.payload, packet.header);
}

/// A message that is due in cycle `due` is going to be told to the halves. None that is told later is due before `from`.
void HalvesNode::Await(Cycle due, Cycle from) {
  if (!begun_) Begin();
  if (due - halves_.done() > golden::HalfSwitch::kSpan / 2) halves_.Skip(std::min(NextDue(), from));
}

/// Something that was told at once is due in cycle `due`, which may be before what the node is entered for.
void HalvesNode::Hurry(Cycle due) {
  if (due >= entered()) return;
  set_entered(due);
  context_->hurried.push_back(index_);
}

void HalvesNode::SendPacket(int port, const LinkPacket& packet) {
  HalvesNode* const peer = peers_[port];
  if (peer == nullptr) return Node::SendPacket(port, packet);
  const Cycle due = packet.wire + golden::kWireToEvent;
  if (due < end_) ThrowEarly();
  peer->Await(due, end_);
  peer->Tell(far(port).port, packet);
  peer->Hurry(due);
}

void HalvesNode::SendCredit(int port, const LinkCredit& credit) {
  HalvesNode* const peer = peers_[port];
  if (peer == nullptr) return Node::SendCredit(port, credit);
  const Cycle due = credit.wire + golden::kWireToEvent;
  if (due < end_) ThrowEarly();
  peer->Await(due, end_);
  peer->halves_.Credit(far(port).port, credit.wire, credit.vl, credit.cells);
  peer->Hurry(due);
}

/// It is told to the halves at once, whose messages wait there.
void HalvesNode::Receive(const LinkMessage& message, Cycle from) {
  Await(message.Due(), from);
  switch (message.kind) {
    case LinkKind::kPacket:
      return Tell(message.port, message.packet);
    case LinkKind::kAck:
      return halves_.Acknowledge(message.port, message.ack.wire, message.ack.ack);
    case LinkKind::kCredit:
      return halves_.Credit(message.port, message.credit.wire, message.credit.vl, message.credit.cells);
    default:
      throw std::logic_error("network: a message that no switch that runs as halves knows");
  }
}

void HalvesNode::TakeFromNic(int port, const LinkPacket& packet, Cycle) { Tell(port, packet); }

void HalvesNode::TakeFromNic(int port, const LinkCredit& credit, Cycle) {
  halves_.Credit(port, credit.wire, credit.vl, credit.cells);
}

/// In a piece the NICs come last: what they send comes to a queue after it, and what they see of the switch left it
/// before. Those of the last piece are put off.
void HalvesNode::Run(Cycle end) {
  if (!begun_) Begin();
  end_ = end;
  halves_.Skip(std::min(NextDue(), end));
  while (halves_.done() < end) {
    const Cycle due = std::min(halves_.Due(), nics_due_);
    halves_.Skip(std::min({due, end, std::max(sample_due_, halves_.done())}));
    const Cycle now = halves_.done();
    if (now >= end) break;
    if (now >= sample_due_) TakeSamples(now);
    const Cycle stop = std::min({end, now + golden::HalfSwitch::kMostPiece, sample_due_});
    halves_.Run(stop);
    if (stop < end) RunPutOff(stop);
  }
  context_->last_event = std::max(context_->last_event, halves_.last());
}

void HalvesNode::RunPutOff(Cycle end) {
  while (nics_due_ < end) {
    context_->last_event = std::max(context_->last_event, nics_due_);
    RunNics(nics_due_, end);
  }
}

/// Events that change only what a later decision sees are done with that decision. A slice is visited for the last.
Cycle HalvesNode::Due() const {
  if (!begun_) return std::min(NextDue(), written_);
  return halves_.last() >= halves_.done() ? std::min(NextDue(), halves_.last()) : NextDue();
}

/// A switch that has not begun has no state yet.
void HalvesNode::SaveState(Saver* save) {
  Node::Serialize(*save);
  (*save)(begun_);
  if (!begun_) return;
  (*save)(halves_);
  halves_.ForEachPayload([&](golden::Payload payload) { context_->reds.Save(payload, save); });
}

void HalvesNode::LoadState(Loader* load) {
  Node::Serialize(*load);
  if (!load->Get<bool>()) return;
  Begin();
  (*load)(halves_);
  halves_.ForEachPayload([&](golden::Payload& payload) { payload = context_->reds.Load(load); });
}

std::string HalvesNode::NotHome(bool lost) {
  if (halves_.packets() != 0) return fmt::format("holds {} packets", halves_.packets());
  if (!lost && halves_.in_flight() != 0) return "has cells of flows in flight";
  for (int port = 0; port < profile_.ports; ++port) {
    if (halves_.Room(port, context_->until) != profile_.obuf_cells) return fmt::format("port {}: output buffer not empty", port);
    if (!Credits(port).AllHome()) return fmt::format("port {}: credits are out", port);
  }
  return "";
}

}  // namespace tilefly::network
