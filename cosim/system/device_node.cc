// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/device_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cosim/errors.h"
#include "cosim/library/device_library.h"
#include "cosim/system/link_failure.h"
#include "cosim/waves/wave_files.h"
#include "golden/common/register_write.h"
#include "golden/common/stage_times.h"

namespace tilefly::cosim {

using golden::ForEachBit;

DeviceNode::DeviceNode(const Profile& profile, int index, network::NodeContext* context, std::uint64_t seed,
                       std::unique_ptr<Device> a, std::unique_ptr<Device> b, DeviceWatch watch,
                       const DeviceOptions& golden)
    : RepeatingNode(profile, index, context),
      profile_(profile),
      seed_(seed),
      golden_(golden),
      devices_(std::move(a), std::move(b)),
      watch_(std::move(watch)),
      registers_(profile),
      inside_(profile.ports),
      reductions_(profile, index, &context->reds),
      outputs_(profile, index, registers_, context, &inside_, &reductions_, this, watch_.passed),
      in_(static_cast<std::size_t>(profile.ports)),
      brought_(in_.size()),
      repeating_ports_(in_.size()) {
  inputs_.links.resize(in_.size());
  inputs_.link_up.assign(in_.size(), true);
}

void DeviceNode::Write(const std::vector<Cfg>& writes, Cycle bus) {
  RunTo(bus);
  for (const Cfg& write : writes) {
    inputs_.cfg = write;
    registers_.Apply(write);
    if (!has_flows_ && static_cast<CfgSpace>(write.space) == CfgSpace::kPort) BeginFlows();
    if (static_cast<CfgSpace>(write.space) == CfgSpace::kRed) reductions_.Write(write, devices_.a());
    Step();
  }
  inputs_.cfg = Cfg{};
  RunTo(bus + static_cast<Cycle>(writes.size()) + golden::kWriteLatency);
}

/// Of a switch whose ports' registers were written.
void DeviceNode::BeginFlows() {
  for (int port = 0; port < profile_.ports; ++port) has_flows_ |= registers_.port(port).has_flows();
  if (!has_flows_ || devices_.a().NextChange() != Device::kUnknown) return;
  throw UsageError(fmt::format(
      "--device: device {} at switch {} does not tell when its flow channels act by themselves ({}); choose another device, or "
      "leave --congestion-control out",
      devices_.a().Name(), index_,
      IsLibraryName(devices_.a().Name()) ? "flag TFD_TELLS_CHANGES, tfd_next_change" : "Device::NextChange"));
}

void DeviceNode::Run(Cycle end) { RunTo(end - golden::kWireToEvent); }

void DeviceNode::RunTo(Cycle stop) {
  try {
    RunOn(stop);
  } catch (const LinkFailure&) {
    ShowFailure();
    throw;
  }
}

void DeviceNode::RunOn(Cycle stop) {
  try {
    while (now() < stop) {
      if (feeding_ == 0 && names_ == nullptr && devices_.b() == nullptr && watch_.recorder == nullptr) {
        devices_.a().SkipIdle(std::min(stop, NextInput()));
        if (now() >= stop) return;
      }
      Step();
    }
  } catch (const DeviceError& error) {
    throw LinkFailure(now(), index_, -1, error.what());
  } catch (const CheckFailure& error) {
    throw LinkFailure(error.cycle(), index_, error.port(), error.what());
  } catch (const DivergenceError& error) {
    const std::string summary = error.what();  // begins with cycle and place
    std::string text = summary.substr(summary.find(": ") + 2);
    if (error.divergence().tile >= 0) text = fmt::format("tile {}: {}", error.divergence().tile, text);
    for (const std::string& line : error.divergence().history) text += "\n  " + line;
    throw LinkFailure(error.divergence().cycle, index_, error.divergence().port, text);
  }
}

/// The recorder sees the cycle of the failure and some more, with what is on the links already. Nothing is compared or
/// checked any more.
void DeviceNode::ShowFailure() {
  if (watch_.recorder == nullptr) return;
  try {
    for (Cycle after = 0; after <= kAfterFailure; ++after) {
      if (driven_at_ != now()) {
        BeginAttempts();
        DriveLinks();
      }
      if (recorded_ != now()) watch_.recorder->Record(devices_, inputs_);
      recorded_ = now();
      devices_.Step(inputs_);
    }
  } catch (const DeviceError&) {  // it goes no further
  }
}

void DeviceNode::DriveLinks() {
  driven_at_ = now();
  ForEachBit(packets_waiting_ | credits_waiting_ | acks_waiting_ | feeding_ | driven_, [&](int port) { Drive(port); });
  ForEachBit(begun(), [&](int port) { DriveRepeating(port); });
}

/// Something is inside, or may be.
bool DeviceNode::Busy() const { return !inside_.empty() || now() < settled_ || WaitsForRepeats(); }

/// The first cycle in which a NIC acts or something is on `link_i`.
Cycle DeviceNode::NextInput() const {
  Cycle next = std::min(nics_due_, NextRepeated());
  if (!late_.empty()) next = std::min(next, late_.front().bus);
  ForEachBit(packets_waiting_, [&](int port) { next = std::min(next, inboxes_[port].packets.front().wire); });
  ForEachBit(credits_waiting_, [&](int port) { next = std::min(next, inboxes_[port].credits.front().wire); });
  ForEachBit(acks_waiting_, [&](int port) { next = std::min(next, inboxes_[port].acks.front().wire); });
  return next;
}

Cycle DeviceNode::Due() const { return DueBy(NextOwn()); }

Cycle DeviceNode::DueButSweeps() const { return DueBy(reductions_.in_tree() ? NextOwn() : kNever); }

Cycle DeviceNode::DueBy(Cycle own) const {
  const Cycle next = Busy() ? now() : std::min(NextInput(), own);
  return next == kNever ? kNever : std::max(next, now()) + golden::kWireToEvent;
}

/// A cycle: NICs, what is on `link_i` and `link_o`, then the device.
void DeviceNode::Step() {
  if (begun() != 0) {
    if (repeats_->next_turn() <= now()) TurnLinks(now());
    BeginAttempts();
    HearAtNics(now(), now());
  }
  DriveWrite();
  if (nics_due_ <= now()) {
    context_->last_event = std::max(context_->last_event, now());
    RunNics(now(), now());
  }
  if (begun() != 0) StepNicLinks(now(), now());
  if (NextOwn() <= now()) settled_ = now() + kSettle;
  if (devices_.b() != nullptr) devices_.Compare();
  DriveLinks();
  const std::vector<Link>& outputs = devices_.Outputs();
  if (names_ != nullptr) CheckNames();
  for (int port = 0; port < profile_.ports; ++port) {
    const Link& link = outputs[static_cast<std::size_t>(port)];
    const bool repeats = (begun() & golden::Bit(port)) != 0;
    if (repeats ? CheckRepeating(port, link) : outputs_.Check(now(), port, link)) settled_ = now() + kSettle;
  }
  CheckDrops();
  if (watch_.recorder != nullptr) {
    watch_.recorder->Record(devices_, inputs_);
    recorded_ = now();
  }
  devices_.Step(inputs_);
  if (names_ != nullptr) names_->Step(inputs_);
}

/// A register write of a fault plan.
void DeviceNode::DriveWrite() {
  if (late_.empty() || late_.front().bus > now()) {
    if (write_is_late_) inputs_.cfg = Cfg{};
    write_is_late_ = false;
    return;
  }
  if (late_.front().bus < now()) throw std::logic_error("network: a register write for a cycle that a device has passed");
  inputs_.cfg = late_.front().write;
  registers_.Apply(inputs_.cfg);
  write_is_late_ = true;
  late_.pop_front();
}

/// What is on the port's `link_i`.
void DeviceNode::Drive(int port) {
  const PortMask bit = golden::Bit(port);
  Link& link = inputs_.links[static_cast<std::size_t>(port)];
  FrameOnLink& in = in_[static_cast<std::size_t>(port)];
  if ((driven_ & bit) != 0) link = Link{};
  driven_ &= ~bit;
  if ((packets_waiting_ & bit) != 0 && inboxes_[port].packets.front().wire <= now()) {
    Start(port, inboxes_[port].packets.front());
    inboxes_[port].packets.Pop();
    if (inboxes_[port].packets.empty()) packets_waiting_ &= ~bit;
  }
  if (in.Due(now())) {
    if (in.red != nullptr) reductions_.Feed(&in);
    link.word = MakeWord(*in.frame, in.next++);
    driven_ |= bit;
    if (in.next == in.words) {
      in = {};
      feeding_ &= ~bit;
    }
  }
  if ((credits_waiting_ & bit) != 0 && inboxes_[port].credits.front().wire <= now()) {
    const network::LinkCredit credit = inboxes_[port].credits.front();
    if (credit.wire < now()) throw std::logic_error("network: a credit return for a cycle that a device has passed");
    inboxes_[port].credits.Pop();
    if (inboxes_[port].credits.empty()) credits_waiting_ &= ~bit;
    link.ctrl.credit_valid = true;
    link.ctrl.credit_vl = credit.vl;
    link.ctrl.credit_cells = credit.cells;
    driven_ |= bit;
    outputs_.Return(port, credit);
    context_->last_event = std::max(context_->last_event, now() + golden::kWireToEvent);
  }
  DriveAck(port, &link.ctrl);
  if ((driven_ & bit) != 0) settled_ = now() + kSettle;
}

void DeviceNode::DriveAck(int port, Ctrl* ctrl) {
  const PortMask bit = golden::Bit(port);
  if ((acks_waiting_ & bit) == 0 || inboxes_[port].acks.front().wire > now()) return;
  const network::LinkAck ack = inboxes_[port].acks.front();
  if (ack.wire < now()) throw std::logic_error("network: an ack for a cycle that a device has passed");
  inboxes_[port].acks.Pop();
  if (inboxes_[port].acks.empty()) acks_waiting_ &= ~bit;
  golden::PutAck(ack.ack, ctrl);
  driven_ |= bit;
  context_->last_event = std::max(context_->last_event, now() + golden::kWireToEvent);
}

void DeviceNode::Start(int port, const network::LinkPacket& packet) {
  FrameOnLink& in = in_[static_cast<std::size_t>(port)];
  if (packet.wire < now() || in.frame != nullptr)
    throw std::logic_error("network: a packet for a cycle that a device has passed");
  PacketKey key = 0;
  if (packet.header.is_red()) {
    reductions_.Start(packet, &in);
  } else {
    const network::PacketRecord& record = context_->records[packet.payload];
    FrameForm form;
    key = KeyFor(record, false, &form);
    in.frame = MakeFrame(seed_, record, packet.header, form);
  }
  in.first = now();
  in.lanes = registers_.port(port).serdes_lanes();
  in.words = in.frame->words();
  feeding_ |= golden::Bit(port);
  if (!packet.header.is_red())
    inside_.Enter(key, {packet.payload, context_->records[packet.payload], packet.header, port, now(), in.frame});
  Admit(port, packet.header, key, in.words, in.lanes);
}

/// The key of a packet that comes in, and the form of its frame. What a link has broken off, here or before, is a
/// packet of its own.
PacketKey DeviceNode::KeyFor(const network::PacketRecord& record, bool broken, FrameForm* form) const {
  form->stomped = record.operation <= network::PacketRecord::kBroken;
  const bool is_copy = broken || record.operation == network::PacketRecord::kBrokenOff;
  for (form->copy = is_copy ? 1 : 0; is_copy && inside_.Knows(KeyOf(record, form->copy)); ++form->copy) {
    if (form->copy == kCopies - 1) throw std::logic_error("network: more broken copies of a packet than have numbers");
  }
  return KeyOf(record, form->copy);
}

/// The first word of a packet of so many words, on `lanes` SerDes lanes, goes to the device's MAC in this cycle.
void DeviceNode::Admit(int port, const golden::HeaderBits& header, PacketKey key, int words, int lanes, bool broken) {
  const bool cut_through = registers_.port(port).mode.cut_through;
  const Cycle last = now() + WordOffset(words - 1, lanes);
  // docs/blocks/ingress.md, Descriptor pipeline.
  Cycle discard = (cut_through ? now() : last) + golden::kTriggerToFifo;
  if (cut_through) discard = std::max(discard, last + golden::kLastWordToRelease);
  inside_.ExpectDrop(port, {now() + golden::kWireToEvent, discard, key, header.is_red(), broken});
  outputs_.Hold(port, header);
  context_->last_event = std::max(context_->last_event, now() + golden::kWireToEvent);
}

/// The observation record shows drops of the cycle before; a bounded device tells them some cycles later.
void DeviceNode::CheckDrops() {
  if (fallen_) {  // packets that were taken back are dropped later, and perhaps two in a cycle
    for (const GoldenNames::Dropped& drop : names_->dropped()) Leaves(drop.key, drop.port, now() - 1, drop.reason);
    return;
  }
  const Observation& observation = devices_.Observe();
  for (const LateDrop& drop : observation.late_drops) CheckDrop(drop.port, drop.cycle, drop.reason);
  for (int port = 0; port < profile_.ports; ++port) {
    const Portobs& seen = observation.ports[static_cast<std::size_t>(port)];
    if (seen.drop_valid) CheckDrop(port, now() - 1, static_cast<Drop>(seen.drop_reason));
    inside_.ForgetDrops(port, now() - kLatestDrop);
  }
}

/// A drop as an event of `cycle`.
void DeviceNode::CheckDrop(int port, Cycle cycle, Drop reason) {
  const std::optional<DropDue> dropped = inside_.TakeDrop(port, cycle, reason);
  if (!dropped) {
    throw LinkFailure(now(), index_, port, fmt::format("drops a packet that is not there ({})", ToString(reason)));
  }
  Leaves(dropped->red ? std::nullopt : std::optional(dropped->key), port, cycle, reason);
}

/// A packet is dropped as an event of `cycle`; without `key` it is a reduction packet, which is in nobody's books.
void DeviceNode::Leaves(std::optional<PacketKey> key, int port, Cycle cycle, Drop reason) {
  if (key) {
    CountDrop({inside_.At(*key).payload, static_cast<std::uint8_t>(port), reason}, cycle);
    inside_.Leave(*key);
  }
  settled_ = now() + kSettle;
  context_->last_event = std::max(context_->last_event, cycle);
}

std::string DeviceNode::NotHome(bool /*lost*/) {
  if (begun() != 0) return RepeatsNotHome();
  if (Busy() || NextInput() != kNever) return fmt::format("holds {} packets and is not at rest", inside_.size());
  RunTo(now() + kSettle);
  if (!inside_.empty()) return fmt::format("holds {} packets", inside_.size());
  if (const std::string out = outputs_.NotHome(); !out.empty()) return out;
  try {
    devices_.CheckDrained();
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "";
}

std::uint64_t DeviceNode::ReadCounter(int port, int index) {
  // The run is over: what still moves in a switch that is not drained is of no account.
  inputs_.links.assign(inputs_.links.size(), Link{});
  inputs_.cfg = golden::ReadRegister(port, CfgSpace::kCounter, index);
  try {
    for (const Cycle answered = now() + golden::kAnswerLatency; now() < answered; inputs_.cfg = Cfg{})
      devices_.Step(inputs_);
    return devices_.counting()->Counter(port, index);
  } catch (const DeviceError&) {
    return 0;
  }
}

void DeviceNode::Departs(const golden::Departure& departure) {
  if (!Repeats(departure.port)) return Depart(departure, now());
  if (names_->HasNext(departure.port)) names_->TakeNext(departure.port);
  golden::Departure taken = departure;
  const AttemptsOut::Take take = Of(departure.port).out.TakeOfFirst(now());
  taken.take = take.cycle;
  taken.serdes_lanes = static_cast<std::uint8_t>(take.lanes);
  Depart(taken, now());
}

void DeviceNode::Returns(const golden::CreditReturn& credit) {
  if (Repeats(credit.port)) context_->last_event = std::max(context_->last_event, now() - golden::kCreditToWire);
  Return(credit);
}

/// The NIC is told when the last word leaves, with which the data are there.
void DeviceNode::BringReduction(int port, golden::Payload payload, Cycle last) {
  if (Repeats(port)) return Node::BringReduction(port, payload, last);
  brought_[static_cast<std::size_t>(port)] = last;
}

void DeviceNode::EndsReduction(int port, golden::Payload payload) {
  if (far(port).node >= 0 || Repeats(port)) return;
  Node::BringReduction(port, payload, brought_[static_cast<std::size_t>(port)]);
}

}  // namespace tilefly::cosim
