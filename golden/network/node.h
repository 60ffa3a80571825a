// SPDX-License-Identifier: Apache-2.0
// One switch of a system with its NICs and what is under way to it on its links.
#pragma once

#include <vector>

#include "golden/network/nic.h"
#include "golden/network/wiring.h"
#include "golden/switch/switch.h"

namespace tilefly::golden {

/// Somebody who looks at every step of a node's switch, between its NICs' decisions and the next cycle; for tests and
/// records.
class NodeProbe {
 public:
  virtual ~NodeProbe() = default;
  /// The switch has made a step; `now` is its cycle.
  virtual void Stepped(int node, Cycle now, const Switch& device) = 0;
  /// The switch is told of a credit return that is on the port's link in cycle `wire`.
  virtual void ToldCredit(int node, int port, const LinkCredit& credit) = 0;
};

/// What the nodes of a run share.
struct NodeContext {
  const Wiring* wiring;
  const NicSetup* nics;
  PacketRecords records;
  Statistics statistics;
  std::vector<Outgoing> outgoing;  ///< of the node that runs, to others
  Cycle last_progress = 0;         ///< latest cycle in which a link took a packet
  Cycle last_event = 0;            ///< latest cycle in which something happened
  NodeProbe* probe = nullptr;
};

class Node {
 public:
  /// What left by a port.
  struct PortCounts {
    std::int64_t packets = 0;
    std::int64_t words = 0;  ///< taken in the measured cycles
  };

  Node(const Profile& profile, const SchedulerChoice& scheduler, int index, NodeContext* context);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Makes the NICs; their endpoints are those wired to this switch.
  void AttachNics();
  /// A message of another node.
  void Receive(const Outgoing& message);
  /// All events before cycle `end`. What is for other nodes is in the context's `outgoing`.
  void Run(Cycle end);
  /// Ask for what `Run` will read and change, in three steps: each needs what the one before has asked for.
  void PrefetchSelf() const { Prefetch(this, sizeof *this); }
  void PrefetchParts() const {
    switch_.Prefetch();
    Prefetch(inboxes_);
    Prefetch(nics_);
    Prefetch(counts_);
  }
  void PrefetchMessages() const {
    ForEachBit(packets_waiting_, [&](int port) { inboxes_[port].packets.Prefetch(); });
    ForEachBit(credits_waiting_, [&](int port) { inboxes_[port].credits.Prefetch(); });
  }
  /// Ask for what `Receive` of the message will change, in two steps.
  void PrefetchInbox(const Outgoing& message) const {
    Prefetch(
        message.is_credit ? static_cast<const void*>(&inboxes_[message.port].credits) : &inboxes_[message.port].packets,
        1);
    Prefetch(&packets_waiting_, 2 * sizeof(PortMask));
  }
  void PrefetchTail(const Outgoing& message) const {
    message.is_credit ? inboxes_[message.port].credits.PrefetchTail() : inboxes_[message.port].packets.PrefetchTail();
  }
  /// The first cycle in which something is due, kNever without one.
  Cycle Due() const;

  Switch& device() { return switch_; }
  const Switch& device() const { return switch_; }
  const PortCounts& counts(int port) const { return counts_[port]; }
  std::vector<Nic>& nics() { return nics_; }
  const std::vector<Nic>& nics() const { return nics_; }
  /// The port's NIC, null without one.
  const Nic* nic(int port) const { return nic_at_[port] < 0 ? nullptr : &nics_[nic_at_[port]]; }

 private:
  /// What is under way to a port, in the order of the cycles.
  struct Inbox {
    Ring<LinkPacket> packets;
    Ring<LinkCredit> credits;
  };

  const FarEnd& far(int port) const { return context_->wiring->far(index_, port); }
  void TellPacket(int port, const LinkPacket& packet);
  void TellCredit(int port, const LinkCredit& credit);
  void TellInboxes(Cycle end);
  void ActNics(Cycle now, Cycle end);
  void Collect(Cycle now, Cycle end);
  void Depart(const Departure& departure, Cycle end);
  void Deliver(const Departure& departure, const FarEnd& to, Cycle end);
  void Return(const CreditReturn& credit);
  void UpdateNicsDue();

  NodeContext* context_;
  int index_;
  Switch switch_;
  std::vector<Inbox> inboxes_;
  PortMask packets_waiting_ = 0;  ///< ports with something in the inbox
  PortMask credits_waiting_ = 0;
  std::vector<PortCounts> counts_;
  std::vector<Nic> nics_;
  std::vector<std::uint8_t> nic_ports_;  ///< by NIC
  std::vector<std::int8_t> nic_at_;      ///< by port, -1: none
  Cycle nics_due_ = kNever;
};

}  // namespace tilefly::golden
