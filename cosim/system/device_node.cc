// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/device_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cosim/errors.h"
#include "cosim/system/link_failure.h"
#include "cosim/waves/wave_files.h"
#include "golden/common/register_write.h"
#include "golden/common/stage_times.h"

namespace tilefly::cosim {

using golden::CellsOf;
using golden::ForEachBit;

DeviceNode::DeviceNode(const Profile& profile, int index, network::NodeContext* context, std::uint64_t seed,
                       std::unique_ptr<Device> a, std::unique_ptr<Device> b, DeviceWatch watch)
    : Node(profile, index, context),
      profile_(profile),
      seed_(seed),
      devices_(std::move(a), std::move(b)),
      watch_(std::move(watch)),
      registers_(profile),
      red_registers_(profile.ports),
      ports_(static_cast<std::size_t>(profile.ports)) {
  inputs_.links.resize(ports_.size());
  inputs_.link_up.assign(ports_.size(), true);
}

void DeviceNode::Write(const std::vector<Cfg>& writes, Cycle bus) {
  RunTo(bus);
  for (const Cfg& write : writes) {
    inputs_.cfg = write;
    registers_.Apply(write);
    if (static_cast<CfgSpace>(write.space) == CfgSpace::kRed) WriteReduction(write);
    Step();
  }
  inputs_.cfg = Cfg{};
  RunTo(bus + static_cast<Cycle>(writes.size()) + golden::kWriteLatency);
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
      if (feeding_ == 0 && devices_.b() == nullptr && watch_.recorder == nullptr) {
        devices_.a().SkipIdle(std::min(stop, NextInput()));
        if (now() >= stop) return;
      }
      Step();
    }
  } catch (const DeviceError& error) {
    throw LinkFailure(now(), index_, -1, error.what());
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
      if (driven_at_ != now()) DriveLinks();
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
}

/// Something is inside, or may be.
bool DeviceNode::Busy() const { return !inside_.empty() || now() < settled_; }

/// The first cycle in which a NIC acts or something is on `link_i`.
Cycle DeviceNode::NextInput() const {
  Cycle next = nics_due_;
  ForEachBit(packets_waiting_, [&](int port) { next = std::min(next, inboxes_[port].packets.front().wire); });
  ForEachBit(credits_waiting_, [&](int port) { next = std::min(next, inboxes_[port].credits.front().wire); });
  ForEachBit(acks_waiting_, [&](int port) { next = std::min(next, inboxes_[port].acks.front().wire); });
  return next;
}

Cycle DeviceNode::Due() const {
  const Cycle next = Busy() ? now() : std::min(NextInput(), NextOwn());
  return next == kNever ? kNever : std::max(next, now()) + golden::kWireToEvent;
}

/// A cycle: NICs, what is on `link_i` and `link_o`, then the device.
void DeviceNode::Step() {
  if (nics_due_ <= now()) {
    context_->last_event = std::max(context_->last_event, now());
    RunNics(now(), now());
  }
  if (NextOwn() <= now()) settled_ = now() + kSettle;
  if (devices_.b() != nullptr) devices_.Compare();
  DriveLinks();
  const std::vector<Link>& outputs = devices_.Outputs();
  for (int port = 0; port < profile_.ports; ++port) Check(port, outputs[static_cast<std::size_t>(port)]);
  CheckDrops();
  if (watch_.recorder != nullptr) {
    watch_.recorder->Record(devices_, inputs_);
    recorded_ = now();
  }
  devices_.Step(inputs_);
}

/// What is on the port's `link_i`.
void DeviceNode::Drive(int port) {
  const PortMask bit = golden::Bit(port);
  Link& link = inputs_.links[static_cast<std::size_t>(port)];
  Port& own = ports_[static_cast<std::size_t>(port)];
  if ((driven_ & bit) != 0) link = Link{};
  driven_ &= ~bit;
  if ((packets_waiting_ & bit) != 0 && inboxes_[port].packets.front().wire <= now()) {
    Start(port, inboxes_[port].packets.front());
    inboxes_[port].packets.Pop();
    if (inboxes_[port].packets.empty()) packets_waiting_ &= ~bit;
  }
  if (own.in.Due(now())) {
    if (own.in.red != nullptr) FeedReduction(&own.in);
    link.word = MakeWord(*own.in.frame, own.in.next++);
    driven_ |= bit;
    if (own.in.next == own.in.words) {
      own.in = {};
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
    own.taken.Return(credit.vl, credit.cells, *registers_.port(port).credit);
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
  Port& own = ports_[static_cast<std::size_t>(port)];
  if (packet.wire < now() || own.in.frame != nullptr)
    throw std::logic_error("network: a packet for a cycle that a device has passed");
  const golden::PortRegisters& registers = registers_.port(port);
  PacketKey key = 0;
  if (packet.header.is_red()) {
    StartReduction(packet, &own.in);
  } else {
    const network::PacketRecord& record = context_->records[packet.payload];
    own.in.frame = MakeFrame(seed_, record, packet.header);
    key = KeyOf(record);
    if (!inside_.emplace(key, Inside{packet.payload, record, packet.header, port, now(), own.in.frame}).second)
      throw std::logic_error("network: a packet is twice in a switch");
  }
  own.in.first = now();
  own.in.lanes = registers.serdes_lanes();
  own.in.words = own.in.frame->words();
  feeding_ |= golden::Bit(port);
  const Cycle last = now() + WordOffset(own.in.words - 1, own.in.lanes);
  // docs/blocks/ingress.md, Descriptor pipeline.
  Cycle discard = (registers.mode.cut_through ? now() : last) + golden::kTriggerToFifo;
  if (registers.mode.cut_through) discard = std::max(discard, last + golden::kLastWordToRelease);
  own.drops.push_back({now() + golden::kWireToEvent, discard, key, packet.header.is_red()});
  own.held.Grant(packet.header.vl(), CellsOf(packet.header.length()), *registers.credit);
  context_->last_event = std::max(context_->last_event, now() + golden::kWireToEvent);
}

/// The observation record shows drops of the cycle before; a bounded device tells them some cycles later.
void DeviceNode::CheckDrops() {
  const Observation& observation = devices_.Observe();
  for (const LateDrop& drop : observation.late_drops) CheckDrop(drop.port, drop.cycle, drop.reason);
  for (int port = 0; port < profile_.ports; ++port) {
    const Portobs& seen = observation.ports[static_cast<std::size_t>(port)];
    if (seen.drop_valid) CheckDrop(port, now() - 1, static_cast<Drop>(seen.drop_reason));
    std::deque<DropDue>& drops = ports_[static_cast<std::size_t>(port)].drops;
    while (!drops.empty() && drops.front().discard < now() - kLatestDrop) drops.pop_front();
  }
}

/// A drop as an event of `cycle`.
void DeviceNode::CheckDrop(int port, Cycle cycle, Drop reason) {
  std::deque<DropDue>& drops = ports_[static_cast<std::size_t>(port)].drops;
  const auto dropped = std::find_if(drops.begin(), drops.end(), [&](const DropDue& one) {
    const bool inside = one.red ? reason == Drop::kRed : inside_.count(one.key) != 0;
    return inside && (reason == Drop::kBufferFull ? one.admission : one.discard) == cycle;
  });
  if (dropped == drops.end()) Fail(port, fmt::format("drops a packet that is not there ({})", ToString(reason)));
  if (dropped->red) {
    drops.erase(dropped);
  } else {
    const auto packet = inside_.find(dropped->key);
    CountDrop({packet->second.payload, static_cast<std::uint8_t>(port), reason}, cycle);
    inside_.erase(packet);
  }
  settled_ = now() + kSettle;
  context_->last_event = std::max(context_->last_event, cycle);
}

std::string DeviceNode::NotHome(bool /*lost*/) {
  if (Busy() || NextInput() != kNever) return fmt::format("holds {} packets and is not at rest", inside_.size());
  RunTo(now() + kSettle);
  if (!inside_.empty()) return fmt::format("holds {} packets", inside_.size());
  for (int port = 0; port < profile_.ports; ++port) {
    const Port& own = ports_[static_cast<std::size_t>(port)];
    if (!own.held.AllHome()) return fmt::format("port {}: cells were not returned", port);
    if (!own.taken.AllHome()) return fmt::format("port {}: credits are out", port);
  }
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
    return devices_.a().Counter(port, index);
  } catch (const DeviceError&) {
    return 0;
  }
}

void DeviceNode::Fail(int port, const std::string& what) const { throw LinkFailure(now(), index_, port, what); }

}  // namespace tilefly::cosim
