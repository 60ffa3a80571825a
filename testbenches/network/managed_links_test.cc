// SPDX-License-Identifier: Apache-2.0
// Systems whose manager writes new routing tables when links go down and come up, with retry and without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/figures.h"
#include "support/errors.h"
#include "testbenches/network/checkpoint_runs.h"
#include "testbenches/network/planned_event.h"
#include "testbenches/network/repeats_naive.h"
#include "testbenches/network/systems.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using End = faults::LinkName::End;
using faults::EventKind;
using ::testing::HasSubstr;

constexpr Cycle kDelay = 300;

/// Switch 5 has ports 2 to 4 inside its group, and ports 5 and 6 to others.
faults::LinkName Link(int port) { return {End::kSwitchPort, 5, port}; }

NetworkOptions Managed(NetworkOptions options, std::vector<faults::PlannedEvent> events, bool retry = true) {
  faults::Plan plan;
  plan.manager = faults::Manager{kDelay, true, 0, "plan:1: manager"};
  plan.events = std::move(events);
  options.retry = retry;
  options.fault_plan = std::make_shared<const faults::Plan>(plan);
  return options;
}

std::int64_t NoRoute(const Network& network) {
  return network.statistics().drops[static_cast<std::size_t>(Drop::kNoRoute)];
}

/// Registers of golden switches that differ from the tables of the whole system.
int CountChanged(Network* network) {
  int changed = 0;
  for (int n = 0; n < network->nodes(); ++n) {
    const golden::RouteTables& tables = network->node(n).registers()->routes();
    const int own = network->topology().switches[static_cast<std::size_t>(n)].group;
    for (int group = 0; group < network->routes().groups(); ++group)
      changed += group != own && tables.Towards({group, 0}) != network->routes().ToGroup(n, group);
    for (int index = 0; index < 4; ++index)
      changed += tables.Towards({own, index}) != network->routes().ToSwitch(n, index);
  }
  return changed;
}

TEST(ManagedLinks, LeadPacketsAroundALinkThatIsDown) {
  for (const bool retry : {true, false}) {
    for (const int port : {3, 6}) {
      NetworkOptions options = Sized("uniform", 0.2, "64,512", false);
      options.cycles = 6000;
      const std::vector<faults::PlannedEvent> events = {Event(1000, EventKind::kDown, Link(port))};
      Network network(Dragonfly(), Managed(options, events, retry));
      const Cycle begin = network.nics().begin;
      EXPECT_FALSE(network.RunTo(begin + 700).has_value());
      EXPECT_EQ(CountChanged(&network), 0) << "a round may go on until the writes, and not longer";
      EXPECT_FALSE(network.RunTo(begin + 2500).has_value());
      EXPECT_GT(CountChanged(&network), 3);
      const std::int64_t dropped = network.statistics().dropped(), lost = network.statistics().lost;
      if (retry) EXPECT_GT(NoRoute(network), 0) << "until the tables are new";
      if (retry) {
        EXPECT_EQ(network.Run(), Ending::kDrained);
      } else {
        EXPECT_EQ(network.Run(), Ending::kStuck) << "what waits for the link waits for ever";
      }
      const Statistics& sums = network.statistics();
      EXPECT_EQ(sums.dropped(), dropped) << "port " << port;
      EXPECT_LE(sums.lost, lost + (retry ? 0 : 1));
      EXPECT_EQ(sums.sent(), sums.delivered() + sums.dropped() + sums.lost + sums.in_flight());
      ASSERT_EQ(network.manager()->acts().size(), 1u);
      EXPECT_EQ(network.manager()->acts()[0].from, begin + 1000 + kDelay);
    }
  }
}

TEST(ManagedLinks, HaveTheTablesOfTheWholeSystemWhenAllAreUp) {
  NetworkOptions options = Sized("uniform", 0.2, "64,512", false);
  const std::vector<faults::PlannedEvent> events = {Event(800, EventKind::kDown, Link(6), 1500),
                                                    Event(1200, EventKind::kDown, Link(3), 1000)};
  Network network(Dragonfly(), Managed(options, events));
  EXPECT_FALSE(network.RunTo(network.nics().begin + 1900).has_value());
  EXPECT_GT(CountChanged(&network), 3);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(CountChanged(&network), 0);
  EXPECT_EQ(network.NotHome(), "");
  EXPECT_EQ(network.manager()->acts().size(), 4u);
  std::int64_t writes = 0, told = 0;
  for (const ManagerAct& act : network.manager()->acts()) writes += act.writes;
  for (int n = 0; n < network.nodes(); ++n) told += static_cast<std::int64_t>(network.node(n).late_writes().size());
  EXPECT_EQ(writes, told);
}

TEST(ManagedLinks, AreTheNaiveOnes) {
  NetworkOptions options = Sized("uniform", 0.4, "64,512", false);
  options.cycles = 1500;
  const std::vector<faults::PlannedEvent> events = {Event(300, EventKind::kDown, Link(6), 1200),
                                                    Event(420, EventKind::kDown, Link(3), 1000)};
  ExpectRepeatsNaive(Dragonfly(), Managed(options, events), 0);
  if (Tier() == bench::Tier::kQuick) return;
  options.routing = RoutingOptions::Named("adaptive_0");
  options.bench_timing = true;
  ExpectRepeatsNaive(Dragonfly(), Managed(options, events), 0);
}

/// Both receivers of a link say nothing: the replay limit gives the link up. There is another way, over a third group.
NetworkOptions GivenUp(int lanes, faults::LinkName link = {End::kSwitchPort, 0, 2}) {
  NetworkOptions options = Sized("uniform", 0.02, "64", false);
  options.cycles = 148'000;
  options.warmup = 0;
  faults::Plan plan;
  plan.manager = faults::Manager{kDelay, true, lanes, "plan:1: manager"};
  plan.retrain = 3000;
  plan.events = {Event(300, EventKind::kStuck, link, 138'000)};
  options.retry = true;
  options.fault_plan = std::make_shared<const faults::Plan>(plan);
  return options;
}

/// Three groups of two switches with an endpoint each.
const topology::Topology& Pairs() {
  static const topology::Topology topology = topology::Build("dragonfly:p=1,a=2,h=1");
  return topology;
}

TEST(ManagedLinks, AreLeftOutWhenTheyAreGivenUp) {
  Network network(Pairs(), GivenUp(4));
  EXPECT_EQ(network.Run(), Ending::kDrained);
  const std::vector<ManagerAct>& acts = network.manager()->acts();
  ASSERT_EQ(acts.size(), 2u);
  Cycle from = kNever, till = 0;
  for (int n = 0; n < network.nodes(); ++n) {
    for (const auto& one : network.node(n).given_up()) {
      from = std::min(from, one.from);
      till = std::max(till, one.till);
    }
  }
  EXPECT_EQ(acts[0].change, from);
  EXPECT_EQ(acts[1].change, till);
  EXPECT_EQ(acts[0].refusal, "");
  EXPECT_GE(acts[0].writes, 2) << "one entry at both ends";
  EXPECT_EQ(acts[1].writes, acts[0].writes);
  EXPECT_EQ(acts[0].cut_pairs, 0);
  EXPECT_EQ(CountChanged(&network), 0);
}

/// Paths over drawn groups have three lanes, and around the link they need four.
TEST(ManagedLinks, KeepTheirTablesWhereTheWaysDoNotFit) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds: from tier ci on";
  for (const int lanes : {0, 4}) {
    NetworkOptions options = GivenUp(lanes, Link(6));
    options.routing = RoutingOptions::Named("valiant");
    Network network(Dragonfly(), options);
    EXPECT_EQ(network.Run(), Ending::kDrained);
    const std::vector<ManagerAct>& acts = network.manager()->acts();
    ASSERT_EQ(acts.size(), 2u);
    if (lanes == 4) {
      EXPECT_EQ(acts[0].refusal, "");
      EXPECT_GT(acts[0].writes, 3);
      EXPECT_EQ(acts[1].writes, acts[0].writes);
      continue;
    }
    EXPECT_THAT(acts[0].refusal, HasSubstr("give the manager's key lanes more"));
    EXPECT_EQ(acts[0].writes + acts[1].writes, 0);
    EXPECT_EQ(CountChanged(&network), 0);
  }
}

std::string TextWithActs(const topology::Topology& topology, const NetworkOptions& options, int processes) {
  std::string text;
  OnThreads(processes, [&](Processes& all) {
    Network network(topology, options, &all);
    const Ending ending = network.Run();
    const Figures figures(network);
    std::string acts;
    for (const ManagerAct& act : network.manager()->acts())
      acts += fmt::format("act {} {} {} {} {}\n", act.change, act.from, act.till, act.writes, act.refusal);
    if (!all.first()) return;
    text = Text(network, ending, figures) + RepeatsText(figures) + acts;
    text = text.substr(text.find('\n'));
  });
  return text;
}

TEST(ManagedLinks, AreTheSameOnThreadsAndProcessesAndWhateverTheLookahead) {
  const auto expect_same = [](const topology::Topology& topology, NetworkOptions options, int most) {
    const std::string whole = TextWithActs(topology, options, 1);
    EXPECT_THAT(whole, HasSubstr("act "));
    for (int size = 2; size <= most; ++size) {
      EXPECT_EQ(TextWithActs(topology, options, size), whole) << size;
      options.threads = size;
      EXPECT_EQ(TextWithActs(topology, options, 1), whole) << size;
      options.threads = 1;
    }
    options.lookahead = 7;
    options.order = 1;
    EXPECT_EQ(TextWithActs(topology, options, 1), whole);
  };
  const std::vector<faults::PlannedEvent> events = {Event(300, EventKind::kDown, Link(6), 1200),
                                                    Event(420, EventKind::kDown, Link(3), 1000)};
  expect_same(Dragonfly(), Managed(Sized("uniform", 0.3, "64,512", false), events), 3);
  expect_same(Dragonfly(), Managed(Sized("uniform", 0.1, "64,512", false), events, false), 2);
  expect_same(Pairs(), GivenUp(4), 3);
}

TEST(ManagedLinks, GoOnFromASavedState) {
  const std::vector<faults::PlannedEvent> events = {Event(300, EventKind::kDown, Link(6), 1200),
                                                    Event(420, EventKind::kDown, Link(3), 1000)};
  for (const bool retry : {true, false}) {
    NetworkOptions options = Managed(Sized("uniform", 0.2, "64,512", false), events, retry);
    const std::string whole = WholeRun(Dragonfly(), options);
    for (const Cycle at : {100, 500, 610, 1000, 1900, 3000})
      EXPECT_TRUE(RestOfRun(1, Dragonfly(), options, StateOf(1, Dragonfly(), options, at)) == whole)
          << at << " " << retry;
    EXPECT_TRUE(RestOfRun(2, Dragonfly(), options, StateOf(3, Dragonfly(), options, 1000)) == whole) << retry;
  }
  const std::string whole = WholeRun(Pairs(), GivenUp(4));
  const std::size_t up = whole.find(" up ");
  ASSERT_NE(up, std::string::npos);
  const Cycle given_up = std::stoll(whole.substr(up + 4)) - Network(Pairs(), GivenUp(4)).nics().begin;
  for (const Cycle at : {given_up + 300, given_up + 2000})
    EXPECT_TRUE(RestOfRun(1, Pairs(), GivenUp(4), StateOf(1, Pairs(), GivenUp(4), at)) == whole);
}

/// A register write of a plan, without a manager: it was in no checkpoint.
TEST(ManagedLinks, AndTablesOfAPlanAreInCheckpoints) {
  NetworkOptions options = Sized("uniform", 0.2, "64,512", false);
  faults::PlannedEvent write = Event(500, EventKind::kTable, {});
  write.write = {5, CfgSpace::kRouteGroup, 3, std::nullopt, 0};
  faults::Plan plan;
  plan.events = {write};
  options.fault_plan = std::make_shared<const faults::Plan>(plan);
  const std::string whole = WholeRun(Dragonfly(), options);
  for (const Cycle at : {100, 1000})
    EXPECT_TRUE(RestOfRun(1, Dragonfly(), options, StateOf(1, Dragonfly(), options, at)) == whole) << at;
}

TEST(ManagedLinks, AreNotWrittenByAPlanToo) {
  faults::PlannedEvent write = Event(500, EventKind::kTable, {});
  write.write = {5, CfgSpace::kRouteGroup, 3, std::nullopt, 0};
  try {
    Network network(Dragonfly(), Managed(Sized("uniform", 0.2, "64", false), {write}));
    ADD_FAILURE() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("plan:500: event: the plan's manager writes the routing tables"));
  }
}

}  // namespace
}  // namespace tilefly::network
