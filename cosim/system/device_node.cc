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
                       std::unique_ptr<Device> a, std::unique_ptr<Device> b, DeviceWatch watch)
    : Node(profile, index, context),
      profile_(profile),
      seed_(seed),
      devices_(std::move(a), std::move(b)),
      watch_(std::move(watch)),
      registers_(profile),
      inside_(profile.ports),
      reductions_(profile, index, &context->reds),
      outputs_(profile, index, registers_, context, &inside_, &reductions_, this, watch_.passed),
      in_(static_cast<std::size_t>(profile.ports)),
      brought_(in_.size()) {
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
  for (int port = 0; port < profile_.ports; ++port) {
    if (outputs_.Check(now(), port, outputs[static_cast<std::size_t>(port)])) settled_ = now() + kSettle;
  }
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
  const golden::PortRegisters& registers = registers_.port(port);
  PacketKey key = 0;
  if (packet.header.is_red()) {
    reductions_.Start(packet, &in);
  } else {
    const network::PacketRecord& record = context_->records[packet.payload];
    in.frame = MakeFrame(seed_, record, packet.header);
    key = KeyOf(record);
    inside_.Enter(key, {packet.payload, record, packet.header, port, now(), in.frame});
  }
  in.first = now();
  in.lanes = registers.serdes_lanes();
  in.words = in.frame->words();
  feeding_ |= golden::Bit(port);
  const Cycle last = now() + WordOffset(in.words - 1, in.lanes);
  // docs/blocks/ingress.md, Descriptor pipeline.
  Cycle discard = (registers.mode.cut_through ? now() : last) + golden::kTriggerToFifo;
  if (registers.mode.cut_through) discard = std::max(discard, last + golden::kLastWordToRelease);
  inside_.ExpectDrop(port, {now() + golden::kWireToEvent, discard, key, packet.header.is_red()});
  outputs_.Hold(port, packet.header);
  context_->last_event = std::max(context_->last_event, now() + golden::kWireToEvent);
}

/// The observation record shows drops of the cycle before; a bounded device tells them some cycles later.
void DeviceNode::CheckDrops() {
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
  if (!dropped->red) {
    CountDrop({inside_.At(dropped->key).payload, static_cast<std::uint8_t>(port), reason}, cycle);
    inside_.Leave(dropped->key);
  }
  settled_ = now() + kSettle;
  context_->last_event = std::max(context_->last_event, cycle);
}

std::string DeviceNode::NotHome(bool /*lost*/) {
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

/// The NIC is told when the last word leaves, with which the data are there.
void DeviceNode::BringReduction(int port, golden::Payload, Cycle last) {
  brought_[static_cast<std::size_t>(port)] = last;
}

void DeviceNode::EndsReduction(int port, golden::Payload payload) {
  if (far(port).node < 0) Node::BringReduction(port, payload, brought_[static_cast<std::size_t>(port)]);
}

}  // namespace tilefly::cosim
