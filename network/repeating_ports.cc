// SPDX-License-Identifier: Apache-2.0
#include "network/repeating_ports.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilefly::network {

void RepeatingPorts::Add(int port, const Profile& profile, const DirectionPlan& plan, Cycle up, Cycle begin, Cycle way,
                         int lanes) {
  auto downs = std::make_unique<LinkDowns>();
  downs->Add(0, up);
  const LinkDowns& own = *downs;
  ports_[port] = std::make_unique<Port>(Port{std::move(downs),
                                             RetrySender(profile, own, up, lanes),
                                             RetryReceiver(plan, own, up, begin, way),
                                             {},
                                             false,
                                             nullptr,
                                             nullptr,
                                             {},
                                             {},
                                             {},
                                             false,
                                             false,
                                             nullptr,
                                             {},
                                             {},
                                             plan.retrain});
  mask_ |= golden::Bit(port);
}

void RepeatingPorts::JudgeLanes(int port, const DirectionPlan& plan, Cycle begin, int cable,
                                const PortLanes& registers) {
  Port& one = *ports_[port];
  one.dead = std::make_unique<DeadLanes>(plan.dead_lanes, begin, cable);
  one.receiver.JudgeLanes(cable, registers, one.dead.get());
  one.slots->Use(one.dead.get());
}

void RepeatingPorts::Take(const LinkMessage& message) {
  Port& port = *ports_[message.port];
  switch (message.kind) {
    case LinkKind::kReport:
      return port.sender.Hear(message.report);
    case LinkKind::kStamp:
      return port.stamps.Push(message.credit);
    case LinkKind::kUse:
      return port.dead->Use(message.use.wire, message.use.used);
    default:
      throw std::logic_error("network: a message that no retry block takes");
  }
}

bool RepeatingPorts::TakeForSlot(const LinkMessage& message) {
  if ((slots_ & golden::Bit(message.port)) == 0) return false;
  SlotWire& slots = *ports_[message.port]->slots;
  switch (message.kind) {
    case LinkKind::kAck:
      slots.TakeAck(message.ack);
      return true;
    case LinkKind::kCredit:
      slots.TakeCredit(message.credit);
      return true;
    case LinkKind::kReport:
      slots.TakeReport(message.report);
      return true;
    case LinkKind::kStamp:
      slots.TakeStamp(message.credit);
      return true;
    default:
      return false;
  }
}

Cycle RepeatingPorts::senders_due() const {
  Cycle due = kNever;
  golden::ForEachBit(mask_, [&](int port) { due = std::min(due, ports_[port]->sender.due()); });
  return due;
}

Cycle RepeatingPorts::nic_links_due() const {
  Cycle due = kNever;
  golden::ForEachBit(nics_, [&](int port) {
    const Port& one = *ports_[port];
    due = std::min({due, one.receiver.due(), one.nic->due(), one.nic->receiver().due()});
    if (one.slots != nullptr) due = std::min(due, one.slots->due());
    if (one.nic->slots() != nullptr) due = std::min(due, one.nic->slots()->due());
  });
  return due;
}

Cycle RepeatingPorts::due() const {
  Cycle due = std::min({senders_due(), wake_, nic_links_due(), next_turn_});
  golden::ForEachBit(mask_, [&](int port) {
    due = std::min(due, ports_[port]->receiver.due());
    if (ports_[port]->slots != nullptr) due = std::min(due, ports_[port]->slots->due());
    if (!ports_[port]->stamps.empty()) due = std::min(due, ports_[port]->stamps.front().wire + golden::kWireToEvent);
  });
  return due;
}

std::string RepeatingPorts::NotHome() const {
  std::string text;
  golden::ForEachBit(mask_, [&](int port) {
    if (!ports_[port]->sender.held().empty() && !IsFarStuck(port))
      text = fmt::format("port {}: {} packets in the replay buffer", port, ports_[port]->sender.held().size());
    if (ports_[port]->nic != nullptr && !ports_[port]->nic->sender().held().empty() && !IsFarOfNicStuck(port))
      text = fmt::format("port {}: {} packets in the replay buffer of its NIC", port,
                         ports_[port]->nic->sender().held().size());
  });
  return text;
}

}  // namespace tilefly::network
