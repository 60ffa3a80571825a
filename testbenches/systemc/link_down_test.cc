// SPDX-License-Identifier: Apache-2.0
// Links between transaction-level switches that go down and come up, against golden in a system whose links do the same:
// the packets that golden's NICs send go into both (docs/systemc.md, Link down, Contract).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/network/planned_event.h"
#include "testbenches/network/repeating_run.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/traced_system.h"
#include "topology/builder.h"

namespace tilefly::systemc {
namespace {

using End = faults::LinkName::End;
using faults::EventKind;

constexpr int kPort = 4;  ///< of the link between the switches of a pair, at both

/// Two switches with four NICs each, and one link between them.
topology::Topology Pair(const std::string& cable = "2.6m") {
  return topology::Build("dragonfly:p=4,a=1,h=1,global_cable=" + cable);
}

faults::LinkName LinkAt(int node, int port) { return {End::kSwitchPort, node, port}; }

/// A run of golden and of the models.
struct Case {
  topology::Topology topology;
  network::NetworkOptions options;
  faults::Plan plan;
  bool by_calls = false;  ///< the models hear of the downs while they run, not from a plan
  bool unplanned = false;  ///< a planted fault: the models do not hear of the downs
};

Case PairCase(double load, Cycle cycles, const std::string& sizes = "64,512,4096", const std::string& cable = "2.6m") {
  Case run{Pair(cable), network::Sized("uniform", load, sizes, false), {}};
  run.options.routing = network::RoutingOptions::Named("min");
  run.options.cycles = cycles;
  run.options.warmup = 500;
  run.options.seed = 1;
  return run;
}

/// What both sides made of it.
struct Outcome {
  std::size_t packets = 0;
  std::size_t delivered = 0;
  std::size_t same = 0;       ///< delivered in golden's cycle
  Cycle furthest = 0;         ///< the greatest difference of a packet's cycles
  std::size_t one_side = 0;   ///< packets that one side alone delivers
  std::int64_t golden_lost = 0;
  LinkCounts models;
  std::int64_t rerouted = 0;
  std::int64_t no_route = 0;
  std::vector<std::string> wrong;  ///< counters that are not golden's, and what is not home
};

TracedLinks LinksOf(const Case& run, Cycle begin) {
  TracedLinks links;
  links.routing = run.options.routing.name;
  links.link.registers = run.plan.retry;
  links.link.retrain = run.plan.retrain;
  for (const faults::PlannedLink& link : run.plan.links) {  // of the link of a pair
    links.bers[golden::kMaxPorts * link.link.node + kPort] = link.rates.word_ber;
    if (link.direction != faults::Direction::kBoth) continue;
    links.bers[golden::kMaxPorts * (1 - link.link.node) + kPort] = link.rates.word_ber;
  }
  for (const faults::PlannedEvent& event : run.plan.events) {
    if (run.by_calls || run.unplanned) break;
    links.downs.push_back({event.link.node, event.link.port, begin + event.at, *event.cycles});
  }
  return links;
}

/// Counters of links that go down, and drops, at each port. Golden switches of systems do not count LINK_DOWNS,
/// REPLAY_LOST and TX_STOMPED.
void CompareCounters(network::Network* golden, const TracedSystem& models, Outcome* outcome) {
  std::vector<int> indexes;
  for (const Counter counter : {Counter::kLinkGivenUp, Counter::kTxLost, Counter::kRerouted, Counter::kRxDamaged,
                                Counter::kRxPackets, Counter::kTxPackets, Counter::kBadCredit})
    indexes.push_back(static_cast<int>(counter));
  for (const Drop drop : kDropValues) indexes.push_back(static_cast<int>(drop));
  for (int node = 0; node < golden->nodes(); ++node) {
    for (int port = 0; port < kTile8.ports; ++port) {
      for (const int index : indexes) {
        const auto by_golden = static_cast<std::int64_t>(golden->device(node).ReadCounter(port, index));
        const Switch& model = *models.switches[static_cast<std::size_t>(node)];
        const auto by_models = static_cast<std::int64_t>(model.ReadCounter(port, index));
        if (by_golden == by_models) continue;
        outcome->wrong.push_back("switch " + std::to_string(node) + " port " + std::to_string(port) + " counter " +
                                 std::to_string(index) + ": " + std::to_string(by_golden) + ", models " +
                                 std::to_string(by_models));
      }
    }
  }
}

/// Takes links down as late as possible, and brings them up when their time is over.
void CallFor(const Case& run, Cycle begin, TracedSystem* models) {
  for (const faults::PlannedEvent& event : run.plan.events) {
    RetryLink* const link = &models->link(event.link.node, event.link.port);
    const Cycle from = begin + event.at, till = from + *event.cycles;
    sc_core::sc_spawn([=] {
      sc_core::wait(fabric::TimeOf(from - link->Notice()));
      link->Down(from);
      sc_core::wait(fabric::TimeOf(till - 1 - (from - link->Notice())));
      link->Up(till);
    });
  }
}

/// Errors of the words on the link of a pair, in both directions.
faults::PlannedLink Errors(double word_ber) {
  faults::PlannedLink link{LinkAt(0, kPort), faults::Direction::kBoth, {}, {}, "link"};
  link.rates.word_ber = word_ber;
  return link;
}

/// To be called in a child.
Outcome Compare(const char* name, const Case& run) {
  network::Network golden(run.topology, network::With(run.options, run.plan));
  Trace trace(golden.wiring());
  golden.set_probe(&trace);
  EXPECT_EQ(golden.Run(), network::Ending::kDrained);
  const Cycle begin = golden.nics().begin;

  TracedSystem models(run.topology, golden.wiring(), trace.packets, LinksOf(run, begin));
  if (run.by_calls) CallFor(run, begin, &models);
  sc_core::sc_start();

  Outcome outcome;
  outcome.packets = trace.packets.size();
  for (std::size_t i = 0; i < trace.packets.size(); ++i) {
    const Cycle by_golden = trace.packets[i].delivered, by_models = models.delivered[i];
    outcome.one_side += (by_golden < 0) != (by_models < 0);
    if (by_golden < 0 || by_models < 0) continue;
    ++outcome.delivered;
    outcome.same += by_golden == by_models;
    outcome.furthest = std::max(outcome.furthest, std::abs(by_golden - by_models));
  }
  outcome.golden_lost = golden.statistics().lost;
  outcome.models = models.counts();
  outcome.rerouted = static_cast<std::int64_t>(models.Sum(static_cast<int>(Counter::kRerouted)));
  outcome.no_route = static_cast<std::int64_t>(models.Sum(static_cast<int>(Drop::kNoRoute)));
  if (const std::string left = models.NotHome(); !left.empty()) outcome.wrong.push_back(left);
  CompareCounters(&golden, models, &outcome);
  std::printf("    %s: %zu packets, %zu delivered, same cycle %.4f, furthest %lld, by one side %zu; lost %lld, models %lld; "
              "dropped %lld, rerouted %lld, broken off %lld, given up %lld, downs %lld\n",
              name, outcome.packets, outcome.delivered,
              static_cast<double>(outcome.same) / static_cast<double>(std::max<std::size_t>(1, outcome.delivered)),
              static_cast<long long>(outcome.furthest), outcome.one_side, static_cast<long long>(outcome.golden_lost),
              static_cast<long long>(outcome.models.lost), static_cast<long long>(outcome.no_route),
              static_cast<long long>(outcome.rerouted), static_cast<long long>(outcome.models.broken_copies),
              static_cast<long long>(outcome.models.given_up), static_cast<long long>(outcome.models.downs / 2));
  return outcome;
}

/// The same packets, in the same cycles but for a few, and the same counters at all ports.
void ExpectGolden(const Outcome& outcome) {
  EXPECT_EQ(outcome.one_side, 0u);
  EXPECT_EQ(outcome.models.lost, outcome.golden_lost);
  EXPECT_GE(static_cast<double>(outcome.same), 0.999 * static_cast<double>(outcome.delivered));
  const std::size_t shown = std::min<std::size_t>(outcome.wrong.size(), 12);
  for (std::size_t i = 0; i < shown; ++i) ADD_FAILURE() << outcome.wrong[i];
}

TEST(LinkDown, APlannedDownOfALoadedLinkIsGoldens) {
  for (const int down : {0, faults::kBlock}) {
    for (const double load : {0.1, 0.3, 0.45}) {
      InChild([&] {
        SCOPED_TRACE(std::to_string(down) + " " + std::to_string(load));
        Case run = PairCase(load, 12'000);
        run.plan.retry.down = static_cast<std::uint8_t>(down);
        run.plan.events = {network::Event(2500, EventKind::kDown, LinkAt(0, kPort), 1),
                           network::Event(6001, EventKind::kDown, LinkAt(1, kPort), 2500)};
        const Outcome outcome = Compare(down == 0 ? "discard" : "block", run);
        ExpectGolden(outcome);
        EXPECT_GT(outcome.models.lost, 0);
        EXPECT_EQ(outcome.models.downs, 4);
        EXPECT_EQ(outcome.no_route > 0, down == 0);
        EXPECT_EQ(outcome.rerouted > 0, down == 0);
        EXPECT_LT(outcome.delivered, outcome.packets);
      });
    }
  }
}

/// The link goes down, and comes up, in each part of a packet and of a control slot's way.
TEST(LinkDown, InEachPhaseOfAPacket) {
  const Cycle step = bench::TierFromEnvironment() == bench::Tier::kFull ? 3 : 29;
  for (const int down : {0, faults::kBlock}) {
    for (Cycle at = 1500; at < 1640; at += step) {
      InChild([&] {
        SCOPED_TRACE(std::to_string(down) + " " + std::to_string(at));
        Case run = PairCase(0.4, 4500);
        run.plan.retry.down = static_cast<std::uint8_t>(down);
        run.plan.events = {network::Event(at, EventKind::kDown, LinkAt(0, kPort), 968 + at % 41)};
        ExpectGolden(Compare("phase", run));
      });
    }
  }
}

/// No packet is under way when the link goes down; some come while it is down, and others when it is up.
TEST(LinkDown, WhileIdle) {
  InChild([] {
    Case run = PairCase(0.02, 12'000, "64");
    run.plan.retry.down = faults::kBlock;
    run.plan.events = {network::Event(1, EventKind::kDown, LinkAt(0, kPort), 3000)};
    const Outcome outcome = Compare("idle", run);
    ExpectGolden(outcome);
    EXPECT_EQ(outcome.models.lost, 0);
    EXPECT_EQ(outcome.delivered, outcome.packets);
  });
}

/// The program says so, as late as it may.
TEST(LinkDown, ByCallsOfTheProgram) {
  for (const int down : {0, faults::kBlock}) {
    InChild([&] {
      Case run = PairCase(0.4, 9000);
      run.by_calls = true;
      run.plan.retry.down = static_cast<std::uint8_t>(down);
      run.plan.events = {network::Event(1777, EventKind::kDown, LinkAt(0, kPort), 1500),
                         network::Event(5003, EventKind::kDown, LinkAt(1, kPort), 1200)};
      const Outcome outcome = Compare("by calls", run);
      ExpectGolden(outcome);
      EXPECT_EQ(outcome.models.downs, 4);
    });
  }
}

TEST(LinkDown, AModelWhoseLinkStaysUpIsFound) {
  InChild([] {
    Case run = PairCase(0.3, 6000);
    run.unplanned = true;
    run.plan.events = {network::Event(2500, EventKind::kDown, LinkAt(0, kPort), 1)};
    const Outcome outcome = Compare("planted", run);
    EXPECT_GT(outcome.one_side, 0u);
    EXPECT_FALSE(outcome.wrong.empty());
  });
}

/// Many send to one NIC, and the packets that wait for it fill the buffer behind the link: it holds them while the link is
/// down, and tells how many they are when it is up.
TEST(LinkDown, WithAFullBufferAtTheFarEnd) {
  for (const int down : {0, faults::kBlock}) {
    InChild([&] {
      SCOPED_TRACE(down);
      Case run = PairCase(0.35, 16'000);
      run.options.traffic.pattern = "incast:4";
      run.plan.retry.down = static_cast<std::uint8_t>(down);
      run.plan.events = {network::Event(11'001, EventKind::kDown, LinkAt(0, kPort), 1),
                         network::Event(13'500, EventKind::kDown, LinkAt(0, kPort), 1)};
      const Outcome outcome = Compare("full buffer", run);
      ExpectGolden(outcome);
      EXPECT_GT(outcome.models.lost, 0);
    });
  }
}

TEST(LinkDown, LongCables) {
  InChild([] {
    Case run = PairCase(0.3, 14'000, "64,512,4096", "100m");
    run.plan.events = {network::Event(3000, EventKind::kDown, LinkAt(0, kPort), 100),
                       network::Event(9000, EventKind::kDown, LinkAt(0, kPort), 3000)};
    const Outcome outcome = Compare("100m", run);
    ExpectGolden(outcome);
    EXPECT_GT(outcome.models.lost, 0);
  });
}

TEST(LinkDown, AmidReplays) {
  for (const int down : {0, faults::kBlock}) {
    InChild([&] {
      SCOPED_TRACE(down);
      Case run = PairCase(0.15, 30'000);
      run.plan.links = {Errors(1e-5)};
      run.plan.retry.down = static_cast<std::uint8_t>(down);
      for (Cycle at = 1500; at < 28'000; at += 3337)
        run.plan.events.push_back(network::Event(at, EventKind::kDown, LinkAt(0, kPort), 1));
      const Outcome outcome = Compare("amid replays", run);
      ExpectGolden(outcome);
      EXPECT_GT(outcome.models.replays, 25);
      EXPECT_GT(outcome.models.broken_copies, 20);
      EXPECT_GT(outcome.models.lost, 0);
    });
  }
}

/// A direction in which packets of 4096 bytes hardly come: after a few replays the sender of it gives the link up.
TEST(LinkDown, GivenUpByTheReplayLimitAtEitherEnd) {
  for (const int node : {0, 1}) {
    for (const int down : {0, faults::kBlock}) {
      InChild([&] {
        SCOPED_TRACE(std::to_string(node) + " " + std::to_string(down));
        Case run = PairCase(0.1, 60'000, "64,4096");
        run.plan.links = {Errors(1e-4)};
        run.plan.links[0].link = LinkAt(node, kPort);
        run.plan.links[0].direction = faults::Direction::kOut;
        run.plan.retry.timer = 900;
        run.plan.retry.limit = 3;
        run.plan.retry.down = static_cast<std::uint8_t>(down);
        run.plan.retrain = 3000;
        const Outcome outcome = Compare("given up", run);
        ExpectGolden(outcome);
        EXPECT_GE(outcome.models.given_up, 3);
        EXPECT_EQ(outcome.models.downs, 2 * outcome.models.given_up);
        EXPECT_GT(outcome.models.lost, 0);
      });
    }
  }
}

/// Links of a dragonfly whose switches know other ways.
TEST(LinkDown, DragonfliesReroute) {
  const bool quick = bench::TierFromEnvironment() == bench::Tier::kQuick;
  for (const char* const routing : {"min", "adaptive_0"}) {
    for (const int down : {0, faults::kBlock}) {
      if (quick && down != 0) continue;
      InChild([&] {
        SCOPED_TRACE(std::string(routing) + " " + std::to_string(down));
        Case run{topology::Build("dragonfly:p=2,a=4,h=2"), network::Sized("uniform", 0.35, "64,512,4096", false), {}};
        run.options.routing = network::RoutingOptions::Named(routing);
        run.options.acks = network::AckUse::kOn;
        run.options.cycles = quick ? 2500 : 3500;
        run.options.seed = 1;
        run.plan.retry.down = static_cast<std::uint8_t>(down);
        run.plan.events = {network::Event(700, EventKind::kDown, LinkAt(2, 3), 10),
                           network::Event(800, EventKind::kDown, LinkAt(5, 6), 900),
                           network::Event(1500, EventKind::kDown, LinkAt(7, 2), 1000),
                           network::Event(1900, EventKind::kDown, LinkAt(12, 6), 1500)};
        const Outcome outcome = Compare(routing, run);
        ExpectGolden(outcome);
        EXPECT_EQ(outcome.models.downs, 8);
        EXPECT_EQ(outcome.rerouted > 0, down == 0);
      });
    }
  }
}

}  // namespace
}  // namespace tilefly::systemc
