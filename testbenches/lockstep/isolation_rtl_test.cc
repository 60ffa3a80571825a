// SPDX-License-Identifier: Apache-2.0
// Class isolation at 64 ports, RTL and golden in lockstep (docs/blocks/scheduler.md, Isolation).
#include <gtest/gtest.h>

#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/isolation.h"

namespace tilefly::cosim {
namespace {

class IsolationAtSixtyFourPorts : public ::testing::TestWithParam<int> {};

TEST_P(IsolationAtSixtyFourPorts, OthersAddAtMostTheBound) {
  const bench::Tier tier = bench::TierFromEnvironment();
  const bool in_ci = GetParam() % 3 == 0;  // NC, CL and BK: the first, the heaviest, the last
  if (tier == bench::Tier::kQuick ? GetParam() != 0 : tier == bench::Tier::kCi && !in_ci)
    GTEST_SKIP() << "another tier has this class";
  const Cycle cycles = tier == bench::Tier::kFull ? 50000 : tier == bench::Tier::kCi ? 8000 : 2500;
  const Isolation isolation{&kRosetta64, "plans/study7.yaml", GetParam()};
  const Isolated found = Isolate(isolation, {"rtl", "golden"}, cycles);
  ASSERT_EQ(found.failure, "");
  EXPECT_GT(found.victims, 0);
  EXPECT_GE(found.full, tier == bench::Tier::kQuick ? 0.9 : 0.97) << "the hot outputs were not kept busy";
  EXPECT_GT(found.added, 0);
  EXPECT_LE(found.added, found.bound);
}

INSTANTIATE_TEST_SUITE_P(Classes, IsolationAtSixtyFourPorts, ::testing::Range(0, 7));

}  // namespace
}  // namespace tilefly::cosim
