// SPDX-License-Identifier: Apache-2.0
// The planner against the published example (S4, Table 4) and what it refuses.
#include "qos/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "qos/check.h"
#include "qos/class_reader.h"
#include "testbenches/qos/files.h"

namespace tilefly::qos {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Refusal;
using testing::TemporaryFile;

/// Weights of a class's entries and how often each occurs.
std::map<int, int> WeightsOf(const Table& table, const std::string& name) {
  const int c = FindClass(table.classes, name, "test");
  std::map<int, int> weights;
  for (const Entry& entry : table.entries) {
    if (entry.owner == c) ++weights[entry.weight];
  }
  return weights;
}

std::vector<int> Totals(const Table& table) {
  std::vector<int> totals;
  for (const Holding& held : Holdings(table)) totals.push_back(held.weight);
  return totals;
}

std::string PlanRefusal(const std::string& yaml, const Overrides& overrides = {}) {
  const TemporaryFile file(yaml);
  return Refusal([&] { MakePlan(LoadWishes(file.path()), overrides); });
}

TEST(Planner, FindsThePublishedKAndW) {
  const Plan plan = MakePlan(LoadWishes("plans/study7.yaml"), {});
  EXPECT_EQ(plan.table.origin->k, 5);
  EXPECT_EQ(plan.table.origin->w, 29);
  EXPECT_EQ(plan.table.origin->pool, 1024);
  EXPECT_THAT(Totals(plan.table), ElementsAre(96, 168, 307, 359, 41, 37, 16));
}

TEST(Planner, GivesThePublishedWeightsForThePublishedWAndPool) {
  const Table table = MakePlan(LoadWishes("plans/study7.yaml"), {{}, 30, 1073}).table;
  EXPECT_EQ(table.origin->k, 5);
  EXPECT_EQ(WeightsOf(table, "NC"), (std::map<int, int>{{3, 27}, {4, 5}}));
  EXPECT_EQ(WeightsOf(table, "VO"), (std::map<int, int>{{11, 16}}));
  EXPECT_EQ(WeightsOf(table, "VI"), (std::map<int, int>{{40, 6}, {41, 2}}));
  EXPECT_EQ(WeightsOf(table, "CL"), (std::map<int, int>{{93, 1}, {94, 3}}));
  EXPECT_EQ(WeightsOf(table, "EE"), (std::map<int, int>{{21, 1}, {22, 1}}));
  EXPECT_EQ(WeightsOf(table, "BE"), (std::map<int, int>{{39, 1}}));
  EXPECT_EQ(WeightsOf(table, "BK"), (std::map<int, int>{{17, 1}}));
  EXPECT_THAT(Totals(table), ElementsAre(101, 176, 322, 375, 43, 39, 17));
  EXPECT_EQ(TotalWeight(table), 1073);
  std::vector<int> gaps;
  for (const Holding& held : Holdings(table)) gaps.push_back(held.gap);
  EXPECT_THAT(gaps, ElementsAre(2, 4, 8, 16, 32, 64, 64));
}

/// Table 4's min phi and max phi where they follow from the formulas; VO's min and BK's row are misprints.
TEST(Planner, AssignableRangesAreThoseOfTheFormulas) {
  const Plan plan = MakePlan(LoadWishes("plans/study7.yaml"), {5, 30, {}});
  const double least[] = {0.09375, 0.03125, 0.25, 0.125, 0.03125, 0.015625, 0.015625};
  const double most[] = {3, 1.5, 0.75, 0.375, 0.1875, 0.09375, 0.09375};
  for (int c = 0; c < 7; ++c) {
    EXPECT_DOUBLE_EQ(plan.assignable[c].least, least[c]) << c;
    EXPECT_DOUBLE_EQ(plan.assignable[c].most, most[c]) << c;
  }
}

TEST(Planner, LatencyRanksGiveTheDistancesOfTheStudy) {
  const char* const ranks =
      "entries: 64\ncredit: 64B\nheader: 0B\ngmtu: 32 credits\nclasses:\n"
      "  - {name: NC, bandwidth: 0.094, latency: 1, mtu: 3 credits}\n"
      "  - {name: VO, bandwidth: 0.164, latency: 2, mtu: 2 credits}\n"
      "  - {name: VI, bandwidth: 60Gbps, latency: 3, mtu: 2KiB}\n"
      "  - {name: CL, bandwidth: 70000Mbps, latency: 4, mtu: 2KiB}\n"
      "  - {name: EE, bandwidth: 4%, latency: 5, mtu: 1KiB}\n"
      "  - {name: BE, bandwidth: 3.6%, latency: 6, mtu: 1KiB}\n"
      "  - {name: BK, bandwidth: rest, mtu: 1KiB}\n";
  const TemporaryFile file(ranks);
  const Plan plan = MakePlan(LoadWishes(file.path()), {{}, 30, 1073});
  const Plan study = MakePlan(LoadWishes("plans/study7.yaml"), {{}, 30, 1073});
  EXPECT_EQ(Totals(plan.table), Totals(study.table));
  for (int i = 0; i < 64; ++i) EXPECT_EQ(plan.table.entries[i].owner, study.table.entries[i].owner) << i;
}

TEST(Planner, ShippedPlansPass) {
  int plans = 0;
  for (const auto& entry : std::filesystem::directory_iterator("plans")) {
    const Plan plan = MakePlan(LoadWishes(entry.path()), {});
    EXPECT_EQ(CheckTable(plan.table).errors(), 0) << entry.path();
    ++plans;
  }
  EXPECT_GE(plans, 3);
}

TEST(Planner, RefusesMinimumsAboveTheLink) {
  EXPECT_THAT(PlanRefusal("classes:\n"
                          "  - {name: A, bandwidth: 60%, mtu: 4224B}\n"
                          "  - {name: B, bandwidth: 43%, mtu: 4224B}\n"),
              AllOf(HasSubstr("103%"), HasSubstr("3% above the link"), HasSubstr("A 60%, B 43%")));
}

TEST(Planner, RefusesAGroupAboveTheLowestWithoutAMaximum) {
  EXPECT_THAT(PlanRefusal("classes:\n"
                          "  - {name: A, bandwidth: 10%, mtu: 4224B, group: 1}\n"
                          "  - {name: B, bandwidth: 43%, mtu: 4224B}\n"),
              AllOf(HasSubstr("class A"), HasSubstr("group 1"), HasSubstr("no maximum")));
}

TEST(Planner, RefusesMaximumsOfUpperGroupsThatLeaveTooLittle) {
  EXPECT_THAT(PlanRefusal("classes:\n"
                          "  - {name: A, bandwidth: 10%, mtu: 4224B, group: 1, maximum: 30%}\n"
                          "  - {name: B, bandwidth: 75%, mtu: 4224B}\n"),
              AllOf(HasSubstr("30%"), HasSubstr("75%"), HasSubstr("5% above the link")));
}

TEST(Planner, RefusesWeightsBelowAnMtuWithTheFigures) {
  EXPECT_THAT(Refusal([] {
                MakePlan(LoadWishes("plans/study7.yaml"), {{}, 30, 900});
              }),
              AllOf(HasSubstr("class NC"), HasSubstr("are 85 credits"), HasSubstr("need 96, 11 more"),
                    HasSubstr("class BK"), HasSubstr("are 14 credits"), HasSubstr("need 16, 2 more")));
}

TEST(Planner, RefusesEntriesThatCannotHoldTheWeight) {
  EXPECT_THAT(PlanRefusal("entries: 2\ngmtu: 10 credits\nclasses:\n"
                          "  - {name: A, bandwidth: 90%, mtu: 10 credits}\n"
                          "  - {name: B, bandwidth: 10%, mtu: 1 credit}\n",
                          {10, 15, {}}),
              AllOf(HasSubstr("class A"), HasSubstr("are 18 credits"), HasSubstr("at most 15 credits: 3 too many")));
}

TEST(Planner, RefusesDistancesThatDoNotFit) {
  EXPECT_THAT(PlanRefusal("entries: 8\nclasses:\n"
                          "  - {name: A, bandwidth: 50%, distance: 2, mtu: 64B}\n"
                          "  - {name: B, bandwidth: 30%, distance: 2, mtu: 64B}\n"
                          "  - {name: C, bandwidth: 10%, mtu: 64B}\n"),
              AllOf(HasSubstr("ask for 9 entries"), HasSubstr("1 more than the table's 8")));
  EXPECT_THAT(PlanRefusal("entries: 8\nclasses:\n"  // 2 + 3 + 1 entries, and yet no order
                          "  - {name: A, bandwidth: 50%, distance: 2, mtu: 64B}\n"
                          "  - {name: B, bandwidth: 30%, distance: 3, mtu: 64B}\n"
                          "  - {name: C, bandwidth: 10%, distance: 8, mtu: 64B}\n"),
              HasSubstr("there is no order in 8 entries that keeps all distances"));
}

TEST(Planner, RefusesAnMtuAboveTheGeneralOne) {
  EXPECT_THAT(PlanRefusal("gmtu: 1KiB\nclasses:\n  - {name: A, bandwidth: 50%, mtu: 4224B}\n"),
              AllOf(HasSubstr(":3: class 0: mtu"), HasSubstr("89 credits, 67 more than the general MTU")));
}

TEST(Planner, RefusesARestOfNothing) {
  EXPECT_THAT(PlanRefusal("classes:\n"
                          "  - {name: A, bandwidth: 100%, mtu: 4224B}\n"
                          "  - {name: B, bandwidth: rest, mtu: 4224B}\n"),
              AllOf(HasSubstr("class B wants the rest"), HasSubstr("100%")));
}

TEST(TableOrPlan, AFileOfWishesGivesTheTableThatPlanWrites) {
  const Table planned = LoadTableOrPlan("plans/fabric4.yaml");
  EXPECT_EQ(ToYaml(planned), ToYaml(MakePlan(LoadWishes("plans/fabric4.yaml"), {}).table));
  const TemporaryFile file(ToYaml(planned));
  EXPECT_EQ(ToYaml(LoadTableOrPlan(file.path())), ToYaml(planned));
  const TemporaryFile light("classes: [{name: A, mtu: 9 credits}]\ntable: [{class: A, weight: 8}]\n");
  EXPECT_THAT(Refusal([&] { LoadTableOrPlan(light.path()); }), HasSubstr("1 too few"));
  const TemporaryFile greedy(
      "shared_buffer: 2000 credits\nclasses: [{name: A, mtu: 89 credits, bandwidth: 10%, lossy: on, "
      "buffer: {reserve: 300 credits}}]\n");
  EXPECT_THAT(Refusal([&] { LoadTableOrPlan(greedy.path()); }),
              AllOf(HasSubstr("no table can meet"), HasSubstr("7 more than the 2293")));
}

}  // namespace
}  // namespace tilefly::qos
