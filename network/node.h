// SPDX-License-Identifier: Apache-2.0
// A node is one switch of a system, with its NICs and with everything that is on its way to the switch on a link.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden/common/stage_times.h"
#include "golden/switch/switch.h"
#include "network/counters.h"
#include "network/drawn_error.h"
#include "network/journeys.h"
#include "network/nic.h"
#include "network/planned_faults.h"
#include "network/red_packets.h"
#include "network/retry_counts.h"
#include "network/wiring.h"

namespace tilefly::network {

/// An observer of the steps of the nodes' switches and of what the links carry, for tests and records. A step is shown
/// after the NICs' decisions of its cycle and before the next cycle.
class NodeProbe {
 public:
  virtual ~NodeProbe() = default;
  /// The golden switch of `node` has made the step of cycle `now`.
  virtual void Stepped(int node, Cycle now, const golden::Switch& device) = 0;
  /// The golden switch of `node` takes a credit return, which is on the port's link in cycle `credit.wire`.
  virtual void ToldCredit(int node, int port, const LinkCredit& credit) = 0;
  /// Whether the probe waits for Stepped or ToldCredit, so that every golden switch has to be stepped.
  virtual bool NeedsSteps() const { return true; }
  /// An attempt whose first word passed the gate of the NIC at `port` ends there in cycle `last`, of a link that repeats.
  virtual void ComesToNic(int node, int port, Cycle last, const golden::HeaderBits& header) {
    (void)node, (void)port, (void)last, (void)header;
  }
  /// A link begins to carry something. Events of one link and direction come in the order of their cycles.
  virtual void Carries(const LinkEvent&) {}
  /// A NIC gives its host a packet, whose last word comes in cycle `last`: it is not a copy of one that came before.
  virtual void HandsOver(const PacketRecord&, Cycle /*last*/) {}
};

/// A link that its port, or the NIC at the port, has given up.
struct GivenUp {
  Cycle cycle;  ///< in which it asks for the link to go down
  Cycle from, till;
  std::uint8_t port;
  bool nic;
};

/// A port, or the NIC at the port, changes how many SerDes lanes it sends on.
struct LaneChange {
  Cycle from;
  std::uint8_t port;
  bool nic;
  std::uint8_t lanes;
};

/// What the nodes of one thread share.
struct NodeContext {
  const Wiring* wiring;
  const NicSetup* nics;
  PacketRecords records;
  RedPackets& reds;
  Statistics statistics{};
  std::vector<LinkMessage> outgoing{};  ///< messages of the node that runs to other nodes
  std::vector<int> hurried{};           ///< nodes that got a message at once, due before what they are entered for
  Cycle last_progress = -1;  ///< latest cycle in which something on a link arrives; -1: nothing was put on a link
  Cycle jobs_progress = -1;  ///< when something ends with the jobs: the same for their packets and acts of their NICs
  Cycle last_event = 0;      ///< latest cycle in which something happened
  Cycle until = kNever;      ///< end of a run that is cut short: what comes to NICs from this cycle on is not counted
  NodeProbe* probe = nullptr;
  Journeys* journeys = nullptr;           ///< null: no packets are followed
  const CounterBank* counters = nullptr;  ///< null: the program has no counters of its own
  bool faults = false;                    ///< true: some link goes down in this run
  std::vector<DownNews> news{};           ///< links that were given up in the round that runs
};

/// A switch of any kind with its NICs. A golden switch is a GoldenNode.
class Node {
 public:
  /// What has left by a port. The last packet's words are added only when the books are closed.
  struct PortCounts {
    std::int64_t packets = 0;
    std::int64_t all_words = 0;  ///< words of these packets
    std::int64_t words = 0;      ///< of these words, those sent in the measured cycles
    std::int64_t busy = 0;       ///< measured cycles in which the link was sending
  };

  Node(const Profile& profile, int index, NodeContext* context);
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  int index() const { return index_; }
  /// Uses another context from now on, that of the thread that runs the node next.
  void Use(NodeContext* context) { context_ = context; }
  /// Writes registers, one in each bus cycle from `bus` on, and runs the switch until the writes have taken effect.
  virtual void Write(const std::vector<Cfg>& writes, Cycle bus) = 0;
  /// Makes a NIC for each endpoint that is wired to this switch.
  void AttachNics();
  /// After the run: closes the books of the links and of the NICs.
  void Settle();
  /// The link of `port` is down, at this end, from cycle `from` on and before cycle `till`. Calls for a port come in the order
  /// of their cycles, but for a link that repeats.
  void FailLink(int port, Cycle from, Cycle till);
  /// The times that ports and NICs of this switch gave their links up.
  const std::vector<GivenUp>& given_up() const { return given_up_; }
  /// The changes of the SerDes lanes in use, in the order of the cycles.
  const std::vector<LaneChange>& lane_changes() const { return lane_changes_; }
  /// The first cycle in which the link of `port` is down; kNever: it works all the time.
  Cycle DownFrom(int port) const { return downs_.empty() || downs_[port].empty() ? kNever : downs_[port].front().from; }
  /// The cycle since which the link of `port` is down in cycle `cycle`; kNever: it works then.
  Cycle DownSince(int port, Cycle cycle) const;
  /// A fault plan or its manager writes routing registers of the switch. The writes are on the register bus from cycle
  /// `bus` on, one in each cycle.
  void WriteLater(const std::vector<Cfg>& writes, Cycle bus);
  /// A register write of WriteLater.
  struct LateWrite {
    Cycle bus;
    Cfg write;
  };
  /// All writes of WriteLater, whether they have taken effect or not.
  const std::vector<LateWrite>& late_writes() const { return late_writes_; }
  /// From the start on, before all writes: the ports' links are down until they begin to repeat what is lost.
  /// `why`: what damages these links or takes them down, in words, for messages.
  virtual void AwaitRepeats(golden::PortMask ports, const std::string& why);
  /// The links of these ports come up in cycle `up` and repeat what the plan damages. Traffic begins in cycle `begin`.
  virtual void BeginRepeats(golden::PortMask ports, const PlannedFaults& faults, Cycle up, Cycle begin);
  /// Whether some link of the switch repeats what is damaged, and whether that of the port does.
  bool repeats() const { return repeating_ != 0; }
  bool Repeats(int port) const { return (repeating_ & golden::Bit(port)) != 0; }
  /// Whether the port gave its link up, because no replay brought a packet; the packets in the port's replay buffer; the
  /// errors that came on the port's link.
  virtual bool HasGivenUp(int) const { return false; }
  virtual int CountHeld(int) const { return 0; }
  virtual int CountHeldByNic(int) const { return 0; }
  virtual std::vector<DrawnError> Drawn(int) const { return {}; }
  /// The same of the port's NIC: errors that came to it.
  virtual std::vector<DrawnError> DrawnAtNic(int) const { return {}; }
  /// What the port, or its NIC, sent on a link that repeats, from cycle `begin` on and before cycle `end`.
  virtual DirectionCounts SentBy(int port, bool nic, Cycle begin, Cycle end) const {
    (void)port, (void)nic, (void)begin, (void)end;
    return {};
  }
  /// Before the run: `peer(node)` is the node of a switch that the same thread always runs, and null for others.
  virtual void MeetPeers(const std::function<Node*(int node)>& peer) { (void)peer; }
  /// The cycle for which the rounds have entered the node in the timetable; kNever: the node is not entered. While the
  /// slice of that cycle runs, the cycle stays as it is: the rounds enter the node anew at the end of the slice.
  Cycle entered() const { return entered_; }
  void set_entered(Cycle cycle) { entered_ = cycle; }
  [[noreturn]] static void ThrowEarly() { throw std::logic_error("network: a message for a slice that has begun"); }
  /// Takes a message of another node. No message that is told later is due before cycle `from`.
  virtual void Receive(const LinkMessage& message, Cycle from);
  /// Runs all events before cycle `end`. Messages to other nodes are in the context's `outgoing` afterwards.
  virtual void Run(Cycle end) = 0;
  /// After `Run(end)`: does what `Run` has put off, so that all switches of a slice are run before their NICs are, whose code
  /// would take the place of theirs in the cache.
  virtual void RunPutOff(Cycle end) { (void)end; }
  /// The first cycle in which something is due; kNever: nothing is.
  virtual Cycle Due() const = 0;
  /// Cycles from the first cycle of a `Run` to the first wire cycle of what it puts on a link, at this end of the link.
  virtual Cycle lead() const = 0;
  /// As Due, without the sweeps of flow channels.
  virtual Cycle DueButSweeps() const { return Due(); }
  /// After the run: the value of a counter of the switch (docs/reference/counters.md).
  virtual std::uint64_t ReadCounter(int port, int index) = 0;
  /// After a drained run: names what in the switch is not as it was at the start; empty: everything is. `lost`: packets
  /// were dropped, so that their cells stay in the accounts of their flows, and are not named.
  virtual std::string NotHome(bool lost) = 0;
  /// The last cycle in which a deadline made, or will make, a flow channel of the switch forget what is in flight now;
  /// -1: there is none.
  virtual Cycle LastFlowDeadline() const { return -1; }
  /// Keeps statistics of what the links of a golden switch do in the measured cycles.
  virtual void KeepLinkStatistics() {}
  /// Adds what the links of this golden node and of its NICs do to the time series of the run.
  void KeepSamples();
  /// After the run, which ended in cycle `end`: adds the rest to the time series.
  void EndSamples(Cycle end);
  /// The registers of a golden switch; null: the switch is another device.
  virtual const golden::Registers* registers() const { return nullptr; }
  bool is_golden() const { return registers() != nullptr; }
  /// Uses these tables in a golden switch. A later write changes a copy of them.
  virtual void ShareTables(const golden::Registers& other) { (void)other; }
  /// The golden switch that is stepped; null: the switch runs as halves, or is another device.
  virtual golden::Switch* golden() { return nullptr; }
  virtual const golden::Switch* golden() const { return nullptr; }
  /// Whether the switch runs as halves (docs/timing.md, Halves).
  virtual bool runs_as_halves() const { return false; }

  /// Is told a packet that stands in a virtual output queue.
  using QueuedVisitor = std::function<void(int input, int vl_in, int output, int vl)>;
  /// Of a golden switch, between two calls of `Run`: cells requested and not granted, cells accounted in the input
  /// buffer (both before cycle `end`, where no event is left before it), the sender's account of the link, and the
  /// packets in queues.
  virtual int Load(int port, Cycle end) {
    (void)end;
    return golden()->load(port);
  }
  virtual int Used(int port, Cycle end) {
    (void)end;
    return golden()->used(port);
  }
  virtual const golden::CreditSender& Credits(int port) const { return golden()->credits(port); }
  virtual void ForEachQueued(const QueuedVisitor& visit) const {
    golden()->ForEachQueued([&](const golden::Packet& packet) {
      visit(packet.input, packet.vl_in, packet.output, packet.vl);
    });
  }

  /// Save and load the state of a golden switch between two calls of `Run`, with the records of the packets inside.
  virtual void SaveState(Saver*) {}
  virtual void LoadState(Loader*) {}

  /// The size of the node, for PrefetchSelf. It does not change.
  virtual std::size_t bytes() const { return sizeof(*this); }
  /// Prefetch what `Run` will read and change, in three steps. Each step reads what the step before has prefetched.
  void PrefetchSelf(std::size_t bytes) const { golden::Prefetch(this, bytes); }
  virtual void PrefetchParts() const {
    golden::Prefetch(inboxes_);
    golden::Prefetch(nics_);
    golden::Prefetch(ends_);
  }
  /// Prefetches what `RunPutOff` will read and change.
  virtual void PrefetchNics() const {}
  void PrefetchMessages() const {
    golden::ForEachBit(packets_waiting_, [&](int port) { inboxes_[port].packets.Prefetch(); });
    golden::ForEachBit(credits_waiting_, [&](int port) { inboxes_[port].credits.Prefetch(); });
    golden::ForEachBit(acks_waiting_, [&](int port) { inboxes_[port].acks.Prefetch(); });
  }
  /// Prefetch what `Receive` of the message will change, in two steps.
  virtual void PrefetchInbox(const LinkMessage& message) const {
    const Inbox& inbox = inboxes_[message.port];
    const void* at = &inbox.packets;
    if (message.kind == LinkKind::kCredit) at = &inbox.credits;
    if (message.kind == LinkKind::kAck) at = &inbox.acks;
    golden::Prefetch(at, 1);
    golden::Prefetch(&packets_waiting_, 3 * sizeof(golden::PortMask));
  }
  virtual void PrefetchTail(const LinkMessage& message) const {
    const Inbox& inbox = inboxes_[message.port];
    if (message.kind == LinkKind::kAck) return inbox.acks.PrefetchTail();
    message.kind == LinkKind::kCredit ? inbox.credits.PrefetchTail() : inbox.packets.PrefetchTail();
  }

  /// State between two runs, without records of packets. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(inboxes_, packets_waiting_, credits_waiting_, acks_waiting_, nics_due_, nics_, planned_, late_writes_);
    for (LinkEnd& end : ends_) archive(end.counts, end.sending);
    if (link_statistics_) archive(*link_statistics_);
    if (sampled_) archive(sample_due_, *sampled_);
  }

  const PortCounts& counts(int port) const { return ends_[port].counts; }
  /// Null when they are not kept.
  const golden::LinkStatistics* link_statistics() const { return link_statistics_.get(); }
  std::vector<Nic>& nics() { return nics_; }
  const std::vector<Nic>& nics() const { return nics_; }
  /// The port's NIC, null without one.
  const Nic* nic(int port) const { return nic_at_[port] < 0 ? nullptr : &nics_[nic_at_[port]]; }

 protected:
  /// The same of a node whose links repeat: what changes while the run lasts.
  template <typename Archive>
  void SerializeRepeats(Archive& archive) {
    archive(given_up_, lane_changes_, downs_);
  }
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

  /// Takes an attempt, a report or a stamp of a link that repeats.
  virtual void ReceiveRepeated(const LinkMessage& message);
  /// A link that repeats takes a packet, `payload`.
  virtual void TakeToRepeat(const golden::Departure& departure, golden::Payload payload);
  /// Of a link that repeats: whether a credit return says more than the one before of its lane.
  virtual bool IsNews(const golden::CreditReturn& credit);
  /// The register write is to be on the bus of the switch in cycle `bus`.
  virtual void PutOnBus(const Cfg& write, Cycle bus) { golden()->Write(bus, write); }
  /// A link that repeats is to be down then.
  virtual void AddDown(int port, Cycle from, Cycle till);
  /// A packet of the NIC starts on a link that repeats.
  virtual void StartToRepeat(int port, const Nic::Start& start, golden::Payload payload, Cycle now);
  const FarEnd& far(int port) const { return ends_[static_cast<std::size_t>(port)].far; }
  std::size_t ends() const { return ends_.size(); }
  void PrefetchEnds() const { golden::Prefetch(ends_); }
  /// Takes what the port's NIC puts on its link during a call of `Run(end)`.
  virtual void TakeFromNic(int port, const LinkPacket& packet, Cycle end);
  virtual void TakeFromNic(int port, const LinkCredit& credit, Cycle end);
  void RunNics(Cycle now, Cycle end);
  golden::Payload AddPacket(const Nic::Start& start, Nic* nic);
  /// A packet leaves by a link.
  void Depart(const golden::Departure& departure, Cycle end);
  /// Sends a credit return to the neighbour or NIC at the other end of its link.
  void Return(const golden::CreditReturn& credit);
  /// Sends an ack to the neighbour or NIC at the other end of its link.
  void PassOn(const golden::AckReturn& ack);
  /// Sends a pause of a flow to the port's NIC.
  void TellPause(const golden::FlowPauseReturn& pause);
  /// A packet is dropped.
  void CountDrop(const golden::DropRecord& drop, Cycle now);
  /// Whether the link of `port` is down in one of the cycles from `first` to `last`.
  bool IsDownBetween(int port, Cycle first, Cycle last) const;
  bool IsPlanned(Cycle now) const;
  Drop EndOf(int port, const LinkPacket& packet, Cycle last);
  /// A reduction packet goes to the port's NIC; its last word is there in cycle `last`.
  virtual void BringReduction(int port, golden::Payload payload, Cycle last);
  /// A packet was lost on a link that is down: releases its record.
  void Lose(golden::Payload payload, Cycle at);
  void CountLoss(const PacketRecord& record, Cycle at);
  /// An attempt that was broken off has ended as a copy; its packet is none of those in the books.
  void EndCopy(golden::Payload payload) {
    ++context_->statistics.retry.broken_ended;
    ReleaseAny(payload);
  }
  /// Of any packet: the contents of a reduction packet, too.
  void ReleaseAny(golden::Payload payload) {
    if (context_->records[payload].red >= 0) return context_->reds.Release(payload);
    if (context_->journeys != nullptr) context_->journeys->Ignore(payload);
    context_->records.Release(payload);
  }
  static Cycle LastWordOf(const golden::Departure& departure, const FarEnd& to) {
    return departure.take + golden::kTakeToWire + to.delay +
           golden::WordOffset(departure.format.words - 1, departure.serdes_lanes);
  }
  Nic& NicAt(int port) { return nics_[nic_at_[port]]; }
  /// What a NIC gets of the switch: the packet, whose end is known, or a reduction packet.
  void Deliver(const golden::Departure& departure, const FarEnd& to, Cycle end);
  void DeliverReduction(const golden::Departure& departure, golden::Payload payload, const FarEnd& to, Cycle end);
  /// Notes progress: something that is put on a link arrives in cycle `at`.
  void Expect(Cycle at) { context_->last_progress = std::max(context_->last_progress, at); }
  /// A new message for the switch at the far end.
  LinkMessage& SendTo(const FarEnd& to, LinkKind kind);
  /// Puts a packet, or a credit return, on the way to the switch at the far end of the port.
  virtual void SendPacket(int port, const LinkPacket& packet) { SendTo(far(port), LinkKind::kPacket).packet = packet; }
  virtual void SendCredit(int port, const LinkCredit& credit) { SendTo(far(port), LinkKind::kCredit).credit = credit; }
  /// Adds the intervals that end in cycle `now` or before to the time series. Called before the events of `now`.
  void TakeSamples(Cycle now);

  NodeContext* context_;
  int index_;
  std::vector<Inbox> inboxes_;
  golden::PortMask packets_waiting_ = 0;  ///< ports with something in the inbox
  golden::PortMask credits_waiting_ = 0;
  golden::PortMask acks_waiting_ = 0;
  golden::PortMask repeating_ = 0;  ///< ports whose links repeat what is damaged
  Cycle nics_due_ = kNever;
  Cycle entered_ = kNever;
  Cycle sample_due_ = kNever;  ///< the next end of an interval of the time series
  std::unique_ptr<golden::LinkStatistics> link_statistics_;  ///< null: no statistics of links are kept
  std::vector<GivenUp> given_up_;
  std::vector<LaneChange> lane_changes_;

 private:
  /// The last packet that left by a port. Its words are counted when the next packet leaves, or at the end of the run.
  struct Sending {
    Cycle take = 0;
    std::int16_t words = 0;
    std::int8_t lanes = 1;
    std::int8_t tc = 0;
  };

  /// When a link is down.
  struct Down {
    Cycle from;
    Cycle till;
  };

  /// What a node needs of a port when a packet leaves by it: a cache line.
  struct alignas(golden::kCacheLine) LinkEnd {
    FarEnd far;
    Sending sending;
    PortCounts counts;
  };

  /// What the time series have already: what the links did before cycle `end`.
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
  bool IsLost(const golden::Departure& departure, Cycle last) const;
  void Discard(const golden::Departure& departure);
  /// Counts the words of the last packet that left by the port: nearly always all of them are on four lanes in measured cycles.
  void CountWords(int port) {
    Sending& last = ends_[port].sending;
    PortCounts& counts = ends_[port].counts;
    const Measured& measured = context_->nics->measured;
    if (link_statistics_ != nullptr || last.lanes != 4 || last.take < measured.from || last.take + 4 * last.words > measured.to)
      return CountSomeWords(port);
    counts.words += last.words;
    counts.busy += last.words;
    last.words = 0;
  }
  [[gnu::noinline]] void CountSomeWords(int port);
  void ExpectOfJobs(Cycle at) { context_->jobs_progress = std::max(context_->jobs_progress, at); }
  /// Whether the packet is of the synthetic traffic beside jobs.
  bool IsBackground(const PacketRecord& record) const {
    const NicSetup& nics = *context_->nics;
    return nics.background && record.red < 0 && nics.hosts->workload->seats[record.source].job < 0;
  }
  /// Whether the packet is of the synthetic traffic, or of a job that repeats.
  bool IsBesideJobs(const PacketRecord& record) const {
    const NicSetup& nics = *context_->nics;
    if (!nics.ends_with_jobs || record.red >= 0) return false;
    const int job = nics.hosts->workload->seats[record.source].job;
    return job < 0 || nics.hosts->workload->jobs[job].schedule.repeats;
  }
  /// Takes a packet that has ended off the count of packets inside that are beside the jobs, if it is one of them.
  void LeaveBackground(const PacketRecord& record) { context_->statistics.background_inside -= IsBesideJobs(record); }
  void CountBackground(const golden::Departure& departure, const PacketRecord& record, Cycle last);
  void DepartReduction(const golden::Departure& departure, const FarEnd& to, Cycle end);
  void Sink(const golden::Departure& departure, const FarEnd& to, Cycle last, Cycle end);
  void CountDelivery(const golden::Departure& departure, const PacketRecord& record, Cycle last);
  PacketEvent EventOf(const PacketRecord& record, Cycle cycle, int port, int hops) const;
  void TellStart(const PacketRecord& record, int port, Cycle now);
  void TellLeave(const golden::Departure& departure);
  void TellDelivery(const golden::Departure& departure, const PacketRecord& record, Cycle last);
  void TellDrop(const PacketRecord& record, const golden::DropRecord& drop, Cycle now);
  void TellLoss(const PacketRecord& record, Cycle at);
  void UpdateNicsDue();

  std::vector<LinkEnd> ends_;  ///< by port
  std::vector<Nic> nics_;
  std::vector<std::uint8_t> nic_ports_;  ///< by NIC: its port
  std::vector<std::int8_t> nic_at_;      ///< by port: its NIC; -1: none
  std::vector<std::vector<Down>> downs_;  ///< by port, in order; empty: all links work
  /// Cycles of events that are none of the run: a plan changes links or registers.
  struct Span {
    Cycle first;
    Cycle last;
  };
  std::vector<Span> planned_;
  std::vector<LateWrite> late_writes_;   ///< in the order of the calls
  std::unique_ptr<Sampled> sampled_;     ///< null: no time series are kept
};

}  // namespace tilefly::network
