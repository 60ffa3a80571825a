// SPDX-License-Identifier: Apache-2.0
// Class isolation in golden alone, over more cycles than lockstep has (docs/blocks/scheduler.md, Isolation).
#include <gtest/gtest.h>

#include <utility>

#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/isolation.h"

namespace tilefly::cosim {
namespace {

constexpr int kClasses = 7;

Cycle Cycles() { return bench::TierFromEnvironment() == bench::Tier::kFull ? 300000 : 20000; }

/// NC, CL and BK are in every tier: the first, the heaviest, the last.
class GoldenIsolation : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (bench::TierFromEnvironment() == bench::Tier::kQuick && GetParam() % 3 != 0)
      GTEST_SKIP() << "other tiers have this class";
  }
};

TEST_P(GoldenIsolation, OthersAddAtMostTheBoundAndReachMostOfIt) {
  const Isolation isolation{&kRosetta64, "plans/study7.yaml", GetParam()};
  const Isolated found = Isolate(isolation, {"golden"}, Cycles());
  ASSERT_EQ(found.failure, "");
  EXPECT_GE(found.full, 0.98) << "the hot outputs were not kept busy";
  EXPECT_LE(found.added, found.bound);
  EXPECT_GE(static_cast<double>(found.added), 0.8 * static_cast<double>(found.bound));
}

/// The links are not full then: every change of class changes the channel's owner.
TEST_P(GoldenIsolation, HoldsThoughAllShareAChannel) {
  Isolation isolation{&kRosetta64, "plans/study7.yaml", GetParam()};
  isolation.one_row = true;
  const Isolated found = Isolate(isolation, {"golden"}, Cycles());
  ASSERT_EQ(found.failure, "");
  EXPECT_LE(found.added, found.bound + found.idle);
}

INSTANTIATE_TEST_SUITE_P(Classes, GoldenIsolation, ::testing::Range(0, kClasses));

/// The bound is the Deficit Table's doing: other schedulers break it, and a class that offers more than its share waits
/// for itself.
TEST(GoldenIsolation, IsWhatOtherSchedulersDoNotGive) {
  const Isolation control{&kRosetta64, "plans/study7.yaml", 0};
  for (const auto kind : {golden::SchedulerKind::kRoundRobin, golden::SchedulerKind::kStrictPriority,
                          golden::SchedulerKind::kDeficitRoundRobin}) {
    const Isolated found = Isolate(control, {"golden"}, 8000, kind);
    ASSERT_EQ(found.failure, "");
    EXPECT_GT(found.added, found.bound) << golden::NameOf({kind});
  }
  Isolation greedy = control;
  greedy.load = 1.5;
  EXPECT_GT(Isolate(greedy, {"golden"}, 8000).added, Isolate(greedy, {"golden"}, 8000).bound);
}

}  // namespace
}  // namespace tilefly::cosim
