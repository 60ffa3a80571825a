// SPDX-License-Identifier: Apache-2.0
// Links of a device that damage words and control slots, and send them again (docs/network.md, Devices). Beside the
// device the receiving half of each port is run by its messages, as at a golden switch: it draws what is damaged, knows
// of each attempt what becomes of it, and what the port must report.
#include <fmt/format.h>

#include <algorithm>

#include "cosim/errors.h"
#include "cosim/system/device_node.h"
#include "cosim/system/link_failure.h"
#include "golden/acks/ack_route.h"
#include "golden/common/stage_times.h"

namespace tilefly::cosim {

using golden::ForEachBit;
using network::LinkAttempt;
using network::RepeatingPorts;

void DeviceNode::AwaitRepeats(golden::PortMask ports, const std::string& why) {
  for (const Device* device : {static_cast<const Device*>(&devices_.a()), static_cast<const Device*>(devices_.b())}) {
    if (device == nullptr || device->FailsLinks()) continue;
    throw UsageError(fmt::format(
        "{}: a link of switch {} is damaged or goes down, and device {} of this switch (--device) has no links with retry{}; "
        "choose golden or rtl for the switch, or damage and take down other links",
        why.empty() ? "--fault-plan" : why, index_, device->Name(),
        device->wire_version() < 2 ? " (its header is of version 1)" : ""));
  }
  names_ = std::make_unique<GoldenNames>(profile_, golden_);
  RepeatingNode::AwaitRepeats(ports, why);
}

void DeviceNode::BeginRepeats(golden::PortMask ports, const network::PlannedFaults& faults, Cycle up, Cycle begin) {
  ForEachBit(ports, [&](int port) {
    const golden::PortRegisters& registers = registers_.port(port);
    repeating_ports_[static_cast<std::size_t>(port)] = std::make_unique<RepeatingPort>(
        RepeatingPort{AttemptsIn(faults.Into(index_, port), begin),
                      AttemptsOut(profile_, port, registers.serdes_lanes(), *registers.credit, registers.retry),
                      {},
                      0,
                      nullptr,
                      false});
    outputs_.LetRepeat(port);
  });
  RepeatingNode::BeginRepeats(ports, faults, up, begin);
}

void DeviceNode::BeginLink(int port, Cycle up, int) {
  settled_ = std::max(settled_, up + kSettle);
  const network::FarEnd& to = far(port);
  Of(port).in.Use(*(*repeats_)[port].downs, to.delay + (to.node >= 0 ? 1 : 0));
}

void DeviceNode::TakeAttempt(int port, const LinkAttempt& attempt) {
  Of(port).in.Take(attempt);
  RepeatingNode::TakeAttempt(port, attempt);
}

/// The words of attempts that begin to come in this cycle, before their gates judge them: what does not pass has no
/// record behind its gate.
void DeviceNode::BeginAttempts() {
  ForEachBit(begun(), [&](int port) {
    const LinkAttempt* const attempt = Of(port).in.BeginsIn(now());
    if (attempt == nullptr) return;
    const golden::Payload payload = attempt->payload;
    if (attempt->header.is_red())
      return Of(port).in.SetRed(reductions_.Open(payload, attempt->header), context_->reds.Of(payload));
    const network::PacketRecord& record = context_->records[payload];
    Of(port).in.SetFrame(
        MakeFrame(seed_, record, attempt->header, {0, record.operation <= network::PacketRecord::kBroken}));
  });
}

/// The first word of an attempt goes to the MAC.
void DeviceNode::BeginAttempt(int port, const LinkAttempt& attempt, bool broken) {
  RepeatingPort& own = Of(port);
  const bool red = attempt.header.is_red();
  own.in.Came(attempt.header.vl(), golden::CellsOf(attempt.header.length()));
  const PacketKey key = red ? 0 : EnterAttempt(port, attempt, broken);
  Admit(port, attempt.header, key, network::WordsOf(attempt.header.length()), attempt.lanes, broken);
  if (!red) return;
  // It ends in this switch, used or not.
  EndOfAttempt(attempt, broken);
  broken ? EndCopy(attempt.payload) : context_->reds.Release(attempt.payload);
}

/// A packet, or a copy of one that is broken off, is inside. Returns its key.
PacketKey DeviceNode::EnterAttempt(int port, const LinkAttempt& attempt, bool broken) {
  RepeatingPort& own = Of(port);
  const LinkAttempt* const sent = own.in.BeginsIn(now());
  const network::PacketRecord& record = context_->records[attempt.payload];
  if (sent == nullptr || sent->payload != attempt.payload) {  // the wire repeats the word of the attempt before
    EndOfAttempt(attempt, broken);
    inside_.EnterAgain(own.key, {attempt.payload, record, attempt.header, port, now(), own.frame});
    return own.key;
  }
  FrameForm form;
  own.key = KeyFor(record, broken, &form);
  own.frame = MakeFrame(seed_, record, attempt.header, form);
  own.in.SetFrame(own.frame);
  if (broken) own.frame = CutFrame(*own.frame, (*repeats_)[port].receiver.whole_words());
  EndOfAttempt(attempt, broken);
  inside_.Enter(own.key, {attempt.payload, record, attempt.header, port, now(), own.frame});
  return own.key;
}

/// What the port hears in control slots that come whole.
void DeviceNode::HearSlots(int port, Cycle until, Cycle) {
  RepeatingPort& own = Of(port);
  RepeatingPorts::Port& repeats = (*repeats_)[port];
  repeats.slots->Run(until, &context_->statistics.retry, [&](Cycle wire, const Ctrl& slot) {
    if (!repeats.downs->IsUp(wire)) return;
    own.out.Hear(wire, slot);
    if (slot.wired_valid) outputs_.HoldLost(port, slot.wired_vl, own.in.Stamp(slot.wired_vl, slot.wired_cells));
    if (slot.credit_valid || slot.wired_valid || slot.ack_valid)
      context_->last_event = std::max(context_->last_event, wire + golden::kWireToEvent);
  });
}

/// What is on the `link_i` of a port whose link repeats.
void DeviceNode::DriveRepeating(int port) {
  RepeatingPort& own = Of(port);
  RepeatingPorts::Port& repeats = (*repeats_)[port];
  if (repeats.nic == nullptr) {  // a NIC's link is run with the NIC
    if (repeats.slots->due() <= now()) HearSlots(port, now() + 1, now());
    if (repeats.receiver.due() <= now()) HearPort(port, now() + 1);
  }
  const unsigned lanes = repeats.dead != nullptr ? repeats.dead->UsedIn(now()) : 0;  // 0: none dies
  Link& link = inputs_.links[static_cast<std::size_t>(port)];
  Ctrl slot = repeats.slots->SentIn(now());
  slot.lanes_valid = slot.lanes_valid || slot.retry_valid;  // each report has a mask; messages name it where lanes die
  link = own.in.Drive(now(), slot, lanes);
  inputs_.link_up[static_cast<std::size_t>(port)] = repeats.downs->IsUp(now());
  if ((link.word.valid && !link.word.err) || (link.ctrl != Ctrl{} && !link.ctrl.err)) settled_ = now() + kSettle;
}

/// What is on the `link_o` of a port whose link repeats. Returns whether it carries something.
bool DeviceNode::CheckRepeating(int port, const Link& link) {
  using Seen = AttemptsOut::Seen;
  RepeatingPort& own = Of(port);
  if ((devices_.LinkFails() & golden::Bit(port)) != 0 && inputs_.link_up[static_cast<std::size_t>(port)])
    GiveUp(port, false, now());
  own.out.Observe(now(), devices_.Observe().ports[static_cast<std::size_t>(port)]);
  if (own.out.lanes_in_use() != (*repeats_)[port].lanes.count && (*repeats_)[port].downs->IsUp(now() - 1))
    context_->last_event = std::max(context_->last_event, now());
  TellLanesInUse(port, false, now(), {own.out.lanes_in_use(), own.out.used_lanes()});
  CheckSaid(port, link.ctrl);
  const Seen seen = SeeWord(port, link);
  own.out.ReleaseContents([&](golden::Payload payload) { context_->reds.Release(payload); });
  Link plain = link;  // as at a link that does not repeat
  plain.tag = {};
  if (seen == Seen::kAgainBegins || seen == Seen::kOfAgain) plain.word = {};
  plain.ctrl.retry_valid = plain.ctrl.retry_nack = plain.ctrl.lanes_valid = plain.ctrl.wired_valid = false;
  plain.ctrl.retry_seq = plain.ctrl.wired_cells = 0;
  plain.ctrl.lanes_bad = plain.ctrl.wired_vl = 0;
  outputs_.SetLanes(port, own.out.lanes());
  outputs_.Check(now(), port, plain);
  if (seen == Seen::kAgainBegins) StartAttempt(port, own.out.Again(), now() - golden::kRetryStages);
  if (seen == Seen::kFirstBegins || seen == Seen::kAgainBegins || link.ctrl.wired_valid)
    context_->last_event = std::max(context_->last_event, now() - 1);
  if (link.ctrl.wired_valid) SendStamp(port, {now(), link.ctrl.wired_cells, link.ctrl.wired_vl});
  network::LinkReport said = network::SaidIn(now(), link.ctrl);
  if ((*repeats_)[port].dead == nullptr) said.mask = {};
  if (said.report.valid || said.mask.valid) SendReport(port, said);
  return link.word.valid || link.ctrl != Ctrl{};
}

/// What the word of the port is. A link that goes down in a cycle still has the word of that cycle.
AttemptsOut::Seen DeviceNode::SeeWord(int port, const Link& link) {
  const network::LinkDowns& downs = *(*repeats_)[port].downs;
  if (downs.IsUp(now() - 1)) return Of(port).out.See(now(), link, &context_->statistics.retry);
  downs.IsUp(now() - 2) ? Fall(port, link) : Of(port).out.SeeDown(now(), link);
  return AttemptsOut::Seen::kNothing;
}

/// The receiving half has run by messages, and knows what the port reports.
void DeviceNode::CheckSaid(int port, const Ctrl& slot) {
  network::Ring<network::LinkReport>& says = Of(port).says;
  network::LinkReport due{now(), {}, {}};
  if (!says.empty() && says.front().wire <= now()) {
    due = says.front();
    says.Pop();
  }
  if ((*repeats_)[port].dead == nullptr) due.mask.valid = due.report.valid;
  const network::LinkReport said = network::SaidIn(now(), slot);
  const bool same = said.report == due.report && said.mask.valid == due.mask.valid && said.mask.bad == due.mask.bad;
  if (same && due.wire == now()) return;
  const auto text = [](const network::LinkReport& one) {
    std::string words = "no report";
    if (one.report.valid)
      words = fmt::format("the report {}{}", one.report.seq, one.report.nack ? " with a nack" : "");
    if (one.mask.valid) words += fmt::format(" and the mask {:#x} of bad SerDes lanes", one.mask.bad);
    return words;
  };
  throw LinkFailure(now(), index_, port, fmt::format("the control slot has {}, expected {}", text(said), text(due)));
}

/// The first attempt of a packet begins. Each attempt has a record of its own.
void DeviceNode::TakeToRepeat(const golden::Departure& departure, golden::Payload payload) {
  RepeatingPort& own = Of(departure.port);
  AttemptsOut::Held packet{};
  packet.words = static_cast<std::uint16_t>(departure.format.words);
  packet.header = departure.header;
  packet.record = context_->records[payload];
  packet.contents = payload;
  const AttemptsOut::Held& held = own.out.Keep(std::move(packet));
  if (held.record.red < 0) context_->records.Release(payload);
  if (!own.unseen) StartAttempt(departure.port, held, now() - golden::kRetryStages);
}

/// The first cycle in which something comes on links that repeat, or goes on at their NICs' ends; noise that makes a
/// port report comes, too.
Cycle DeviceNode::NextRepeated() const {
  Cycle next = kNever;
  if (begun() != 0) next = std::min(repeats_->nic_links_due(), repeats_->next_turn());
  ForEachBit(begun(), [&](int port) {
    const RepeatingPorts::Port& repeats = (*repeats_)[port];
    next = std::min({next, repeats.receiver.due(), repeats.slots->due(), Of(port).in.due()});
  });
  return next;
}

/// Something is still to come by itself: reports, credits, or a replay.
bool DeviceNode::WaitsForRepeats() const {
  bool waits = false;
  ForEachBit(begun(), [&](int port) {
    const AttemptsOut& out = Of(port).out;
    waits = waits || out.busy() || (!out.all_known() && (*repeats_)[port].downs->IsUp(now()));
  });
  return waits;
}

std::string DeviceNode::RepeatsNotHome() const {
  if (!inside_.empty()) return fmt::format("holds {} packets", inside_.size());
  std::string text = outputs_.NotHome();
  ForEachBit(begun(), [&](int port) {
    if (repeats_->IsFarStuck(port)) return;  // it says nothing of what it holds
    if (!Of(port).out.held().empty()) {
      text = fmt::format("port {}: {} packets in the replay buffer", port, Of(port).out.held().size());
    } else if (!Of(port).out.CreditsHome()) {
      text = fmt::format("port {}: credits are out", port);
    }
  });
  return text.empty() ? repeats_->NotHome() : text;
}

int DeviceNode::CountHeld(int port) const {
  return (begun() & golden::Bit(port)) == 0 ? 0 : static_cast<int>(Of(port).out.held().size());
}

network::DirectionCounts DeviceNode::SentBy(int port, bool nic, Cycle begin, Cycle end) const {
  network::DirectionCounts counts = RepeatingNode::SentBy(port, nic, begin, end);
  if (nic || !Repeats(port)) return counts;
  counts.resent_words = Of(port).out.resent_words();
  counts.replays = Of(port).out.replays();
  return counts;
}

}  // namespace tilefly::cosim
