// SPDX-License-Identifier: Apache-2.0
// Congestion control of a system (docs/blocks/flow_channel.md): registers, and what results do not depend on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden/common/register_write.h"
#include "network/flow_window.h"
#include "support/errors.h"
#include "testbenches/network/checkpoint_runs.h"
#include "testbenches/network/congestion_run.h"
#include "testbenches/network/hand_made.h"

namespace tilefly::network {
namespace {

using ::testing::HasSubstr;

std::string RefusalOfControl(const topology::Topology& topology, const NetworkOptions& options) {
  try {
    Network network(topology, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Congestion, PortsToNicsHaveFlowChannelsAndNoOtherPort) {
  const topology::Topology topology = CongestedSystem();
  NetworkOptions options = Congested(false);
  for (const bool on : {true, false}) {
    options.congestion.on = on;
    Network network(topology, options);
    int terminals = 0;
    for (int n = 0; n < network.nodes(); ++n) {
      for (int port = 0; port < network.profile().ports; ++port) {
        const golden::PortRegisters& registers = network.node(n).registers()->port(port);
        const bool terminal = network.wiring().far(n, port).endpoint >= 0;
        terminals += terminal;
        EXPECT_EQ(registers.has_flows(), on && terminal);
        if (!on) EXPECT_FALSE(registers.mode.flows);
        EXPECT_EQ(registers.flow_mark == FlowMark::Of(40, 200, 300), on && terminal);
        EXPECT_EQ(registers.flow_channel == options.congestion.channel, on && terminal);
      }
    }
    EXPECT_EQ(terminals, static_cast<int>(topology.endpoints.size()));
  }
}

/// T = 94 + 86 k + 2 x (sum of the links' delays), and FULL = ceil(2 T / 3).
TEST(Congestion, FullFollowsFromTheLongestQuietRoundTrip) {
  const auto trip = [](const topology::Topology& topology) {
    return LongestFlowRoundTrip(topology, Wiring(topology, topology.radix, LinkTiming::Bench()));
  };
  EXPECT_EQ(trip(LoneSwitch()), 180);
  EXPECT_EQ(trip(RingOf(4)), 94 + 86 * 3 + 2 * (10 + 10));
  // Local, global, local: 10, 100 and 10 cycles.
  EXPECT_EQ(trip(topology::Build("dragonfly:p=2,a=4,h=2")), 94 + 86 * 4 + 2 * (10 + 100 + 10));
  EXPECT_EQ(FullCells(1920), 1280);
  EXPECT_EQ(FullCells(1921), 1281);
  EXPECT_EQ(FullCells(1 << 20), 4095);
  EXPECT_EQ(LeastFlowEpoch(kTile8, 1280), 1913);
  NetworkOptions options = Congested(true);
  options.congestion.mark.full = 0;
  const Network network(topology::Build("dragonfly:p=2,a=4,h=2"), options);
  EXPECT_EQ(network.flow_mark().full, (2 * (94 + 86 * 4 + 2 * 120) + 2) / 3);
}

TEST(Congestion, IsRefusedWithoutAcks) {
  NetworkOptions options = Congested(false);
  options.acks = AckUse::kOff;
  EXPECT_THAT(RefusalOfControl(CongestedSystem(), options), HasSubstr("there are none; give --acks on"));
  options.acks = AckUse::kWherePossible;
  EXPECT_EQ(RefusalOfControl(CongestedSystem(), options), "");
  EXPECT_THAT(RefusalOfControl(topology::Build("torus:size=8x8"), options),
              HasSubstr("paths over 9 switches, an ack finds back over 6; take a system of smaller diameter"));
}

/// The same cycle for the begin of traffic: in front of other writes there are as many as flow channels have more.
std::vector<Cfg> WritesInFront(const Network& on, const Network& off) {
  const auto count = static_cast<std::size_t>(on.nics().begin - off.nics().begin);
  const int mark = static_cast<int>(PortReg::kFlowMark);
  return std::vector<Cfg>(count, golden::WriteRegister(0, CfgSpace::kPort, mark, FlowMark().ToBits()));
}

/// What a run leaves behind but for what flow channels counted.
std::string WithoutFlows(std::string text) {
  const std::size_t at = text.find("\nflows ") + 1;
  return text.erase(at, text.find('\n', at) - at);
}

/// Without a mark every packet goes in its cycle, and all counts are those of a run without flow channels.
TEST(Congestion, WithoutMarksNothingMoves) {
  Profile never = kTile8;
  never.flow_deep_requests = 31;  // a queue has no more than 12
  for (const char* routing : {"min", "adaptive_0", "nmin_hash"}) {
    const topology::Topology topology = CongestedSystem();
    NetworkOptions on = Congested(true);
    on.profile = &never;
    on.routing = RoutingOptions::Named(routing);
    on.congestion.mark = FlowMark::Of(4095, 4095, 300);
    NetworkOptions off = on;
    off.congestion.on = false;
    off.writes = WritesInFront(Network(topology, on), Network(topology, off));
    EXPECT_FALSE(off.writes.empty());
    const std::string text = WithoutFlows(WholeRun(topology, on));
    EXPECT_EQ(text, WithoutFlows(WholeRun(topology, off))) << routing;
    EXPECT_EQ(DeliveriesOf(topology, on), DeliveriesOf(topology, off)) << routing;
    on.congestion.mark = FlowMark::Of(40, 200, 300);
    EXPECT_NE(WithoutFlows(WholeRun(topology, on)), text) << "with marks something moves";
  }
}

/// Pauses as a probe sees them: a NIC starts no packet of a flow that has no credit (PAUSE-1).
class PauseProbe final : public DeliveryProbe {
 public:
  explicit PauseProbe(const Network& network) : DeliveryProbe(network.wiring()), network_(network) {}
  void Carries(const LinkEvent& event) override {
    const int endpoint = network_.wiring().far(event.node, event.port).endpoint;
    if (event.kind == LinkKind::kPause) {
      to_come_[endpoint].push_back({event.wire + network_.wiring().far(event.node, event.port).delay, event.pause});
    } else if (event.kind == LinkKind::kPacket && event.from_nic) {
      Start(endpoint, event.wire, event.header);
    }
  }
  int paused = 0;       ///< packets that started with the credit of a pause
  int beside = 0;       ///< packets of other flows of the class, while a flow had no credit
  int broken = 0;       ///< packets that started without credit

 private:
  struct State {
    Cycle until = 0;
    int credit = 0;
  };
  void Start(int endpoint, Cycle now, const golden::HeaderBits& header) {
    auto& flows = states_[endpoint];
    auto& pauses = to_come_[endpoint];
    for (; !pauses.empty() && pauses.front().wire < now; pauses.erase(pauses.begin())) {
      const LinkPause& one = pauses.front();
      flows[{one.pause.tc, one.pause.destination}] = {
          one.pause.period == 0 ? 0 : one.wire + 1 + 64 * one.pause.period, one.pause.credit};
    }
    for (const auto& [key, state] : flows) {
      const bool own = key.first == header.tc() && key.second == header.destination();
      beside += !own && key.first == header.tc() && state.until > now && state.credit <= 0;
    }
    State& own = flows[{header.tc(), header.destination()}];
    if (own.until <= now) return;
    ++paused;
    broken += own.credit <= 0;
    own.credit -= golden::CellsOf(header.length());
  }

  const Network& network_;
  std::map<int, std::vector<LinkPause>> to_come_;
  std::map<int, std::map<std::pair<int, std::uint32_t>, State>> states_;
};

TEST(Congestion, NicsStartNoPacketOfAPausedFlowWithoutCredit) {
  for (const bool class_queues : {true, false}) {
    NetworkOptions options = Congested(false);
    options.cycles = 10'000;
    options.nics.class_queues = class_queues;
    const topology::Topology topology = CongestedSystem();
    Network network(topology, options);
    PauseProbe probe(network);
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    EXPECT_EQ(probe.broken, 0) << "PAUSE-1";
    EXPECT_GT(probe.paused, 50);
    EXPECT_GT(probe.beside, 50);
  }
}

/// Packets of a pair and class start in the order of their creation, put aside or not.
class PairOrderProbe final : public DeliveryProbe {
 public:
  using DeliveryProbe::DeliveryProbe;
  void Carries(const LinkEvent& event) override {
    if (!event.from_nic || event.kind != LinkKind::kPacket) return;
    const PacketRecord& record = event.record;
    Cycle& latest = latest_[{record.source, record.destination, record.tc}];
    EXPECT_GE(record.created, latest);
    latest = record.created;
    Cycle& all = all_[{record.source, record.tc}];
    overtaken += record.created < all;
    all = std::max(all, record.created);
  }
  int overtaken = 0;

 private:
  std::map<std::tuple<int, int, int>, Cycle> latest_;
  std::map<std::tuple<int, int>, Cycle> all_;
};

TEST(Congestion, PacketsThatArePutAsideKeepTheOrderOfTheirPair) {
  const topology::Topology topology = CongestedSystem();
  Network network(topology, Congested(true));
  PairOrderProbe probe(network.wiring());
  network.set_probe(&probe);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_GT(probe.overtaken, 50);
}

/// A NIC that sends a capture, or another plan, puts no frame aside: the first one waits.
TEST(Congestion, APlanKeepsItsOrder) {
  const topology::Topology topology = CongestedSystem();
  NetworkOptions options = Congested(true);
  for (Cycle at = 0; at < 3000; at += 30) {
    for (int source = 2; source < 12; ++source)
      options.traffic.plan.push_back({at, source, at % 60 == 0 ? 0 : source ^ 1, at % 60 == 0 ? 2000 : 64});
  }
  Network network(topology, options);
  PairOrderProbe probe(network.wiring());
  network.set_probe(&probe);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(probe.overtaken, 0);
  EXPECT_GT(SumOf(network).throttled_cycles, 1000);
}

/// What was created was sent, or waits: in front of its queue, or aside.
TEST(Congestion, BooksCountWhatWasPutAside) {
  const topology::Topology topology = CongestedSystem();
  NetworkOptions on = Congested(true), off = on;
  off.congestion.on = false;
  std::vector<std::int64_t> created;
  for (const NetworkOptions& options : {on, off}) {
    Network network(topology, options);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    created.push_back(network.statistics().sent() + network.Remaining().packets);
    EXPECT_GT(network.Remaining().packets, 100);
  }
  EXPECT_EQ(created[0], created[1]);
}

NetworkOptions CongestedLoaded() {
  NetworkOptions options = Congested(false);
  options.stalls = true;
  options.sample = 200;
  options.traffic.classes = {{1, 1, kTile8.mtu_bytes}, {3, 0.4, kTile8.mtu_bytes}};
  return options;
}

TEST(Congestion, LookaheadThreadsProcessesAndOrderChangeNothing) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = CongestedLoaded();
  const std::string whole = WholeRun(topology, options);
  for (const int threads : {2, 3}) {
    options.threads = threads;
    EXPECT_EQ(WholeRun(topology, options), whole) << threads << " threads";
  }
  options.threads = 1;
  for (const int size : {2, 3}) {
    OnThreads(size, [&](Processes& processes) {
      Network network(topology, options, &processes);
      const Ending ending = network.Run();
      const Figures figures(network);
      const std::string text = processes.first() ? Text(network, ending, figures) + RepeatsText(figures) : whole;
      EXPECT_EQ(text, whole) << size << " processes";
    });
  }
  for (const Cycle lookahead : {1, 9}) {
    options.lookahead = lookahead;
    options.order = static_cast<std::uint64_t>(lookahead);
    EXPECT_EQ(WholeRun(topology, options), whole) << "lookahead " << lookahead;
  }
  options.lookahead = 0;
  options.whole = true;
  EXPECT_EQ(WholeRun(topology, options), whole) << "one domain";
}

TEST(Congestion, ARunGoesOnFromAState) {
  const topology::Topology topology = CongestedSystem();
  NetworkOptions options = CongestedLoaded();
  const std::string whole = WholeRun(topology, options);
  for (const Cycle at : {300, 1500, 3000, 3999, 5000})
    EXPECT_EQ(RestOfRun(1, topology, options, StateOf(1, topology, options, at)), whole) << at;
  EXPECT_EQ(RestOfRun(3, topology, options, StateOf(2, topology, options, 2000)), whole) << "other processes";
  options.nics.resend = 1500;
  options.cycles = Cycle{1} << 40;
  UseJob("gather:bytes=30000+alltoall:bytes=9000,ranks=5", topology, &options);
  const std::string jobs = WholeRun(topology, options);
  for (const Cycle at : {1000, 4000})
    EXPECT_EQ(RestOfRun(1, topology, options, StateOf(1, topology, options, at)), jobs) << at;
}

/// Journeys name the cycles for which a flow channel, or nothing but pauses, held a packet.
TEST(Congestion, JourneysNameWhatHeldPackets) {
  const topology::Topology topology = CongestedSystem();
  NetworkOptions options = Congested(true);
  options.journeys.all = true;
  Network network(topology, options);
  Cycle held = 0, paused = 0;
  std::int64_t packets = 0;
  network.TellJourneys([&](const Journey& journey, bool) {
    paused += journey.throttled;
    EXPECT_GE(journey.throttled, 0);
    EXPECT_LE(journey.throttled, journey.record.sent - std::max(journey.ready, journey.record.created));
    for (const JourneyHop& hop : journey.hops) {
      held += hop.throttled;
      packets += hop.throttled > 0;
      const Cycle queued = hop.stages[static_cast<std::size_t>(golden::Stage::kQueued)];
      EXPECT_LE(hop.throttled, queued - hop.trigger);
    }
  });
  ASSERT_EQ(network.Run(), Ending::kDrained);
  const Figures figures(network);
  EXPECT_EQ(held, figures.flows.held_cycles);
  EXPECT_EQ(packets, figures.flows.held);
  EXPECT_GT(packets, 50);
  EXPECT_GT(paused, 100);
  EXPECT_LE(paused, SumOf(network).throttled_cycles);
}

/// The worst flows come first, and what they say adds up to what the switches counted.
/// With a first window flows are held that are never throttled.
TEST(Congestion, FlowsAreListedByWhatTheyWaited) {
  const topology::Topology topology = CongestedSystem();
  NetworkOptions options = Congested(true);
  options.congestion.worst_flows = 1000;
  options.congestion.channel.first = 30;
  Network network(topology, options);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  const Figures all(network);
  std::int64_t held = 0, marked = 0, cycles = 0, never_throttled = 0;
  Cycle before = kNever;
  for (const WorstFlow& one : all.worst_flows) {
    EXPECT_LE(one.book.held_cycles, before);
    before = one.book.held_cycles;
    held += one.book.held;
    cycles += one.book.held_cycles;
    marked += one.book.marked;
    never_throttled += one.book.held_cycles > 0 && one.book.throttled_cycles == 0;
    EXPECT_GE(one.book.packets, one.book.held);
    EXPECT_EQ(one.book.held_cells, 0) << "all have been released";
    EXPECT_LE(one.book.throttled_cycles, network.cycle() + 1 - network.nics().begin);
    if (one.book.least_window_cells >= 0) EXPECT_GT(one.book.throttled_cycles, 0);
  }
  EXPECT_EQ(held, SumOf(network, Counter::kFlowHeld));
  EXPECT_EQ(marked, SumOf(network, Counter::kMarksIn));
  EXPECT_EQ(cycles, all.flows.held_cycles);
  EXPECT_EQ(all.flows.pauses, SumOf(network).pauses);
  EXPECT_GT(held, 50);
  EXPECT_GT(never_throttled, 0);
  options.congestion.worst_flows = 3;
  Network again(topology, options);
  again.Run();
  const Figures some(again);
  ASSERT_EQ(some.worst_flows.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(some.worst_flows[i].source, all.worst_flows[i].source);
    EXPECT_EQ(some.worst_flows[i].book.held_cycles, all.worst_flows[i].book.held_cycles);
  }
}

/// A run that is ended counts what is held and throttled up to its end, packet by packet.
TEST(Congestion, BooksOfARunThatIsEndedEndWithIt) {
  const topology::Topology topology = CongestedSystem();
  NetworkOptions options = Congested(true);
  options.congestion.worst_flows = 1000;
  Network network(topology, options);
  EXPECT_EQ(network.Run([&](Cycle cycle) { return cycle > network.nics().begin + 2500; }), Ending::kStopped);
  const Figures figures(network);
  ASSERT_GT(CountThrottled(network).held, 0) << "else the test says nothing";
  std::int64_t cells = 0;
  for (const WorstFlow& one : figures.worst_flows) {
    EXPECT_LE(one.book.held_cycles, one.book.held * (network.cycle() + 1 - network.nics().begin));
    EXPECT_LE(one.book.throttled_cycles, network.cycle() + 1 - network.nics().begin);
    cells += one.book.held_cells;
  }
  EXPECT_EQ(cells, CountThrottled(network).held);
}

/// Nothing is lost: the run ends with its last event, and flows may be throttled then. When acks are lost, the run goes on
/// until the deadline has found what is lost.
TEST(Congestion, ARunEndsWithItsLastEventUnlessCellsAreLost) {
  const topology::Topology topology = CongestedSystem();
  NetworkOptions options = Congested(true);
  options.sample = 100;
  Network network(topology, options);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  const Figures figures(network);
  const ThrottledChannels left = CountThrottled(network);
  EXPECT_GT(left.channels, 0) << "throttled flows are forgotten a sweep or more behind their last packet";
  EXPECT_EQ(figures.statistics.samples.width(), 100) << "no interval lies behind the end";
  const std::vector<FlowSample>& last = figures.statistics.samples.of_class(0);
  ASSERT_FALSE(last.empty());
  EXPECT_EQ(static_cast<Cycle>(last.size()), (network.cycle() - network.nics().begin) / 100 + 1);
  LoseBeyond(60, &options);
  options.congestion.channel.deadline = 20;
  Network loses(topology, options);
  ASSERT_EQ(loses.Run(), Ending::kDrained);
  EXPECT_GT(SumOf(loses, Counter::kFlowLost), 0);
}

/// Acks are lost: what a channel holds goes on when the deadline is over, however impatient the run is.
TEST(Congestion, ARunWaitsForDeadlines) {
  const topology::Topology topology = CongestedSystem();
  NetworkOptions options = Congested(true);
  LoseBeyond(60, &options);
  options.congestion.channel.deadline = 20;
  options.stall_cycles = 2000;
  Network network(topology, options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_GT(network.statistics().dropped(), 0);
  EXPECT_GT(SumOf(network, Counter::kFlowLost), 0);
  EXPECT_EQ(network.NotHome(), "");
  EXPECT_EQ(CountThrottled(network).held, 0);
}

}  // namespace
}  // namespace tilefly::network
