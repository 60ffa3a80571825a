// SPDX-License-Identifier: Apache-2.0
// Plans of lanes: what cannot be said or does not fit is refused, lanes are moved by their rule.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/errors.h"
#include "testbenches/topology/graphs.h"
#include "topology/channel_graph.h"

namespace tilefly::topology {
namespace {

TEST(Lanes, RefusesWhatVlmapCannotSay) {
  EXPECT_THROW(PlanLanes(MakeTorus({4, 4}), Routing::kValiant), UsageError);
  EXPECT_THROW(PlanLanes(MakeTree(2, 2), Routing::kProgressive), UsageError);
  EXPECT_THROW(ParseRouting("minimum"), UsageError);
  EXPECT_EQ(ParseRouting("valiant"), Routing::kValiant);
  const Topology topology = MakeDragonfly(1, 4, 2, Relative);
  LanePlan plan = PlanLanes(topology, Routing::kValiant);
  plan.lanes = 2;
  EXPECT_THROW(CheckDeadlock(topology, Routing::kValiant, plan), UsageError) << "tables lead beyond the lanes";
}

TEST(Lanes, ClassesThatDoNotFitAreRefusedWithTheSum) {
  const std::vector<ClassLanes> fit{{"LL", 3}, {"BD", 3},           {"BE", 3},
                                    {"ET", 3}, {"reduction up", 2}, {"reduction down", 2}};
  EXPECT_EQ(FirstLanes(fit, 16, "take fewer"), (std::vector<int>{0, 3, 6, 9, 12, 14}));
  std::vector<ClassLanes> many = fit;
  many.push_back({"ET2", 2});
  try {
    FirstLanes(many, 16, "take fewer");
    FAIL() << "18 lanes fit into 16";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("3 (LL) + 3 (BD) + 3 (BE) + 3 (ET) + 2 (reduction up) + 2 (reduction down) + 2 "
                        "(ET2) = 18, the profile has 16; take fewer"),
              std::string::npos)
        << error.what();
  }
}

TEST(Lanes, MovedTablesKeepTheirRule) {
  const LaneTable table = PlanLanes(MakeDragonfly(1, 4, 2, Relative), Routing::kValiant).tables.front();
  const LaneTable moved = MoveLanes(table, {6, 7, 12});
  for (int out = 1; out <= 2; ++out) {
    for (int vl = 0; vl < 16; ++vl) EXPECT_EQ(moved[vl << 4 | 0 << 2 | out], 6) << "from an edge port";
    EXPECT_EQ(moved[6 << 4 | 2 << 2 | out], 7) << "after a global link";
    EXPECT_EQ(moved[7 << 4 | 2 << 2 | out], 12);
    EXPECT_EQ(moved[7 << 4 | 1 << 2 | out], out == 1 ? 12 : 7) << "after a local link";
    EXPECT_EQ(moved[2 << 4 | 2 << 2 | out], 2) << "a lane of another class";
  }
}

}  // namespace
}  // namespace tilefly::topology
