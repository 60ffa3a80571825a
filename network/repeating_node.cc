// SPDX-License-Identifier: Apache-2.0
#include "network/repeating_node.h"

#include <algorithm>
#include <utility>

#include "golden/common/stage_times.h"

namespace tilefly::network {
namespace {

void Add(const std::vector<DrawnError>& more, std::vector<DrawnError>* all) {
  all->insert(all->end(), more.begin(), more.end());
  std::stable_sort(all->begin(), all->end(),
                   [](const DrawnError& a, const DrawnError& b) { return a.cycle < b.cycle; });
}

}  // namespace

void RepeatingNode::AwaitRepeats(golden::PortMask ports, const std::string&) {
  repeating_ = ports;
  repeats_ = std::make_unique<RepeatingPorts>(SwitchProfile());
  golden::ForEachBit(ports, [&](int port) { AwaitLink(port); });
}

void RepeatingNode::BeginRepeats(golden::PortMask ports, const PlannedFaults& faults, Cycle up, Cycle begin) {
  const Profile& profile = SwitchProfile();
  golden::ForEachBit(ports, [&](int port) {
    const golden::PortRegisters& registers = RegistersOf(port);
    const int lanes = registers.serdes_lanes();
    const FarEnd& to = far(port);
    const DirectionPlan& in = faults.Into(index_, port);
    repeats_->Add(port, profile, in, up, begin, to.delay + (to.node >= 0 ? 1 : 0), lanes);
    if (in.damages_slots() || NeedsSlots()) repeats_->AddSlots(port, std::make_unique<SlotWire>(in, begin));
    BeginLink(port, up, lanes);
    BeginLanes(port, faults, begin);
    if (to.node >= 0) return;
    Nic& nic = NicAt(port);
    repeats_->AddNic(port, std::make_unique<NicRepeats>(profile, registers.retry, faults.IntoNic(index_, port),
                                                        *(*repeats_)[port].downs, up, begin, to.delay, lanes,
                                                        context_->nics->credits, nic.account()));
    nic.UseRepeats(&NicEnd(port));
    if (faults.IntoNic(index_, port).damages_lanes())
      NicEnd(port).JudgeLanes(faults.IntoNic(index_, port), begin, lanes, registers.lanes);
    if (in.damages_lanes()) NicEnd(port).sender().ChooseLanes();
    (*repeats_)[port].nic_lanes = {NicEnd(port).sender().lanes(), NicEnd(port).sender().used_lanes()};
  });
}

/// A return that a stamp asks for may say the same again: the link makes no progress by it.
bool RepeatingNode::IsNews(const golden::CreditReturn& credit) {
  return std::exchange((*repeats_)[credit.port].returned[credit.vl], credit.cells) != credit.cells;
}

void RepeatingNode::ReceiveRepeated(const LinkMessage& message) {
  switch (message.kind) {
    case LinkKind::kAttempt:
      return TakeAttempt(message.port, message.attempt);
    case LinkKind::kDown:
      return FailLink(message.port, message.down.from, message.down.till);
    case LinkKind::kEnd:
      return TellExpected(message.port, false, message.end.expected, message.end.wire);
    default:
      repeats_->Take(message);
  }
}

/// What passes the gate of a port.
class RepeatingNode::AtPort final : public GateListener {
 public:
  AtPort(RepeatingNode* node, int port) : node_(*node), port_(port) {}
  void Begins(const LinkAttempt& attempt, bool broken) override {
    node_.JudgeJourney(Into(), attempt, broken);
    node_.BeginAttempt(port_, attempt, broken);
  }
  void Unseen(const LinkAttempt& attempt) override { node_.ReleaseAny(attempt.payload); }
  golden::Payload Copy(golden::Payload payload) override { return node_.CopyOf(payload); }
  void Ends(Cycle cycle, int expected) override {
    node_.EndJourneys(Into());
    const FarEnd& to = node_.far(port_);
    if (to.node < 0) return node_.TellExpected(port_, true, expected, cycle);
    node_.SendTo(to, LinkKind::kEnd).end = {cycle + 1 + to.delay, static_cast<std::uint16_t>(expected)};
  }
  void Says(const LinkReport& said) override { node_.Says(port_, said); }

 private:
  LinkDirection Into() const { return {node_.index_, static_cast<std::uint8_t>(port_), false}; }

  RepeatingNode& node_;
  const int port_;
};

/// What comes before cycle `end` to the receiving half of the port.
void RepeatingNode::HearPort(int port, Cycle end) {
  AtPort listener(this, port);
  (*repeats_)[port].receiver.Run(end, &context_->statistics.retry, &listener);
}

golden::Payload RepeatingNode::CopyOf(golden::Payload payload) {
  if (context_->records[payload].red >= 0) return context_->reds.Copy(payload);
  const golden::Payload copy = context_->records.Allocate();
  context_->records[copy] = context_->records[payload];
  if (context_->journeys != nullptr) context_->journeys->Ignore(copy);
  return copy;
}

Drop RepeatingNode::EndOfAttempt(const LinkAttempt& attempt, bool broken) {
  PacketRecord& record = context_->records[attempt.payload];
  if (!broken) return record.operation <= PacketRecord::kBroken ? Drop::kStomped : Drop::kNone;
  record.operation = PacketRecord::kBrokenOff;
  ++context_->statistics.retry.broken_copies;
  return Drop::kBroken;
}

std::vector<DrawnError> RepeatingNode::Drawn(int port) const {
  if (!Repeats(port)) return {};
  const RepeatingPorts::Port& repeats = (*repeats_)[port];
  std::vector<DrawnError> drawn = repeats.receiver.drawn();
  if (repeats.slots != nullptr) Add(repeats.slots->drawn(), &drawn);
  return drawn;
}

std::vector<DrawnError> RepeatingNode::DrawnAtNic(int port) const {
  if (!RepeatsToNic(port)) return {};
  std::vector<DrawnError> drawn = NicEnd(port).receiver().drawn();
  if (NicEnd(port).slots() != nullptr) Add(NicEnd(port).slots()->drawn(), &drawn);
  return drawn;
}

/// An attempt whose first word is at the far end in cycle `wire`.
LinkAttempt RepeatingNode::MakeAttempt(int port, bool of_nic, const RetrySender::Held& held, Cycle wire) {
  golden::Payload payload;
  if (held.record.red >= 0) {
    payload = context_->reds.Copy(held.contents);
  } else {
    payload = context_->records.Allocate();
    context_->records[payload] = held.record;
    if (context_->journeys != nullptr) context_->journeys->Try(DirectionFrom(port, of_nic), held.seq, payload, wire);
  }
  Expect(wire + golden::WordOffset(held.words - 1, held.lanes));
  return {wire, payload, held.seq, held.lanes, held.used, held.header};
}

void RepeatingNode::StartAttempt(int port, const RetrySender::Held& held, Cycle start) {
  const FarEnd& to = far(port);
  const Cycle wire = start + golden::kRetryStages;
  if (context_->probe != nullptr) {
    context_->probe->Carries({wire, index_, static_cast<std::uint8_t>(port), false, LinkKind::kAttempt, held.header,
                              held.words, held.record});
  }
  const LinkAttempt attempt = MakeAttempt(port, false, held, wire + to.delay);
  if (to.node < 0) return NicEnd(port).receiver().Take(attempt);
  SendTo(to, LinkKind::kAttempt).attempt = attempt;
}

void RepeatingNode::SendReport(int port, const LinkReport& said) {
  const FarEnd& to = far(port);
  if (context_->probe != nullptr) {
    LinkEvent event{said.wire, index_, static_cast<std::uint8_t>(port), false, LinkKind::kReport};
    event.said = said;
    context_->probe->Carries(event);
  }
  const LinkReport message{said.wire + to.delay, said.report, said.mask};
  if (to.node < 0) return NicEnd(port).TakeReport(message);
  SendTo(to, LinkKind::kReport).report = message;
}

void RepeatingNode::SendStamp(int port, const LinkCredit& stamp) {
  const FarEnd& to = far(port);
  if (context_->probe != nullptr) {
    LinkEvent event{stamp.wire, index_, static_cast<std::uint8_t>(port), false, LinkKind::kStamp};
    event.credit = stamp;
    context_->probe->Carries(event);
  }
  const LinkCredit message{stamp.wire + to.delay, stamp.cells, stamp.vl};
  if (to.node < 0) return NicEnd(port).TakeStamp(message);
  SendTo(to, LinkKind::kStamp).credit = message;
}

}  // namespace tilefly::network
