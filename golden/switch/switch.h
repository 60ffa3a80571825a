// SPDX-License-Identifier: Apache-2.0
// The switch at packet level: exact in every cycle, with work only where something happens (docs/timing.md).
//
// The caller tells the switch what its links bring (Arrive, Finish, Credit, ...), calls Step for the cycles that
// NextActive names, and reads what the links take. What comes in wire cycle c must be told before Step(c + 4). A
// packet's bytes stay with the caller; the switch knows them by a `Payload` number.
#pragma once

#include <memory>
#include <vector>

#include "golden/acks/ack_checker.h"
#include "golden/acks/ack_unit.h"
#include "golden/acks/edge_flows.h"
#include "golden/credit/credit_sender.h"
#include "golden/crossbar/arbitrated_crossbar.h"
#include "golden/crossbar/column_channels.h"
#include "golden/egress/grant_unit.h"
#include "golden/egress/link_checker.h"
#include "golden/egress/link_watch.h"
#include "golden/egress/output_buffer.h"
#include "golden/flows/meter_checker.h"
#include "golden/flows/output_meters.h"
#include "golden/ingress/ingress.h"
#include "golden/link/arrival.h"
#include "golden/link/departure.h"
#include "golden/reduction/reductions.h"
#include "golden/registers/registers.h"
#include "golden/routing/load_checker.h"
#include "golden/routing/route_checker.h"
#include "golden/scheduler/schedulers.h"
#include "golden/state/context.h"
#include "golden/state/stage_probe.h"

namespace tilefly::golden {

/// A credit message for the control slot.
struct CreditReturn {
  Cycle wire;           ///< cycle in which it is on `link_o`
  std::uint8_t port;
  std::uint8_t vl;
  std::uint16_t cells;  ///< freed on the lane since reset, modulo 65536
};

/// A stamp for the control slot of a retry port.
struct StampReturn {
  Cycle wire;
  std::uint8_t port;
  CreditStamp stamp;
};

/// What the retry block of a port shows in a cycle: a packet started in the cycle before.
struct LinkStart {
  std::uint8_t port;
  std::uint8_t vl;
  std::uint8_t cells;  ///< 0 of a bare frame
  bool again;          ///< it was sent before
};

/// What a step puts out.
struct StepOutput {
  void Clear() {
    links.Clear();
    credits.clear();
    stamps.clear();
    acks.clear();
    flow_pauses.clear();
    drops.clear();
    empty = true;
  }
  void Prefetch() const {
    golden::Prefetch(links.packets.data(), sizeof(Departure));
    golden::Prefetch(credits.data(), sizeof(CreditReturn));
  }
  Departures links;
  std::vector<CreditReturn> credits;
  std::vector<StampReturn> stamps;
  std::vector<AckReturn> acks;
  std::vector<FlowPauseReturn> flow_pauses;
  bool empty = true;              ///< there is nothing; false also where there might have been something
  std::vector<DropRecord> drops;  ///< dropped at an input; a drop for want of an Ethernet header is a departure without words
};

class Switch {
 public:
  explicit Switch(const Profile& profile, const SchedulerChoice& scheduler = {});
  Switch(const Switch&) = delete;
  Switch& operator=(const Switch&) = delete;

  /// Writes a register. The write is on the register bus in cycle `bus`.
  void Write(Cycle bus, const Cfg& write);

  /// A packet's first word is on the port's link in wire cycle `a0`. If the packet has a header, its kind and length
  /// are in range.
  void Arrive(int port, Cycle a0, const Arrival& arrival);
  /// The port's packet ended in wire cycle `a_last`. Call it for every packet that is stored, and for a packet that is
  /// cut through and turns out to be damaged; the owner of its bytes remembers that it leaves stomped.
  void Finish(int port, Cycle a_last, const End& end);
  /// A packet whose header is out of range starts with the word of wire cycle `a0`.
  void Refuse(int port, Cycle a0);
  /// A credit return for lane `vl` with the cumulative count `cells` is on the control slot in wire cycle `wire`.
  void Credit(int port, Cycle wire, int vl, std::uint16_t cells);
  /// An ack is on the control slot of `port` in wire cycle `wire`. The port is enabled and its link is up.
  void Ack(int port, Cycle wire, const tilefly::Ack& ack);
  /// The end of a PAUSE frame is known in cycle `event`. The frame asks for `quanta` for every class in `classes`.
  void Pause(int port, Cycle event, unsigned classes, const std::array<std::uint16_t, kMaxClasses>& quanta);
  /// `link_up_i` of the port is `up` from cycle `cycle` on. Links are up at the start.
  void LinkUp(int port, bool up, Cycle cycle);
  /// Counts events that the caller's MAC, or its retry block, saw.
  void Count(int port, Counter counter, int times = 1) { context_.counters.Add(port, counter, times); }

  /// Ports whose links repeat what was lost. The caller has their retry blocks and SerDes lanes, and tells: before the step
  /// of a cycle, whether a packet may be taken and how many SerDes lanes are in use, whether the block has given up, and
  /// what it shows to have started; which stamps are on `link_i`.
  PortMask retry_ports() const { return context_.retry_ports; }
  void Ready(int port, bool ready, int serdes_lanes);
  void ReplaysFailed(Cycle cycle, int port);
  void Started(Cycle cycle, const LinkStart& start);
  void Stamp(int port, Cycle wire, const CreditStamp& stamp);
  /// Of these ports, those without retry behind a link down of best effort. Their retry blocks are off.
  PortMask plain_ports() const { return context_.plain_ports; }
  /// SerDes lanes that a port has in use when it becomes a retry port.
  int first_lanes(int port) const { return context_.retry_lanes[port]; }
  /// Ports whose register LANES was written in the last step.
  PortMask lanes_written() const { return links_.lanes_written(); }
  /// Of these ports, those that ask for their link to go down: `link_fail_o`.
  PortMask failing_links() const { return links_.failing(); }

  /// Makes all events and decisions of cycle `now`, which is later than the last cycle stepped. Cycles before
  /// NextActive may be left out, because nothing happens in them.
  void Step(Cycle now);
  /// What the last step put out.
  const StepOutput& output() const { return output_; }
  /// The next cycle that must be stepped, kNever when nothing will happen by itself.
  Cycle NextActive() const { return next_active_; }
  /// The same without what flow channels do by themselves.
  Cycle next_but_flows() const { return next_but_flows_; }
  /// Whether flow channels alone, by their sweeps and what follows from these, need the step of cycle `now`.
  bool SweepsAlone(Cycle now) const { return next_active_ <= now && next_but_flows_ > now; }

  /// Prefetches what the next steps will read and change. The switch itself should be in the cache.
  void Prefetch() const {
    context_.packets.Prefetch();
    context_.registers.Prefetch();
    context_.counters.Prefetch();
    output_.Prefetch();
    ingress_.Prefetch();
    grants_.Prefetch();
    buffers_.Prefetch();
    request_crossbar_.Prefetch();
    grant_crossbar_.Prefetch();
    data_crossbar_.Prefetch();
    control_arrivals_.Prefetch();
    acks_.Prefetch();
  }

  /// Registers as committed.
  const Registers& registers() const { return context_.registers; }
  /// Uses the tables of another switch. A later write changes a copy of them.
  void ShareTables(const Registers& other) { context_.registers.ShareTables(other); }
  /// The latest cycle that is over: events of later cycles are still to come.
  Cycle now() const { return now_; }
  /// After a state was loaded, which has no registers: makes a register write that had taken effect before.
  void RestoreRegister(const Cfg& write) { context_.registers.Apply(write); }
  /// Counter `index` of the port: a counter_e, or a drop reason.
  std::uint64_t ReadCounter(int port, int index) const { return context_.counters.Read(port, index); }
  /// Where the run ends before cycle `end` without a step of the last cycles: counts what was counted in none.
  void CountBefore(Cycle end) { ingress_.CountEntered(end); }
  /// Fills `observation` in every step from now on; null ends this. While it is filled, every cycle must be stepped.
  void Observe(SwitchObservation* observation);

  /// Tells the statistics of links which retry ports have packets, from cycle `from` on, that their links may not take.
  /// The switch does so behind each step; its caller does so behind Ready.
  void TellHolds(Cycle from) const {
    if (context_.watchers.links != nullptr) TellEachHold(from);
  }
  /// Counts what the links of the switch do from now on; null ends this. The statistics must outlive the switch.
  void KeepLinkStatistics(LinkStatistics* statistics) { context_.watchers.links = statistics; }
  /// Sets who keeps the bytes of reduction packets. Call it before the first of these packets comes.
  void KeepRedBytes(RedBytes* bytes) { context_.red_bytes = bytes; }
  /// Tells the probe from now on which stages every packet reaches; null ends this.
  void Follow(StageProbe* probe) { context_.watchers.stages = probe; }

  /// Checks the invariants of the block pages, after the last step (docs/testing.md, Invariants). A call takes about as
  /// long as some steps.
  void Check(Audit* audit) const;
  /// Checks the invariants of a switch that is drained: all room and all credits are home.
  void CheckDrained(Audit* audit) const;

  /// Calls `visit(packet)` for every packet that stands in a virtual output queue.
  template <typename Visit>
  void ForEachQueued(Visit&& visit) const {
    ingress_.queues().ForEach([&](Index, const Queue& queue) {
      for (Index id = queue.first; id != kNone; id = context_.packets[id].next) visit(context_.packets[id]);
    });
  }

  /// Calls `visit(packet)` for every packet that an output buffer holds and its link has not taken.
  template <typename Visit>
  void ForEachInOutputBuffers(Visit&& visit) const {
    buffers_.ForEachWaiting(visit);
  }

  /// State between two steps, of a switch that nobody observes. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(context_, edge_flows_, ingress_, grants_, buffers_, request_crossbar_, grant_crossbar_, data_crossbar_, acks_,
            control_arrivals_, link_acks_, control_due_, rare_, writes_, pauses_, starts_, links_, now_, next_active_,
            next_but_flows_);
    bool metered = meters_ != nullptr;
    archive(metered);
    if (metered && meters_ == nullptr) meters_ = std::make_unique<OutputMeters>(context_.profile);
    if (metered) archive(*meters_);
    bool reduces = reductions_ != nullptr;
    archive(reduces);
    if (!reduces) return;
    MakeReductions();
    archive(*reductions_);
  }
  /// Calls `visit(payload)` for every packet whose bytes the caller has given and not got back.
  template <typename Visit>
  void ForEachPayload(Visit&& visit) {
    context_.packets.ForEach([&](Packet& packet) {
      if (packet.copies_left > 0 && !packet.refused) visit(packet.payload);
    });
  }

  /// State for checks of conservation.
  int used(int port) const { return ingress_.buffer().used(port); }
  int room(int port) const { return grants_.room(port); }
  int load(int port) const { return context_.loads.load(port); }
  const CreditSender& credits(int port) const { return grants_.credits(port); }
  /// Whether the far end of the port's link has said of every lane what it holds, since a link with retry came up.
  bool knows_credits(int port) const { return grants_.knows_credits(port); }
  const FlowAccount& flows() const { return edge_flows_.account(); }
  /// The flow channels of the ports, null when no port ever had them.
  const FlowPorts* channels() const { return edge_flows_.channels(); }
  /// Keeps books of the flows of the ports that have flow channels now.
  void KeepFlowBooks() {
    if (edge_flows_.channels() != nullptr) edge_flows_.channels()->KeepBooks();
  }
  /// The reductions, null when no register of them was ever written.
  const Reductions* reductions() const { return reductions_.get(); }
  /// Number of packets and copies inside.
  std::size_t packets() const { return context_.packets.size(); }
  const Profile& profile() const { return context_.profile; }

 private:
  /// A credit return, a stamp, or an ack, which is in `link_acks_` under the same number.
  struct ControlArrival {
    static constexpr std::uint8_t kAck = UINT8_MAX;
    static constexpr std::uint8_t kStamp = 64;
    Cycle due;
    Index next;
    std::uint16_t cells;
    std::uint8_t port;
    std::uint8_t vl;  ///< kAck: it is one; a stamp: lane + kStamp
  };
  /// A rare event: a write, a PAUSE, a link going up or down.
  struct Rare {
    enum Kind : std::uint8_t { kWrite, kPause, kLink } kind;
    std::uint8_t port;
    bool up;
    std::uint8_t classes;
    Index detail;  ///< of writes and PAUSEs
  };

  /// What is kept of a switch that is observed.
  struct Checkers {
    Checkers(const Context& context, const FlowAccount& flows, bool empty, Cycle now, bool no_meters)
        : loads(context.profile),
          acks(flows, empty),
          meters(context.profile.ports, context.profile.flow_epoch_cycles, now, no_meters) {}
    ColumnChannels columns;
    RouteChecker routes;
    LoadChecker loads;
    AckChecker acks;
    MeterCheckers meters;
    LinkChecker links;
  };

  /// Requests of the inputs, and those of row R.
  struct Requests {
    using StoredRequest = golden::StoredRequest;
    StoredRequest Head(int input, int output, int vl) const {
      return input < ports ? queues.Head(input, output, vl) : reductions->row().Head(output, input - ports);
    }
    bool Grant(const StoredRequest& head) { return head.queue != kNone && queues.Grant(head); }
    bool TakeBack(const StoredRequest& head) { return queues.TakeBack(head); }

    VirtualQueues& queues;
    Reductions* reductions;
    int ports;
  };

  void MakeReductions();
  void MakeMeters();
  /// Calls `visit(output, lane, cells, stored, newest_more)` for each fifo of requests that is not empty.
  template <typename Visit>
  void ForEachStore(Visit&& visit) const;
  void CheckMeters(Audit* audit) const;
  void EndFlows(Cycle now);
  void FirstCell(Cycle now, Index id);
  void CommitReductions(Cycle now);
  void Advance(Cycle to);
  void TellStage(Stage stage, Cycle now, const Packet& packet) const {
    if (context_.watchers.stages != nullptr) context_.watchers.stages->Reached(stage, now, packet);
  }
  void Need(Cycle cycle) {
    next_active_ = std::min(next_active_, cycle);
    next_but_flows_ = std::min(next_but_flows_, cycle);
  }
  void Decide(Cycle now, Calendars due);
  void DecideGrants(Cycle now);
  void DecideInputs(Cycle now, Calendars due);
  void Commit(Cycle now, Calendars due);
  void DeliverRequests(Cycle now);
  void DeliverGrants(Cycle now);
  void DeliverCells(Cycle now);
  Index FileControl(const ControlArrival& arrival);
  void FreeRoom(Cycle now);
  void PassOn(Cycle now, int port, const tilefly::Ack& ack);
  void DeliverControl(Cycle now);
  void WatchAcks(Cycle now);
  void DecideStamps(Cycle now);
  void CommitRetry();
  void JudgeLinks(Cycle now);
  void TellEachHold(Cycle from) const;
  void TurnLink(Cycle now, int port, bool up);
  void DropLink(int port);
  void TellDowns(Cycle now) { context_.downs.Set(now, context_.down()); }
  void BeforePortWrite(const Cfg& write);
  void SetRetryPorts(Cycle now);
  void Apply(Cycle now, const Rare& rare);
  void ApplyWrite(Cycle now, const Cfg& write);
  void ObserveLevels(Cycle now);
  Cycle NextButFlows(Cycle now) const;

  Context context_;
  EdgeFlows edge_flows_;
  Ingress ingress_;
  GrantUnit grants_;
  OutputBuffer buffers_;
  LinkWatch links_;
  RequestCrossbar request_crossbar_;
  MergedCrossbar grant_crossbar_;  ///< and the request credits': both carry the same messages in the same cycles
  DelayLine<Index> data_crossbar_;
  AckUnit acks_;
  Pool<ControlArrival> control_arrivals_;
  std::vector<tilefly::Ack> link_acks_;
  ChainWheel control_due_;
  Agenda<Rare> rare_;
  Pool<Cfg> writes_;
  Pool<std::array<std::uint16_t, kMaxClasses>> pauses_;
  std::vector<LinkStart> starts_;           ///< of the next step
  std::unique_ptr<OutputMeters> meters_;    ///< from the first port with one on
  std::unique_ptr<Reductions> reductions_;  ///< from the first write of a register of it on
  std::unique_ptr<Checkers> checkers_;      ///< while somebody observes
  StepOutput output_;
  Cycle now_ = -1;
  Cycle next_active_ = kNever;
  Cycle next_but_flows_ = kNever;  ///< the same without what flow channels do by themselves
};

}  // namespace tilefly::golden
