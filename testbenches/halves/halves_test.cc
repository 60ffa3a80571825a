// SPDX-License-Identifier: Apache-2.0
// Systems whose switches run as halves do the same in every cycle as systems whose switches are stepped.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <tuple>

#include "golden/common/register_write.h"
#include "network/halves_node.h"
#include "network/stall_report.h"
#include "testbenches/network/delivery_probe.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/routed_run.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

/// All that links carry: the ways of packets through the system, credit returns and acks.
class LinkLog : public NodeProbe {
 public:
  using Entry = std::tuple<Cycle, int, int, int, int, std::int64_t, std::int64_t, std::uint32_t>;

  void Stepped(int, Cycle, const golden::Switch&) override {}
  void ToldCredit(int, int, const LinkCredit&) override {}
  bool NeedsSteps() const override { return false; }
  void Carries(const LinkEvent& event) override {
    if (event.kind == LinkKind::kAck) {
      const Ack& ack = event.ack;
      entries.emplace_back(event.wire, event.node, event.port, static_cast<int>(event.kind), ack.hops,
                           ack.flow * 4096 + ack.load, ack.port * 128 + ack.cells, ack.path);
      return;
    }
    entries.emplace_back(event.wire, event.node, event.port, event.from_nic * 4 + static_cast<int>(event.kind),
                         event.kind == LinkKind::kCredit ? event.credit.vl : event.header.vl(),
                         event.kind == LinkKind::kCredit ? event.credit.cells : event.record.source,
                         event.kind == LinkKind::kCredit ? 0 : event.record.created,
                         event.kind == LinkKind::kCredit ? 0 : event.header.Unpack().path);
  }

  std::vector<Entry> entries;
};

struct Case {
  topology::Topology topology;
  Profile profile;
  NetworkOptions options;
  bool log = true;
  Cycle stop = kNever;       ///< the run is stopped in the round that begins then
  Cycle moves = 0;           ///< cycles after which the base moves; 0: as it is
};

struct Result {
  std::string text;
  std::vector<LinkLog::Entry> links;
  std::vector<std::uint64_t> counters;
};

golden::HalfWays& operator+=(golden::HalfWays& sum, const golden::HalfWays& more) {
  static_assert(sizeof(golden::HalfWays) % sizeof(std::int64_t) == 0);
  auto* const to = reinterpret_cast<std::int64_t*>(&sum);
  const auto* const from = reinterpret_cast<const std::int64_t*>(&more);
  for (std::size_t i = 0; i < sizeof(sum) / sizeof(*to); ++i) to[i] += from[i];
  return sum;
}

golden::HalfSwitch* HalvesOf(const Network& network, int node) {
  return dynamic_cast<HalvesNode&>(const_cast<Node&>(network.node(node))).halves();
}

Result RunCase(const Case& one, bool halves, golden::HalfWays* ways) {
  NetworkOptions options = one.options;
  options.halves = halves;
  options.profile = &one.profile;
  Network network(one.topology, options);
  LinkLog log;
  if (one.log) network.set_probe(&log);
  for (int n = 0; n < network.nodes(); ++n) {
    EXPECT_EQ(network.node(n).runs_as_halves(), halves);
    if (halves && one.moves > 0) HalvesOf(network, n)->MoveAfter(one.moves);
  }
  const Ending ending = network.Run([&](Cycle cycle) { return cycle >= one.stop; });
  Result result;
  for (int n = 0; n < network.nodes(); ++n) {
    for (int port = 0; port < one.profile.ports; ++port) {
      for (const Counter counter : kCounterValues)
        result.counters.push_back(const_cast<Node&>(network.node(n)).ReadCounter(port, static_cast<int>(counter)));
    }
    if (halves && ways != nullptr) *ways += HalvesOf(network, n)->ways();
  }
  result.text = Text(network, ending, Figures(network));
  std::sort(log.entries.begin(), log.entries.end());
  result.links = std::move(log.entries);
  return result;
}

void ExpectSame(const Case& one, golden::HalfWays* ways = nullptr) {
  const Result stepped = RunCase(one, false, nullptr);
  Result halved;
  try {
    halved = RunCase(one, true, ways);
  } catch (const std::logic_error& error) {
    FAIL() << "DIVERGENCE in cycle 0: halves: " << error.what();
  }
  if (stepped.links != halved.links) {
    const auto [a, b] = std::mismatch(stepped.links.begin(), stepped.links.end(), halved.links.begin(), halved.links.end());
    const auto show = [](const LinkLog::Entry& e) {
      return fmt::format("cycle {} switch {} port {} kind {} lane {} value {} created {}", std::get<0>(e), std::get<1>(e),
                         std::get<2>(e), std::get<3>(e), std::get<4>(e), std::get<5>(e), std::get<6>(e));
    };
    const Cycle first = std::min(a == stepped.links.end() ? kNever : std::get<0>(*a),
                                 b == halved.links.end() ? kNever : std::get<0>(*b));
    FAIL() << "DIVERGENCE in cycle " << first << ": stepped " << (a == stepped.links.end() ? "nothing" : show(*a))
           << ", halves " << (b == halved.links.end() ? "nothing" : show(*b));
  }
  EXPECT_EQ(stepped.counters, halved.counters) << "DIVERGENCE in cycle 0: counters";
  EXPECT_EQ(stepped.text, halved.text) << "DIVERGENCE in cycle 0: figures";
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  int Below(int size) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(size)); }
  bool OneIn(int size) { return Below(size) == 0; }
  template <typename T>
  T Of(std::initializer_list<T> values) {
    return *(values.begin() + Below(static_cast<int>(values.size())));
  }

 private:
  std::mt19937_64 engine_;
};

/// Buffers, credits and requests down to the fewest that a packet needs.
Profile DrawProfile(const Profile& of, Draw* draw) {
  Profile profile = of;
  if (draw->OneIn(2)) return profile;
  profile.obuf_cells = profile.mtu_cells * draw->Of({1, 2, 3});
  profile.request_credits = draw->Of({1, 2, 3, 12});
  profile.credit_shared_cells = draw->Of({0, 5, 100, 600});
  profile.credit_cap_cells = profile.credit_reserve_cells + profile.credit_shared_cells;
  profile.cells = 16 * profile.credit_reserve_cells + profile.credit_shared_cells;
  profile.run_limit_cells = draw->Of({1, 20, 48});
  profile.owner_lead_cycles = draw->Of({1, 16});
  return profile;
}

Case DrawCase(std::uint64_t number) {
  Draw draw(number);
  Case one;
  const int family = draw.Below(8);
  one.topology = family == 0   ? LoneSwitch(draw.OneIn(2) ? kRosetta64 : kTile8)
                 : family == 1 ? topology::Build("dragonfly:p=1,a=2,h=1")
                 : family == 2 ? topology::Build("dragonfly:p=2,a=4,h=2")
                               : topology::Build("dragonfly:p=2,a=2,h=1");
  one.profile = DrawProfile(one.topology.radix == kRosetta64.ports ? kRosetta64 : kTile8, &draw);
  NetworkOptions& options = one.options;
  options.bench_timing = one.profile.cells == kTile8.cells && family != 0 && draw.OneIn(2);
  options.routing = RoutingOptions::Named(family == 0 ? "min" : draw.Of({"min", "min", "valiant", "in_order"}));
  options.traffic.pattern = draw.Of({"uniform", "uniform", "hotspot:1:0.6", "hotspot:2:1", "bursts:8"});
  options.traffic.load = 0.3 + 0.1 * draw.Below(8);
  options.traffic.size = draw.Of({"32", "496", "32,4224", "32,64,496,4224", "33,48,80,1000", "40,200,2000,4080"});
  options.nic_lanes = draw.Of({1, 2, 3, 4, 4});
  const int classes = draw.Of({1, 1, 2, 4, options.routing.name == "min" ? 8 : 5});
  if (classes > 1 && !options.bench_timing) {
    for (int tc = 0; tc < classes; ++tc) options.traffic.classes.push_back({tc, 1.0 + tc, kTile8.mtu_bytes});
  }
  options.cycles = 3000;
  options.warmup = 200;
  options.seed = number;
  options.lookahead = draw.Of({0, 0, 1, 5, 17});
  options.whole = draw.OneIn(3);
  options.order = static_cast<std::uint64_t>(draw.Below(3));
  options.sample = draw.OneIn(3) ? draw.Of({50, 137}) : 0;
  one.log = !draw.OneIn(4);
  // Loads and acks have their own draws, so that all else is drawn as in a run without them.
  Draw loads(number ^ 0x10AD);
  if (family != 0 && classes <= 5 && loads.OneIn(2)) {
    const bool second = classes <= 4;  // lanes for paths that are decided twice
    options.routing = RoutingOptions::Named(loads.Of({"adaptive_0", second ? "adaptive_1" : "adaptive_0", "adaptive_2",
                                                      "adaptive_3"}));
    if (loads.OneIn(2)) options.routing.biases[options.routing.biased()] = loads.Of({0, 20});
    one.profile.load_epoch_cycles = loads.Of({16, 32, 64});
    one.profile.neighbour_epochs = loads.Of({1, 2, 16});
  }
  Draw acks(number ^ 0xACED);
  if (acks.OneIn(2)) {
    options.acks = AckUse::kWherePossible;
    const bool sure = options.routing.name != "adaptive_1";  // whose paths may be too long for acks
    if (sure && acks.OneIn(3)) options.nics.window = acks.Of({1, 3, 20});
    if (sure && acks.OneIn(4)) options.nics.resend = acks.Of({700, 2000});
    if (options.nics.resends() && acks.OneIn(2)) options.nics.resend_window = acks.Of({64, 65, 300});
    if (options.nics.resend_window > 0 && options.nics.window) options.nics.window = std::min(*options.nics.window, 8);  // of 16 flows
  }
  if (draw.OneIn(6)) one.stop = 700 + draw.Below(2400);
  if (draw.OneIn(4)) one.moves = draw.Of({21, 300});
  return one;
}

void ExpectTaken(const golden::HalfWays& ways) {
  const std::pair<const char*, std::int64_t> taken[] = {{"arrived", ways.arrived},
                                                        {"routed short", ways.routed_short},
                                                        {"routed late", ways.routed_late},
                                                        {"queued", ways.queued},
                                                        {"popped", ways.popped},
                                                        {"requests alone", ways.requests_alone},
                                                        {"requests stepped", ways.requests_stepped},
                                                        {"express", ways.express},
                                                        {"decided", ways.decided},
                                                        {"granted", ways.granted},
                                                        {"grants alone", ways.grants_alone},
                                                        {"grants stepped", ways.grants_stepped},
                                                        {"picked at once", ways.picked_at_once},
                                                        {"picked later", ways.picked_later},
                                                        {"returned", ways.returned},
                                                        {"taken", ways.taken},
                                                        {"taken by turn", ways.taken_by_turn},
                                                        {"woken", ways.woken},
                                                        {"acks left", ways.acks_left},
                                                        {"acks alone", ways.acks_alone},
                                                        {"acks stepped", ways.acks_stepped},
                                                        {"moved", ways.moved}};
  for (const auto& [name, times] : taken) EXPECT_GE(times, 1000) << name;
}

TEST(Halves, RandomSystemsDoTheSame) {
  const int count = Tier() == bench::Tier::kFull ? 1000 : 200;
  golden::HalfWays ways;
  for (int number = 1; number <= count && !testing::Test::HasFailure(); ++number) {
    SCOPED_TRACE(number);
    ExpectSame(DrawCase(static_cast<std::uint64_t>(number)), &ways);
  }
  ExpectTaken(ways);
}

/// Twelve endpoints, six switches.
Case Plain(const std::string& size, double load) {
  Case one;
  one.topology = topology::Build("dragonfly:p=2,a=2,h=1");
  one.profile = kTile8;
  one.options = Sized("uniform", load, size, true);
  return one;
}

/// Outputs whose rooms, credits and channels change while they wait: a decision must know all events before it.
TEST(Halves, ADecisionKnowsAllEventsBeforeIt) {
  for (const int buffers : {1, 2}) {
    Case one = Plain("32,64,496,4224", 0.7);
    one.profile.obuf_cells = buffers * one.profile.mtu_cells;
    one.options.bench_timing = false;
    ExpectSame(one);
  }
}

/// Few credits and channels that are let go early: an output waits for several things at a time.
TEST(Halves, AnOutputIsWokenByTheFirstOfSeveralEvents) {
  Case one = Plain("32,4224", 1);
  one.options.bench_timing = false;
  one.options.traffic.pattern = "hotspot:1:0.8";
  one.profile.credit_shared_cells = 3;
  one.profile.credit_cap_cells = one.profile.credit_reserve_cells + 3;
  one.profile.cells = 16 * one.profile.credit_reserve_cells + 3;
  ExpectSame(one);
}

/// Packets far apart: a switch that idles hears of packets in an earlier slice than that for which it was entered.
TEST(Halves, AnIdleSwitchIsEnteredForTheEarliestMessage) {
  Case one = Plain("512", 0.5);
  for (int i = 0; i < 200; ++i)
    one.options.traffic.plan.push_back({i * 37 % 4001, i % 12, (i * 5 + 7) % 12, 32 + i * 61 % 4000});
  std::sort(one.options.traffic.plan.begin(), one.options.traffic.plan.end(),
            [](const auto& a, const auto& b) { return std::tie(a.source, a.at) < std::tie(b.source, b.at); });
  for (const Cycle lookahead : {0, 1, 13}) {
    one.options.lookahead = lookahead;
    ExpectSame(one);
  }
}

/// A lone packet, then silence: time that is left out ends before the message that waits.
TEST(Halves, IdleTimeEndsWhereAMessageWaits) {
  Case one = Plain("512", 0.5);
  one.options.cycles = Cycle{1} << 40;
  one.options.traffic.plan = {{0, 3, 10, 512}, {(Cycle{1} << 40) - 10, 10, 3, 512}};
  for (const bool bench : {false, true}) {
    one.options.bench_timing = bench;
    ExpectSame(one);
  }
}

/// What stands still, and who waits for whom.
TEST(Halves, StallsAreTheSame) {
  const topology::Topology ring = RingOf(5);
  std::string texts[2];
  for (const bool halves : {false, true}) {
    NetworkOptions options;
    options.bench_timing = true;
    options.traffic.pattern = "permutation:shift:4";
    options.traffic.load = 1;
    options.stall_cycles = 3000;
    options.plan = OneLane(ring);
    options.halves = halves;
    Network network(ring, options);
    EXPECT_EQ(network.node(0).runs_as_halves(), halves);
    const Ending ending = network.Run();
    EXPECT_EQ(ending, Ending::kStuck);
    const Figures figures(network);
    texts[halves] = StallReport(network).Text(network) + Text(network, ending, figures);
  }
  EXPECT_EQ(texts[0], texts[1]) << "DIVERGENCE in cycle 0: what stands still";
}

TEST(Halves, JobsDoTheSame) {
  Case one = Plain("512", 0.5);
  one.topology = topology::Build("dragonfly:p=2,a=4,h=2");
  one.options.warmup = 0;
  one.options.cycles = 1'000'000;
  UseJobs(workload::MakeWorkload("halo3d:bytes=9000,compute=500ns,iterations=2,ranks=24+alltoall:bytes=100", "", 72,
                                 workload::Allocation::kRandom, 5),
          &one.options);
  ExpectSame(one);
}

TEST(Halves, AnyNumberOfThreadsAndProcessesDoesTheSame) {
  Case one = Plain("64,496,4096", 0.7);
  one.topology = topology::Build("dragonfly:p=2,a=4,h=2");
  one.options.sample = 100;
  one.options.acks = AckUse::kOn;
  one.options.profile = &one.profile;
  const auto text_of = [&](bool halves, int threads, int processes) {
    NetworkOptions options = one.options;
    options.halves = halves;
    options.threads = threads;
    std::string text;
    OnThreads(processes, [&](Processes& all) {
      Network network(one.topology, options, &all);
      const Ending ending = network.Run();
      const Figures figures(network);
      if (all.first()) text = Text(network, ending, figures);
    });
    return text;
  };
  const std::string stepped = text_of(false, 1, 1);
  for (const auto& [threads, processes] : {std::pair{1, 1}, {3, 1}, {1, 2}, {2, 3}})
    EXPECT_EQ(text_of(true, threads, processes), stepped) << threads << " threads, " << processes << " processes";
}

/// What is not within reach is stepped, and what cannot be done is refused.
TEST(Halves, SwitchesAreSteppedWhereAFeatureNeedsIt) {
  const auto halved = [](const std::function<void(NetworkOptions*)>& change) {
    NetworkOptions options = Plain("512", 0.2).options;
    options.halves = true;
    change(&options);
    const auto topology = topology::Build("dragonfly:p=2,a=2,h=1");
    Network network(topology, options);
    return network.node(0).runs_as_halves();
  };
  EXPECT_TRUE(halved([](NetworkOptions*) {}));
  EXPECT_TRUE(halved([](NetworkOptions* options) { options->routing = RoutingOptions::Named("valiant"); }));
  EXPECT_TRUE(halved([](NetworkOptions* options) { options->routing = RoutingOptions::Named("adaptive_1"); }));
  EXPECT_TRUE(halved([](NetworkOptions* options) { options->acks = AckUse::kOn; }));
  EXPECT_FALSE(halved([](NetworkOptions* options) { options->halves = false; }));
  EXPECT_FALSE(halved([](NetworkOptions* options) { options->stalls = true; }));
  EXPECT_FALSE(halved([](NetworkOptions* options) { options->journeys.slowest = 1; }));
  EXPECT_FALSE(halved([](NetworkOptions* options) { options->faults = {{0, 2, 100}}; }));
  EXPECT_FALSE(halved([](NetworkOptions* options) {
    options->scheduler.kind = golden::SchedulerKind::kRoundRobin;
  }));
}

TEST(Halves, SwitchesThatMarkAcksAreStepped) {
  golden::Registers registers(kTile8);
  PortMode mode;
  mode.enable = mode.credits = mode.acks = true;
  mode.std_format = false;
  for (const bool flows : {false, true}) {
    mode.flows = flows;
    registers.Apply(golden::WriteRegister(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
    EXPECT_EQ(golden::HalfSwitch::WhyNot(kTile8, registers) != nullptr, flows);
  }
}

/// 64 ports with 16 lanes have a queue more than there are numbers.
TEST(Halves, SwitchesAreSteppedWhereQueuesHaveNoNumbers) {
  NetworkOptions options;
  options.halves = true;
  EXPECT_EQ(HalvesNode::WhyNot(options, kRosetta64, 15, false), nullptr);
  EXPECT_NE(HalvesNode::WhyNot(options, kRosetta64, 16, false), nullptr);
  EXPECT_EQ(HalvesNode::WhyNot(options, kTile8, 16, false), nullptr);
}

TEST(Halves, StepsAndCheckpointsAreRefused) {
  Case one = Plain("512", 0.2);
  one.options.halves = true;
  Network network(one.topology, one.options);
  EXPECT_THROW(network.SaveEvery(100, [] {}), std::logic_error);
  DeliveryProbe steps(network.wiring());
  network.set_probe(&steps);
  EXPECT_THROW(network.Run(), std::logic_error);
}

class NoLinks : public golden::HalfLinks {
 public:
  void Depart(const golden::Departure&) override {}
  void Return(const golden::CreditReturn&) override {}
  void PassOn(const golden::AckReturn&) override {}
};

TEST(Halves, AMessageForCyclesThatAreOverIsAnError) {
  golden::Registers registers(kTile8);
  NoLinks links;
  golden::HalfSwitch halves(kTile8, kTile8.class_hold, registers, &links);
  halves.Begin(0, false);
  halves.Skip(1000);
  EXPECT_THROW(halves.Credit(2, 990, 0, 5), std::logic_error);
  Header header;
  header.len = 512;
  EXPECT_THROW(halves.Arrive(2, 900, 0, golden::HeaderBits(header)), std::logic_error);
  EXPECT_THROW(halves.Run(1100), std::logic_error) << "a piece of too many cycles";
  halves.Credit(2, 1000, 0, 0);
  EXPECT_EQ(halves.last(), 1004);
}

}  // namespace
}  // namespace tilefly::network
