// SPDX-License-Identifier: Apache-2.0
// The seams of docs/extending.md with the example extensions: what they come to, and that processes and checkpoints do not show.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <nlohmann/json.hpp>

#include "network/figures.h"
#include "runs/common/extensions.h"
#include "runs/common/manifest.h"
#include "runs/system/net_settings.h"
#include "testbenches/extensions/examples.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"
#include "traffic/pattern.h"

namespace tilefly::network {
namespace {

using testing::HasSubstr;

class Extensions : public WithExamples {};

/// Sums of the counter by_distance.
std::map<std::string, std::int64_t> SumsOf(const Network& network, const Figures& figures) {
  std::map<std::string, std::int64_t> sums;
  const std::vector<std::string> names = network.counters().NamesOf(0);
  for (std::size_t i = 0; i < names.size(); ++i) sums[names[i]] = figures.statistics.counters[0][i];
  return sums;
}

struct Outcome {
  Ending ending = Ending::kStopped;
  std::string text;
  std::map<std::string, std::int64_t> sums;
  std::int64_t packets = 0;
  double cycles = 0;
};

/// The rest of a run on `size` processes from a state, empty: all of it.
Outcome RunOn(int size, const topology::Topology& topology, const NetworkOptions& options,
              std::deque<SavedBytes> state = {}) {
  Outcome outcome;
  OnThreads(size, [&](Processes& processes) {
    Network network(topology, options, &processes);
    const bool resumes = processes.size() > 1 ? processes.Largest(state.empty() ? 0 : 1) != 0 : !state.empty();
    if (resumes) {
      network.Load([&] {
        SavedBytes piece = std::move(state.front());
        state.pop_front();
        return piece;
      });
    }
    const Ending ending = network.Run();
    const Figures figures(network);
    if (!processes.first()) return;
    outcome = {ending, Text(network, ending, figures), SumsOf(network, figures), 0, 0};
    for (const ClassStatistics& one : figures.statistics.classes) {
      outcome.packets += one.latency.count();
      outcome.cycles += one.latency.Mean() * static_cast<double>(one.latency.count());
    }
  });
  return outcome;
}

std::deque<SavedBytes> StateOf(const topology::Topology& topology, const NetworkOptions& options, Cycle at) {
  std::deque<SavedBytes> pieces;
  Network network(topology, options);
  EXPECT_FALSE(network.RunTo(network.nics().begin + at).has_value());
  network.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
  return pieces;
}

TEST_F(Extensions, NamesAreRefusedThatAreTakenOrThatNoListCouldHold) {
  const PatternMaker none;
  EXPECT_THAT(RefusalOf([&] { Patterns().Add("uniform", "", none); }), HasSubstr("there is one of this name already"));
  EXPECT_THAT(RefusalOf([&] { Patterns().Add("cbr", "", none); }), HasSubstr("there is one of this name already"));
  EXPECT_THAT(RefusalOf([&] { Patterns().Add("nearby", "", none); }), HasSubstr("there is one of this name already"));
  for (const char* name : {"", "Near", "near:3", "3near", "a,b", "a+b"})
    EXPECT_THAT(RefusalOf([&] { Patterns().Add(name, "", none); }), HasSubstr("small letters")) << name;
  EXPECT_THAT(RefusalOf([] { topology::Families().Add("torus", "", {}); }), HasSubstr("topology family 'torus'"));
  EXPECT_THAT(RefusalOf([] { RoutingRules().Add("valiant", "", {}); }), HasSubstr("routing rule 'valiant'"));
  EXPECT_THAT(RefusalOf([] { RoutingRules().Add("minimal", "", {}); }), HasSubstr("routing rule 'minimal'"));
  EXPECT_THAT(RefusalOf([] { Schedulers().Add("drr", "", {}); }), HasSubstr("scheduler 'drr'"));
}

TEST_F(Extensions, WrongNamesAreToldTheNearestOfThoseThatThereAre) {
  EXPECT_THAT(RefusalOf([] { Pattern("nearbye:3", 8, 1); }), HasSubstr("did you mean 'nearby'?"));
  EXPECT_THAT(RefusalOf([] { topology::Build("rings:n=4"); }), HasSubstr("did you mean 'ring'?"));
  EXPECT_THAT(RefusalOf([] { RoutingOptions::Named("clockwize:lanes=1"); }), HasSubstr("did you mean 'clockwise'?"));
  EXPECT_THAT(RefusalOf([] { ChooseScheduler("lotery", "scheduler"); }), HasSubstr("did you mean 'lottery'?"));
}

TEST_F(Extensions, KeysThatAnExtensionDoesNotAskForAreRefused) {
  const auto topology = topology::Build("ring:n=4,p=2");
  EXPECT_THAT(RefusalOf([] { topology::Build("ring:n=4,q=2"); }), HasSubstr("unknown key of topology ring 'q'"));
  EXPECT_THAT(RefusalOf([&] { Network(topology, Clockwise("clockwise:lane=1")); }), HasSubstr("'lane'; did you mean 'lanes'?"));
  NetworkOptions options = Clockwise();
  options.scheduler = ChooseScheduler("lottery:sed=4", "scheduler");
  EXPECT_THAT(RefusalOf([&] { Network(topology, options); }), HasSubstr("'sed'; did you mean 'seed'?"));
}

TEST_F(Extensions, AFamilyGetsTheSmallestSwitchWithItsPorts) {
  const auto small = topology::Build("ring:n=5,p=6");
  EXPECT_EQ(small.profile, "tile8");
  EXPECT_EQ(small.family, "graph");
  EXPECT_EQ(small.name, "ring:n=5,p=6");
  EXPECT_EQ(topology::Build("ring:n=5,p=7").profile, "tile16");
  EXPECT_EQ(topology::Build("ring:n=5,p=2,profile=rosetta64").profile, "rosetta64");
  EXPECT_EQ(RunOn(1, small, Clockwise("min")).ending, Ending::kDrained) << "and the routes and lanes of a graph";
}

TEST_F(Extensions, APatternSendsWhereItSays) {
  const Pattern pattern("nearby:2", 10, 3);
  std::map<int, int> steps;
  for (int source = 0; source < 10; ++source) {
    for (std::uint64_t id = 0; id < 200; ++id) ++steps[(pattern.Destination(source, id) - source + 10) % 10];
  }
  ASSERT_EQ(steps.size(), 4u);
  for (const int step : {1, 2, 8, 9}) EXPECT_NEAR(steps[step], 500, 80) << step;
}

TEST_F(Extensions, ADestinationThatThereIsNotIsRefused) {
  Patterns().Add("beyond", "", [](const PatternRequest& request) {
    return [count = request.count](int source, std::uint64_t) { return source == 0 ? -1 : count; };
  });
  const Pattern pattern("beyond", 4, 1, "endpoint");
  EXPECT_FALSE(pattern.Sends(0));
  EXPECT_TRUE(pattern.Sends(1));
  EXPECT_THAT(RefusalOf([&] { pattern.Destination(1, 5); }),
              HasSubstr("packet 5 of endpoint 1 is 4, which is not one of 0 to 3"));
}

TEST_F(Extensions, APatternIsToldTheGroupsOfThoseThatSend) {
  static std::vector<int> groups;
  Patterns().Add("told", "", [](const PatternRequest& request) {
    groups = request.group_of;
    return [](int, std::uint64_t) { return 0; };
  });
  const auto topology = topology::Build("dragonfly:p=1,a=2,h=1");
  NetworkOptions options = Clockwise("min");
  options.traffic.pattern = "told";
  const Network all(topology, options);
  EXPECT_EQ(groups, (std::vector<int>{0, 0, 1, 1, 2, 2}));
  options.traffic.endpoints = {1, 4, 5};
  const Network some(topology, options);
  EXPECT_EQ(groups, (std::vector<int>{0, 2, 2}));
}

/// Of 5 switches a packet for the next but one passes 3, for the one before 5.
TEST_F(Extensions, ARuleRoutesAsItSaysAndTheCounterSeesIt) {
  const auto topology = topology::Build("ring:n=5");
  NetworkOptions options = Clockwise();
  options.traffic.pattern = "permutation:shift:2";
  const Outcome outcome = RunOn(1, topology, options);
  EXPECT_EQ(outcome.ending, Ending::kDrained);
  EXPECT_GT(outcome.packets, 100);
  EXPECT_EQ(outcome.sums.at("packets_over_3"), outcome.packets);
  EXPECT_NEAR(static_cast<double>(outcome.sums.at("cycles_over_3")), outcome.cycles, 0.5);
  options.traffic.pattern = "permutation:shift:4";
  EXPECT_GT(RunOn(1, topology, options).sums.at("packets_over_5"), 100);
}

TEST_F(Extensions, ARuleThatMayDeadlockIsRefusedWithItsCycle) {
  const auto topology = topology::Build("ring:n=4,p=2");
  const std::string refusal = RefusalOf([&] { Network(topology, Clockwise("clockwise:lanes=1")); });
  EXPECT_THAT(refusal, HasSubstr("--routing clockwise:lanes=1 on ring:n=4,p=2 is refused"));
  EXPECT_THAT(refusal, HasSubstr("DEADLOCK possible, 4 channels wait for each other in a cycle"));
  EXPECT_THAT(refusal, HasSubstr("switch 3 port 2 -> switch 0 port 3, lane 0, other"));
  EXPECT_FALSE(SystemRoutes(topology, RoutingOptions::Named("clockwise:lanes=1")).CheckDeadlock().deadlock_free);
  EXPECT_TRUE(SystemRoutes(topology, RoutingOptions::Named("clockwise")).CheckDeadlock().deadlock_free);
}

/// Rules of one function, whatever it says.
void AddRule(const std::string& name, std::function<std::vector<int>(int, int)> ports, RouteMode mode = RouteMode::kMinHash,
             bool detours = false) {
  RoutingRules().Add(name, "", {[ports](const topology::Topology&, KeyValues*) { return RouteRule{ports}; }, mode, detours});
}

TEST_F(Extensions, ARuleWithoutLanesHasOneMoreWithEachLink) {
  AddRule("round", [](int, int) { return std::vector<int>{2}; });
  const auto topology = topology::Build("ring:n=4,p=2");
  Network network(topology, Clockwise("round"));
  EXPECT_EQ(network.lanes().plan().lanes, 3);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
}

TEST_F(Extensions, ARuleThatNeverArrivesIsRefused) {
  AddRule("away", [](int at, int) { return std::vector<int>{at == 0 ? 2 : 3}; });  // 0 and 1 send to each other
  const auto topology = topology::Build("ring:n=4,p=2");
  EXPECT_THAT(RefusalOf([&] { Network(topology, Clockwise("away")); }), HasSubstr("DEADLOCK possible"));
}

TEST_F(Extensions, TablesThatASwitchCannotHoldAreRefused) {
  const auto ring = topology::Build("ring:n=4,p=2");
  AddRule("edge", [](int, int) { return std::vector<int>{0}; });
  EXPECT_THAT(RefusalOf([&] { Network(ring, Clockwise("edge")); }), HasSubstr("are to leave by port 0, which has no link"));
  AddRule("nowhere", [](int, int) { return std::vector<int>{}; });
  EXPECT_THAT(RefusalOf([&] { Network(ring, Clockwise("nowhere")); }), HasSubstr("for which it has no port"));
  AddRule("apart", [](int at, int to) {
    return std::vector<int>{at == 2 || at == 3 ? 3 : to == 2 || to == 3 ? 3 - to % 2 : 2};
  });
  const auto dragonfly = topology::Build("dragonfly:p=2,a=2,h=1,g=2,links=2");
  EXPECT_THAT(RefusalOf([&] { Network(dragonfly, Clockwise("apart")); }),
              HasSubstr("a route table has one entry for their address group 1"));
}

TEST_F(Extensions, ModesThatDoNotGoWithDetoursAreRefused) {
  AddRule("wide", [](int, int) { return std::vector<int>{2, 3}; }, RouteMode::kMinHash, true);
  AddRule("lone", [](int, int) { return std::vector<int>{2}; }, RouteMode::kNminHash, false);
  EXPECT_THAT(RefusalOf([] { RoutingOptions::Named("wide"); }), HasSubstr("takes no detours"));
  EXPECT_THAT(RefusalOf([] { RoutingOptions::Named("lone"); }), HasSubstr("takes detours only"));
}

/// Both ways round, the shorter one, by load: adaptive modes choose among the ports of a rule.
TEST_F(Extensions, AnAdaptiveRuleChoosesAmongItsPortsByLoad) {
  const auto shorter = [](int at, int to) {
    const int up = (to - at + 6) % 6;
    return up == 3 ? std::vector<int>{2, 3} : std::vector<int>{up < 3 ? 2 : 3};
  };
  AddRule("shorter", shorter, RouteMode::kAdaptive0);
  AddRule("through", shorter, RouteMode::kAdaptive0, true);
  const auto topology = topology::Build("ring:n=6,p=2");
  for (const char* name : {"shorter", "through"}) {
    NetworkOptions options = Clockwise(name);
    options.traffic.pattern = "permutation:shift:6";
    Network network(topology, options);
    EXPECT_EQ(network.Run(), Ending::kDrained) << name;
    EXPECT_EQ(network.NotHome(), "") << name;
    const Routed routed = network.CountRouted();
    EXPECT_GT(routed.minimal, 0) << name;
    EXPECT_EQ(routed.nonminimal > 0, std::string(name) == "through");
  }
}

TEST_F(Extensions, ASchedulerSharesByItsTickets) {
  golden::SchedulerTable table(kTile8);
  table.Write(CfgSpace::kDtable, 3, DtableEntry::Of(4000, 3).ToBits());
  table.Write(CfgSpace::kDtable, golden::kSwapIndex, 0);
  const int of_0 = table.bank().weight(0), of_3 = table.bank().weight(3);
  ASSERT_GT(of_3, 2 * of_0);
  golden::HeldScheduler scheduler("lottery", ChooseScheduler("lottery:seed=5", "scheduler").make_own(kTile8, 2));
  constexpr int kDecisions = 20000;
  int granted = 0;
  for (Cycle now = 0; now < kDecisions; ++now) {
    const golden::Decision decision =
        scheduler.Decide(now, table, 0b1001, 0b1001, [](int) { return golden::Head{1, false}; });
    ASSERT_EQ(decision.outcome, golden::Outcome::kGranted);
    granted += decision.tc == 3 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(granted) / kDecisions, static_cast<double>(of_3) / (of_0 + of_3), 0.02);
  const auto busy = [](int) { return golden::Head{}; };
  EXPECT_EQ(scheduler.Decide(0, table, 0b1000, 0b1000, busy).outcome, golden::Outcome::kWaits);
  EXPECT_EQ(scheduler.Decide(0, table, 0b1000, 0, busy).outcome, golden::Outcome::kNothing);
}

/// Grants what nobody offers.
class Rash final : public golden::OwnScheduler {
 public:
  golden::Decision Decide(golden::Choices*) override { return {golden::Outcome::kGranted, 0}; }
  void Save(Saver*) const override {}
  void Load(Loader*) override {}
};

TEST_F(Extensions, AGrantThatCannotBeGivenEndsTheRun) {
  Schedulers().Add("rash", "", [](const Profile&, int, KeyValues*) { return std::make_unique<Rash>(); });
  const auto topology = topology::Build("ring:n=3,p=2");
  NetworkOptions options = Clockwise();
  options.traffic.pattern = "uniform";
  options.scheduler = ChooseScheduler("rash", "scheduler");
  Network network(topology, options);
  try {
    network.Run();
    FAIL() << "it ran";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("scheduler rash: it grants class 0, whose head it has not asked for last"));
  }
}

TEST_F(Extensions, ARunGoesOnFromACheckpointAsIfNothingHadHappened) {
  const auto topology = topology::Build("ring:n=6,p=2");
  NetworkOptions options = Clockwise();
  options.scheduler = ChooseScheduler("lottery:seed=5", "scheduler");
  options.traffic.load = 0.9;
  options.traffic.classes = {{0, 1, 4096}, {3, 2, 512}};
  const Outcome whole = RunOn(1, topology, options);
  EXPECT_GT(whole.packets, 100);
  for (const Cycle at : {0, 700, 2900}) {
    const Outcome rest = RunOn(1, topology, options, StateOf(topology, options, at));
    EXPECT_EQ(rest.text, whole.text) << at;
    EXPECT_EQ(rest.sums, whole.sums) << at;
  }
}

TEST_F(Extensions, NoResultDependsOnTheNumberOfProcesses) {
  const auto topology = topology::Build("dragonfly:p=2,a=2,h=1");
  NetworkOptions options = Clockwise("min");
  options.scheduler = ChooseScheduler("lottery", "scheduler");
  const Outcome whole = RunOn(1, topology, options);
  std::int64_t packets = 0;
  for (const auto& [name, value] : whole.sums) packets += name.rfind("packets", 0) == 0 ? value : 0;
  EXPECT_EQ(packets, whole.packets);
  EXPECT_GT(packets, 100);
  for (const int size : {2, 3}) {
    const Outcome other = RunOn(size, topology, options);
    EXPECT_EQ(other.text, whole.text) << size;
    EXPECT_EQ(other.sums, whole.sums) << size;
  }
}

TEST_F(Extensions, RunsAndManifestsNameThem) {
  runs::NetSettings settings;
  settings.Set("topology", "ring:n=6,p=2", "test");
  settings.Set("routing", "clockwise:lanes=2", "test");
  settings.Set("traffic.pattern", "nearby:3", "test");
  const auto used = runs::UsedExtensions(settings, true);
  EXPECT_EQ(used["topology family"], "ring:n=6,p=2");
  EXPECT_EQ(used["routing rule"], "clockwise:lanes=2");
  EXPECT_EQ(used["traffic pattern"], "nearby:3");
  EXPECT_FALSE(used.contains("scheduler"));
  EXPECT_EQ(used["counter"][0], "by_distance");
  const auto manifest = nlohmann::json::parse(runs::ManifestJson("1", {}, 1, "", {}));
  EXPECT_EQ(manifest["extensions"]["scheduler"][0], "lottery");
  EXPECT_THAT(runs::ExtensionHelp({&Schedulers()}), HasSubstr("scheduler lottery: a class is drawn"));
}

TEST_F(Extensions, APatternWithTheNameOfAJobIsRefused) {
  Registry<int> names("thing", {"one"});
  EXPECT_EQ(names.Find("one"), nullptr);
  names.Add("two", "help", 2);
  EXPECT_EQ(*names.Find("two"), 2);
  runs::CheckExtensions();
  Patterns().Add("alltoall", "", {});
  EXPECT_THAT(RefusalOf([] { runs::CheckExtensions(); }), HasSubstr("traffic pattern 'alltoall'"));
}

}  // namespace
}  // namespace tilefly::network
