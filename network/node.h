// SPDX-License-Identifier: Apache-2.0
// One switch of a system with its NICs and what is under way to it on its links.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "golden/common/stage_times.h"
#include "golden/switch/switch.h"
#include "network/counters.h"
#include "network/journeys.h"
#include "network/nic.h"
#include "network/red_packets.h"
#include "network/wiring.h"

namespace tilefly::network {

/// Somebody who looks at every step of a node's switch, between its NICs' decisions and the next cycle, and at what the
/// links carry; for tests and records.
class NodeProbe {
 public:
  virtual ~NodeProbe() = default;
  /// The golden switch has made a step; `now` is its cycle.
  virtual void Stepped(int node, Cycle now, const golden::Switch& device) = 0;
  /// The golden switch is told of a credit return that is on the port's link in cycle `wire`.
  virtual void ToldCredit(int node, int port, const LinkCredit& credit) = 0;
  /// A link begins to carry something; those of a link and direction come in the order of their cycles.
  virtual void Carries(const LinkEvent&) {}
};

/// What the nodes of a run share that a thread runs.
struct NodeContext {
  const Wiring* wiring;
  const NicSetup* nics;
  PacketRecords records;
  RedPackets& reds;
  Statistics statistics{};
  std::vector<LinkMessage> outgoing{};  ///< of the node that runs, to others
  Cycle last_progress = -1;        ///< latest cycle in which something arrives that was put on a link, -1: nothing was
  Cycle jobs_progress = -1;        ///< beside a background: the same of the jobs' packets, and of what their NICs do
  Cycle last_event = 0;            ///< latest cycle in which something happened
  Cycle until = kNever;            ///< of a run that is cut: what comes to NICs from here on counts for nothing
  NodeProbe* probe = nullptr;
  Journeys* journeys = nullptr;  ///< null: nobody follows packets
  const CounterBank* counters = nullptr;  ///< null: the program has none
  bool faults = false;           ///< some link goes down in this run
};

/// What all kinds of switches have in common; golden ones are a GoldenNode.
class Node {
 public:
  /// What left by a port.
  struct PortCounts {
    std::int64_t packets = 0;
    std::int64_t all_words = 0;  ///< of these packets
    std::int64_t words = 0;      ///< sent in the measured cycles; of the last packet when the books are closed
    std::int64_t busy = 0;       ///< measured cycles in which the link was sending, likewise
  };

  Node(const Profile& profile, int index, NodeContext* context);
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Another thread runs it from now on, whose context this is.
  void Use(NodeContext* context) { context_ = context; }
  /// Register writes, one a bus cycle from `bus` on; runs until they have taken effect.
  virtual void Write(const std::vector<Cfg>& writes, Cycle bus) = 0;
  /// Makes the NICs; their endpoints are those wired to this switch.
  void AttachNics();
  /// The run is over: closes the books of the links and of the NICs.
  void Settle();
  /// The port's link is down, at this end, from cycle `from` on.
  void FailLink(int port, Cycle from);
  /// The cycle from which on nothing of the port's link counts, kNever: it works.
  Cycle DownFrom(int port) const { return down_from_.empty() ? kNever : down_from_[port]; }
  /// A message of another node.
  void Receive(const LinkMessage& message);
  /// All events before cycle `end`. What is for other nodes is in the context's `outgoing`.
  virtual void Run(Cycle end) = 0;
  /// The first cycle in which something is due, kNever without one.
  virtual Cycle Due() const = 0;
  /// From the first cycle of a run to the first wire cycle of what it tells others, at its own ends of the links.
  virtual Cycle lead() const = 0;
  /// After the run: a counter of the switch.
  virtual std::uint64_t ReadCounter(int port, int index) = 0;
  /// After a drained run: what of the switch is not as at the start; empty: all is. `lost`: packets were dropped, whose
  /// cells stay in the accounts of their flows.
  virtual std::string NotHome(bool lost) = 0;
  /// Keeps books of what the links of a golden switch do in the measured cycles.
  virtual void KeepLinkStatistics() {}
  /// Of a golden node, with its NICs: tells the run's time series what its links did.
  void KeepSamples();
  /// The run is over in cycle `end`: tells them the rest.
  void EndSamples(Cycle end);
  /// The golden switch, null for another device.
  virtual golden::Switch* golden() { return nullptr; }
  virtual const golden::Switch* golden() const { return nullptr; }

  /// Ask for what `Run` will read and change, in three steps: each needs what the one before has asked for.
  void PrefetchSelf() const;
  virtual void PrefetchParts() const {
    golden::Prefetch(inboxes_);
    golden::Prefetch(nics_);
    golden::Prefetch(counts_);
  }
  void PrefetchMessages() const {
    golden::ForEachBit(packets_waiting_, [&](int port) { inboxes_[port].packets.Prefetch(); });
    golden::ForEachBit(credits_waiting_, [&](int port) { inboxes_[port].credits.Prefetch(); });
    golden::ForEachBit(acks_waiting_, [&](int port) { inboxes_[port].acks.Prefetch(); });
  }
  /// Ask for what `Receive` of the message will change, in two steps.
  void PrefetchInbox(const LinkMessage& message) const {
    const Inbox& inbox = inboxes_[message.port];
    const void* at = &inbox.packets;
    if (message.kind == LinkKind::kCredit) at = &inbox.credits;
    if (message.kind == LinkKind::kAck) at = &inbox.acks;
    golden::Prefetch(at, 1);
    golden::Prefetch(&packets_waiting_, 3 * sizeof(golden::PortMask));
  }
  void PrefetchTail(const LinkMessage& message) const {
    const Inbox& inbox = inboxes_[message.port];
    if (message.kind == LinkKind::kAck) return inbox.acks.PrefetchTail();
    message.kind == LinkKind::kCredit ? inbox.credits.PrefetchTail() : inbox.packets.PrefetchTail();
  }

  /// State between two runs, without records of packets. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(inboxes_, packets_waiting_, credits_waiting_, acks_waiting_, nics_due_, counts_, sending_, nics_);
    if (link_statistics_) archive(*link_statistics_);
    if (sampled_) archive(sample_due_, *sampled_);
  }

  const PortCounts& counts(int port) const { return counts_[port]; }
  /// Null when they are not kept.
  const golden::LinkStatistics* link_statistics() const { return link_statistics_.get(); }
  std::vector<Nic>& nics() { return nics_; }
  const std::vector<Nic>& nics() const { return nics_; }
  /// The port's NIC, null without one.
  const Nic* nic(int port) const { return nic_at_[port] < 0 ? nullptr : &nics_[nic_at_[port]]; }

 protected:
  /// What is under way to a port, in the order of the cycles.
  struct Inbox {
    Ring<LinkPacket> packets;
    Ring<LinkCredit> credits;
    Ring<LinkAck> acks;

    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(packets, credits, acks);
    }
  };

  const FarEnd& far(int port) const { return context_->wiring->far(index_, port); }
  /// What the port's NIC puts on its link in a run that ends with `end`.
  virtual void TakeFromNic(int port, const LinkPacket& packet, Cycle end);
  virtual void TakeFromNic(int port, const LinkCredit& credit, Cycle end);
  void RunNics(Cycle now, Cycle end);
  golden::Payload AddPacket(const Nic::Start& start, Nic* nic);
  /// A link takes a packet.
  void Depart(const golden::Departure& departure, Cycle end);
  /// A credit return for whoever sends to this switch.
  void Return(const golden::CreditReturn& credit);
  /// An ack for whoever sends to this switch.
  void PassOn(const golden::AckReturn& ack);
  /// A packet is dropped.
  void CountDrop(const golden::DropRecord& drop, Cycle now);
  bool GoesDown(Cycle now) const;
  Drop EndOf(int port, const LinkPacket& packet, Cycle last);
  /// A reduction packet goes to the port's NIC, where its last word is in cycle `last`.
  virtual void BringReduction(int port, golden::Payload payload, Cycle last);
  /// A packet is nowhere any more.
  void Lose(golden::Payload payload, Cycle at);
  void CountLoss(const PacketRecord& record, Cycle at);
  /// Tells the time series of the intervals that end in cycle `now` or before: nothing of `now` has happened yet.
  void TakeSamples(Cycle now);

  NodeContext* context_;
  int index_;
  std::vector<Inbox> inboxes_;
  golden::PortMask packets_waiting_ = 0;  ///< ports with something in the inbox
  golden::PortMask credits_waiting_ = 0;
  golden::PortMask acks_waiting_ = 0;
  Cycle nics_due_ = kNever;
  Cycle sample_due_ = kNever;  ///< the next end of an interval of the time series
  std::unique_ptr<golden::LinkStatistics> link_statistics_;  ///< null when they are not kept

 private:
  /// The last packet that left by a port: its words are counted when the next one leaves, or in the end.
  struct Sending {
    Cycle take = 0;
    std::int16_t words = 0;
    std::int8_t lanes = 1;
    std::int8_t tc = 0;
  };

  /// What of the links is in the time series already: what they did before cycle `end`.
  struct Sampled {
    struct Port {
      std::int64_t words = 0;
      std::int64_t packets = 0;
      std::int64_t nic_words = 0;
      std::int64_t nic_packets = 0;
    };
    template <typename Archive>
    void Serialize(Archive& archive) {
      archive(end, ports);
    }

    Cycle end = 0;
    std::vector<Port> ports;
  };

  void TellSamples(Cycle end);
  static Cycle LastWordOf(const golden::Departure& departure, const FarEnd& to) {
    return departure.take + golden::kTakeToWire + to.delay +
           golden::WordOffset(departure.format.words - 1, departure.serdes_lanes);
  }
  bool IsLost(const golden::Departure& departure, Cycle last) const;
  void CountWords(int port);
  /// What is put on a link arrives in cycle `at`.
  void Expect(Cycle at) { context_->last_progress = std::max(context_->last_progress, at); }
  void ExpectOfJobs(Cycle at) { context_->jobs_progress = std::max(context_->jobs_progress, at); }
  /// Synthetic traffic beside jobs.
  bool IsBackground(const PacketRecord& record) const {
    const NicSetup& nics = *context_->nics;
    return nics.background && record.red < 0 && nics.hosts->workload->seats[record.source].job < 0;
  }
  /// A packet has come to its end.
  void LeaveBackground(const PacketRecord& record) { context_->statistics.background_inside -= IsBackground(record); }
  void CountBackground(const golden::Departure& departure, const PacketRecord& record, Cycle last);
  void DepartReduction(const golden::Departure& departure, const FarEnd& to, Cycle end);
  void Deliver(const golden::Departure& departure, const FarEnd& to, Cycle end);
  void Sink(const golden::Departure& departure, const FarEnd& to, Cycle last, Cycle end);
  void CountDelivery(const golden::Departure& departure, const PacketRecord& record, Cycle last);
  LinkMessage& SendTo(const FarEnd& to, LinkKind kind);
  PacketEvent EventOf(const PacketRecord& record, Cycle cycle, int port, int hops) const;
  void TellStart(const PacketRecord& record, int port, Cycle now);
  void TellLeave(const golden::Departure& departure);
  void TellDelivery(const golden::Departure& departure, const PacketRecord& record, Cycle last);
  void TellDrop(const PacketRecord& record, const golden::DropRecord& drop, Cycle now);
  void TellLoss(const PacketRecord& record, Cycle at);
  void UpdateNicsDue();

  std::vector<PortCounts> counts_;
  std::vector<Sending> sending_;  ///< by port
  std::vector<Nic> nics_;
  std::vector<std::uint8_t> nic_ports_;  ///< by NIC
  std::vector<std::int8_t> nic_at_;      ///< by port, -1: none
  std::vector<Cycle> down_from_;         ///< by port; empty: all links work
  std::unique_ptr<Sampled> sampled_;     ///< null: no time series are kept
};

class GoldenNode final : public Node {
 public:
  static constexpr Cycle kLead = golden::kCreditToWire;

  GoldenNode(const Profile& profile, const golden::SchedulerChoice& scheduler, int index, NodeContext* context);

  void Write(const std::vector<Cfg>& writes, Cycle bus) override;
  void Run(Cycle end) override;
  Cycle Due() const override;
  Cycle lead() const override { return kLead; }
  std::string NotHome(bool lost) override;
  std::uint64_t ReadCounter(int port, int index) override { return switch_.ReadCounter(port, index); }
  void KeepLinkStatistics() override;
  /// State between two runs, with the records of its packets.
  void SaveState(Saver* save);
  void LoadState(Loader* load);
  golden::Switch* golden() override { return &switch_; }
  const golden::Switch* golden() const override { return &switch_; }
  void PrefetchParts() const override {
    switch_.Prefetch();
    Node::PrefetchParts();
  }

 private:
  void TakeFromNic(int port, const LinkPacket& packet, Cycle end) override;
  void TakeFromNic(int port, const LinkCredit& credit, Cycle end) override;
  void TellPacket(int port, const LinkPacket& packet);
  void TellCredit(int port, const LinkCredit& credit);
  void TellAck(int port, const LinkAck& ack);
  void TellInboxes(Cycle end);
  bool Collect(Cycle now, Cycle end);
  template <typename Visit>
  void ForEachPayload(Visit&& visit);

  golden::Switch switch_;
};

/// Of another kind this asks for too much, or too little.
inline void Node::PrefetchSelf() const { golden::Prefetch(this, sizeof(GoldenNode)); }

}  // namespace tilefly::network
