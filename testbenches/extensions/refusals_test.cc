// SPDX-License-Identifier: Apache-2.0
// What extensions get wrong, and how it is told: the extension by its kind and name, and the remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/system_routes.h"
#include "testbenches/extensions/examples.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using testing::HasSubstr;

class Refusals : public WithExamples {};

/// A rule that goes up round a ring, on lanes of which something may be wrong.
void AddRuleOnLanes(const std::string& name, const std::function<void(topology::LanePlan*)>& spoil) {
  RoutingRules().Add(name, "",
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
    EXPECT_THAT(RefusalOf([&] { SystemRoutes(ring, RoutingOptions::Named(name)).CheckDeadlock(); }), HasSubstr("1 to 3"))
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

}  // namespace
}  // namespace tilefly::network
