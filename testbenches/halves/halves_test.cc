// SPDX-License-Identifier: Apache-2.0
// Systems whose switches run as halves do the same in every cycle as systems whose switches are stepped.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "golden/common/register_write.h"
#include "network/stall_report.h"
#include "testbenches/halves/halved_run.h"
#include "testbenches/network/delivery_probe.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/thread_processes.h"

namespace tilefly::network {
namespace {

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

/// Without a packet the last event of the run is that of the register writes.
TEST(Halves, ARunWithoutPacketsEndsInTheSameCycle) {
  Case one = Plain("512", 0);
  ExpectSame(one);
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

TEST(Halves, StepsAreRefused) {
  Case one = Plain("512", 0.2);
  one.options.halves = true;
  Network network(one.topology, one.options);
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
