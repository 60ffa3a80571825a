// SPDX-License-Identifier: Apache-2.0
// What extensions get wrong, and how it is told: the extension by its kind and name, and the remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "network/system_routes.h"
#include "support/extension_error.h"
#include "testbenches/extensions/examples.h"
#include "topology/builder.h"
#include "traffic/pattern.h"

namespace tilefly::network {
namespace {

using testing::HasSubstr;

class Refusals : public WithExamples {};

/// A rule that goes up round a ring, on lanes of which something may be wrong.
void AddRuleOnLanes(const std::string& name, const std::function<void(topology::LanePlan*)>& spoil) {
  RoutingRules().Add(
      name, "",
      {[spoil](const topology::Topology& topology, KeyValues*) {
         RouteRule rule{[](int, int) { return std::vector<int>{2}; }, topology::LanesByHops(topology, 4)};
         spoil(&rule.lanes);
         return rule;
       },
       RouteMode::kMinHash, false});
}

/// Classes of four bits would be proved free of deadlock on lanes that the registers of two bits do not have.
TEST_F(Refusals, ClassesOfPortsThatTheRegistersCannotSay) {
  const auto ring = topology::Build("ring:n=5,p=2");
  for (const int wrong : {0, 4, 7, 255}) {
    const std::string name = "class" + std::to_string(wrong);
    AddRuleOnLanes(name, [wrong](topology::LanePlan* plan) {
      const auto given = static_cast<std::uint8_t>(wrong);
      for (auto& ends : plan->port_class) ends = {given, given};
    });
    EXPECT_THAT(RefusalOf([&] { Network(ring, Clockwise(name)); }),
                HasSubstr("--routing " + name + " on ring:n=5,p=2: its lanes have class " + std::to_string(wrong) +
                          " at an end of link 0; a link's end has class 1 to 3"));
    EXPECT_THAT(RefusalOf([&] { SystemRoutes(ring, RoutingOptions::Named(name)).CheckDeadlock(); }),
                HasSubstr("1 to 3"))
        << "topo --deadlock";
  }
}

TEST_F(Refusals, TablesThatLeadBeyondTheLastLane) {
  const auto ring = topology::Build("ring:n=5,p=2");
  AddRuleOnLanes("beyond-last", [](topology::LanePlan* plan) { plan->tables[0][topology::PlaceOf(3, 1, 1)] = 4; });
  EXPECT_THAT(RefusalOf([&] { Network(ring, Clockwise("beyond-last")); }),
              HasSubstr("table 0 of its lanes leads packets from ports of class 1 beyond the last of 4 lanes"));
  AddRuleOnLanes("not-reached", [](topology::LanePlan* plan) { plan->tables[0][topology::PlaceOf(9, 1, 1)] = 200; });
  EXPECT_EQ(RefusalOf([&] { Network(ring, Clockwise("not-reached")); }), "") << "no packet is on lane 9 of 4";
}

/// A ring of six switches that says what it is not.
topology::Topology SpoiltRing(const std::function<void(topology::Topology*)>& spoil) {
  static std::function<void(topology::Topology*)> own;
  static const bool added = [] {
    topology::Families().Add("spoilt", "", [](topology::Parameters*) {
      topology::Topology ring = topology::Build("ring:n=6,p=2");
      for (std::size_t s = 0; s < ring.switches.size(); ++s) ring.switches[s].place = {0, static_cast<int>(s)};
      own(&ring);
      return ring;
    });
    return true;
  }();
  static_cast<void>(added);
  own = spoil;
  return topology::Build("spoilt");
}

TEST_F(Refusals, WhatIsCalledATreeAndMayDeadlock) {
  const auto ring = SpoiltRing([](topology::Topology* topology) { topology->family = "tree"; });
  const std::string refusal = RefusalOf([&] { Network(ring, Clockwise("min")); });
  EXPECT_THAT(refusal,
              HasSubstr("--routing min on spoilt is refused: routing min, 1 lane: DEADLOCK possible, 6 channels"));
  EXPECT_THAT(refusal, HasSubstr("describe it as a graph (family: graph)"));
  const auto graph = SpoiltRing([](topology::Topology*) {});
  EXPECT_EQ(RefusalOf([&] { Network(graph, Clockwise("min")); }), "");
}

/// By the kinds of its links a dragonfly gets its lanes.
TEST_F(Refusals, ADragonflyWhoseLinksAreOfOtherKindsAndMayDeadlock) {
  topology::Families().Add("mislabelled", "", [](topology::Parameters* parameters) {
    topology::Topology dragonfly = topology::Build("dragonfly:p=2,a=4,h=2");
    if (parameters->Integer("wrong", 1, 0, 1, "") == 0) return dragonfly;
    for (topology::Link& link : dragonfly.links) link.kind = topology::LinkKind::kLocal;
    return dragonfly;
  });
  const auto refusal = [](const std::string& description) {
    const auto dragonfly = topology::Build(description);
    return RefusalOf([&] { Network(dragonfly, Clockwise("valiant")); });
  };
  EXPECT_THAT(refusal("mislabelled"), HasSubstr("DEADLOCK possible"));
  EXPECT_THAT(refusal("mislabelled"), HasSubstr("give links between groups the kind global"));
  EXPECT_EQ(refusal("mislabelled:wrong=0"), "");
}

TEST_F(Refusals, TreesOfAllRoutingsAreProved) {
  for (const char* tree : {"tree:k=4,n=3", "fattree:leaves=4,hosts=2,uplinks=1"}) {
    for (const char* routing : {"min", "adaptive_0", "valiant"})
      EXPECT_EQ(RefusalOf([&] { SystemRoutes(topology::Build(tree), kRosetta64, RoutingOptions::Named(routing)); }), "")
          << tree << routing;
  }
}

TEST_F(Refusals, KindsOfLinksThatThereAreNot) {
  const auto spoil = [](topology::Topology* topology) { topology->links[2].kind = static_cast<topology::LinkKind>(9); };
  EXPECT_THAT(
      RefusalOf([&] { SpoiltRing(spoil); }),
      HasSubstr("topology spoilt: link 2: there is no kind 9; a link between switches is local, global or other"));
}

TEST_F(Refusals, FamiliesWithoutRoutes) {
  const auto spoil = [](topology::Topology* topology) { topology->family = "mesh"; };
  EXPECT_THAT(
      RefusalOf([&] { SpoiltRing(spoil); }),
      HasSubstr("topology spoilt: family 'mesh' has no routes and lanes; it is one of graph, dragonfly, aries, tree, "
                "torus, or left empty for a graph"));
}

/// The text of an ExtensionError, which names the extension; empty: there is none.
template <typename Act>
std::string FaultOf(Act&& act) {
  try {
    std::forward<Act>(act)();
  } catch (const ExtensionError& error) {
    return error.what();
  }
  return "";
}

/// A counter whose sums are what a test wants.
class Spoilt final : public OwnCounter {
 public:
  Spoilt(std::vector<std::string> names, std::function<void(Sums&)> deliver)
      : names_(std::move(names)), deliver_(std::move(deliver)) {}
  std::vector<std::string> Names() const override { return names_; }
  void Deliver(const PacketEvent&, Sums& sums) const override { deliver_(sums); }

 private:
  std::vector<std::string> names_;
  std::function<void(Sums&)> deliver_;
};

std::string FaultOfCounter(const std::vector<std::string>& names,
                           const std::function<void(OwnCounter::Sums&)>& deliver) {
  static std::function<std::unique_ptr<OwnCounter>()> make;
  static const bool added = [] {
    Counters().Add("spoilt", "", [](const topology::Topology&) { return make(); });
    return true;
  }();
  static_cast<void>(added);
  make = [&]() -> std::unique_ptr<OwnCounter> { return deliver ? std::make_unique<Spoilt>(names, deliver) : nullptr; };
  const auto ring = topology::Build("ring:n=5,p=2");
  std::string fault = FaultOf([&] { Network(ring, Clockwise()).Run(); });
  make = [] {
    return std::make_unique<Spoilt>(std::vector<std::string>{}, [](OwnCounter::Sums&) {});
  };  // for other tests
  return fault;
}

TEST_F(Refusals, CountersThatChangeTheNumberOfTheirSums) {
  EXPECT_THAT(FaultOfCounter({"a", "b"}, [](OwnCounter::Sums& sums) { sums.clear(); }),
              HasSubstr("counter spoilt: it has changed the number of its sums to 0"));
  EXPECT_THAT(FaultOfCounter({"a", "b"}, [](OwnCounter::Sums& sums) { sums.push_back(1); }),
              HasSubstr("counter spoilt: it has changed the number of its sums to 3"));
  EXPECT_EQ(FaultOfCounter({"a", "b"}, [](OwnCounter::Sums& sums) { ++sums[1]; }), "");
}

TEST_F(Refusals, CountersWhoseSumsNobodyCouldTellApart) {
  const auto adds = [](OwnCounter::Sums&) {};
  EXPECT_EQ(FaultOfCounter({"a", "b", "a"}, adds),
            "counter spoilt: two of its sums have the name 'a'; give each of Names() its own");
  EXPECT_EQ(FaultOfCounter({"a", ""}, adds), "counter spoilt: its sum 1 has an empty name; give each of Names() one");
  EXPECT_THAT(FaultOfCounter({"a"}, nullptr), HasSubstr("counter spoilt: none was made"));
}

[[noreturn]] void GiveUp() { throw std::runtime_error("gave up"); }

/// Every seam, wherever it is called.
TEST_F(Refusals, ExceptionsThatComeOutOfAnExtension) {
  const auto ring = topology::Build("ring:n=5,p=2");
  Patterns().Add("throws", "", [](const PatternRequest& request) -> DestinationFunction {
    if (!request.arguments.empty()) GiveUp();
    return [](int, std::uint64_t) -> int { GiveUp(); };
  });
  EXPECT_EQ(FaultOf([] { Pattern("throws:now", 8, 1); }), "traffic pattern throws: gave up");
  EXPECT_EQ(FaultOf([] { Pattern("throws", 8, 1).Destination(0, 1); }), "traffic pattern throws: gave up");
  topology::Families().Add("throws", "", [](topology::Parameters*) -> topology::Topology { GiveUp(); });
  EXPECT_EQ(FaultOf([] { topology::Build("throws"); }), "topology family throws: gave up");
  RoutingRules().Add("throws", "", {[](const topology::Topology&, KeyValues* keys) -> RouteRule {
                       if (keys->Integer("early", 0, 0, 1, "") == 1) GiveUp();
                       return {[](int, int) -> std::vector<int> { GiveUp(); }};
                     }});
  EXPECT_EQ(FaultOf([&] { Network(ring, Clockwise("throws:early=1")); }), "routing rule throws: gave up");
  EXPECT_EQ(FaultOf([&] { Network(ring, Clockwise("throws")); }), "routing rule throws: gave up");
  EXPECT_EQ(FaultOfCounter({"a"}, [](OwnCounter::Sums&) { GiveUp(); }), "counter spoilt: gave up");
  EXPECT_EQ(FaultOfCounter({"a"}, [](OwnCounter::Sums&) { throw 1; }),
            "counter spoilt: an exception that is no std::exception");
}

TEST_F(Refusals, FunctionsThatThereAreNot) {
  const auto ring = topology::Build("ring:n=5,p=2");
  RoutingRules().Add("lost", "", {});
  EXPECT_THAT(FaultOf([&] { Network(ring, Clockwise("lost")); }),
              HasSubstr("routing rule lost: it has an empty function"));
  RoutingRules().Add("no-ports", "", {[](const topology::Topology&, KeyValues*) { return RouteRule{}; }});
  EXPECT_THAT(FaultOf([&] { Network(ring, Clockwise("no-ports")); }), HasSubstr("set RouteRule::ports"));
  Patterns().Add("no-destinations", "", [](const PatternRequest&) { return DestinationFunction(); });
  EXPECT_THAT(FaultOf([] { Pattern("no-destinations", 8, 1); }),
              HasSubstr("traffic pattern no-destinations: its maker"));
}

TEST_F(Refusals, OnlyMinusOneSaysThatASourceSendsNothing) {
  Patterns().Add("minus", "", [](const PatternRequest&) { return [](int source, std::uint64_t) { return -source; }; });
  const Pattern pattern("minus", 8, 1, "endpoint");
  EXPECT_FALSE(pattern.Sends(1));
  EXPECT_THAT(
      RefusalOf([&] { pattern.Sends(2); }),
      HasSubstr("its destination of packet 0 of endpoint 2 is -2, which is not one of 0 to 7; -1 for packet 0 says"));
}

/// Class 0 whenever it can be granted; its state is two numbers.
class Forgetful final : public golden::OwnScheduler {
 public:
  explicit Forgetful(std::string fault) : fault_(std::move(fault)) {}
  golden::Decision Decide(golden::Choices* choices) override {
    if (fault_ == "throws") GiveUp();
    return {choices->HeadOf(0).cells > 0 ? golden::Outcome::kGranted : golden::Outcome::kNothing, 0};
  }
  void Save(Saver* save) const override { (*save)(first_, second_); }
  void Load(Loader* load) override {
    (*load)(first_);
    if (fault_ != "takes-less") (*load)(second_);
    if (fault_ == "takes-more") load->Get<std::int64_t>();
  }

 private:
  std::string fault_;
  std::int64_t first_ = 1;
  std::int64_t second_ = 2;
};

TEST_F(Refusals, SchedulersThatLoadAnotherStateThanTheySave) {
  Schedulers().Add("forgetful", "", [](const Profile&, int, KeyValues* keys) {
    return std::make_unique<Forgetful>(keys->Text("fault", ""));
  });
  const auto ring = topology::Build("ring:n=5,p=2");
  const auto fault_of = [&](const std::string& name) {
    NetworkOptions options = Clockwise();
    options.scheduler = ChooseScheduler(name, "scheduler");
    return FaultOf([&] {
      Network network(ring, options);
      network.RunTo(network.nics().begin + 100);
      network.Save([](const SavedBytes&) {});
    });
  };
  EXPECT_EQ(fault_of("forgetful"), "");
  EXPECT_THAT(
      fault_of("forgetful:fault=takes-less"),
      HasSubstr("scheduler forgetful: its Load does not take the 16 bytes that its Save gives (it takes fewer)"));
  EXPECT_THAT(fault_of("forgetful:fault=takes-more"),
              HasSubstr("the 16 bytes that its Save gives (archive: it ends too early)"));
  EXPECT_EQ(fault_of("forgetful:fault=throws"), "scheduler forgetful: gave up");
}

}  // namespace
}  // namespace tilefly::network
