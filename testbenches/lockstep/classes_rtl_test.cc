// SPDX-License-Identifier: Apache-2.0
// Seven classes through RTL and golden, equal in every cycle, while tables, groups and maximums are rewritten.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "qos/planner.h"
#include "runs/switch/switch_run.h"
#include "testbenches/bench/settings.h"

namespace tilefly::cosim {
namespace {

constexpr int kSeeds = 20;
constexpr const char* kStudy = "plans/study7.yaml";
constexpr const char* kEverything = "testbenches/lockstep/classes.yaml";

/// A load that a seed runs.
struct Load {
  const char* plan;
  const char* ports;
  const char* traffic;
  const char* size;
  double load;
  double stalls;
};

constexpr Load kLoads[] = {{kStudy, "fabric", "uniform", "48,80,1520", 1, 0},
                           {kEverything, "mixed", "hotspot:1,6:0.6", "64,300,4224", 0.9, 0.02},
                           {kStudy, "enhanced", "permutation:tornado", "64,752,1520", 1, 0.1},
                           {kEverything, "fabric", "hotspot:2:0.5", "64,1024,4224", 1, 0},
                           {kStudy, "fabric", "hotspot:3,4,5:0.7", "32,80,1520", 1, 0.05}};

/// The same classes with other weights; every other time one of them is put above the others.
std::vector<runs::Rewrite> Rewrites(const ClassSetup& classes, const Profile& profile, int lanes, Cycle cycles,
                                    Cycle every) {
  qos::Table other = classes.table();
  std::reverse(other.entries.begin(), other.entries.end());
  qos::TrafficClass& first = other.classes.front();
  first.group = 3;
  first.maximum = qos::Maximum{qos::kWhole / 8, 3 * first.mtu};
  const std::vector<Cfg> writes[] = {ClassSetup(other, classes.file(), profile, lanes).SchedulerWrites(),
                                     classes.SchedulerWrites()};
  std::vector<runs::Rewrite> rewrites;
  for (Cycle at = every; at < cycles; at += every) rewrites.push_back({at, writes[rewrites.size() % 2]});
  return rewrites;
}

void ExpectEqual(const Profile& profile, int number, Cycle cycles) {
  const Load& load = kLoads[number % std::size(kLoads)];
  runs::RunOptions options;
  options.profile = &profile;
  options.kinds = runs::ParsePortKinds(load.ports, profile.ports);
  options.classes.emplace(load.plan, profile, options.lanes);
  options.generator.classes = "table";
  options.generator.traffic = load.traffic;
  options.generator.size = load.size;
  options.generator.load = load.load;
  options.stalls.share = load.stalls;
  options.seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  options.max_cycles = cycles;
  options.rewrites = Rewrites(*options.classes, profile, options.lanes, cycles, std::max<Cycle>(cycles / 20, 150));
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  std::string history;
  for (const std::string& event : outcome.history) history += "\n  " + event;
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass)
      << load.plan << ", seed " << options.seed << ": " << outcome.message << history;
  EXPECT_EQ(run.lockstep().compared(), run.lockstep().cycle() * profile.ports);
  EXPECT_GT(run.lockstep().compared_busy(), cycles * profile.ports / 20);
  for (const qos::TrafficClass& one : options.classes->table().classes) {
    const ClassStatistics& books = run.scoreboard().class_statistics()[static_cast<std::size_t>(one.level)];
    EXPECT_GT(books.delivered, 0) << one.name;
    EXPECT_TRUE(one.lossy || books.dropped == 0) << one.name << " lost " << books.dropped;
  }
}

Cycle Cycles(Cycle quick, Cycle ci) {
  switch (bench::TierFromEnvironment()) {
    case bench::Tier::kFull:
      return 50000;
    case bench::Tier::kCi:
      return ci;
    default:
      return quick;
  }
}

class SevenClassesAtEightPorts : public ::testing::TestWithParam<int> {};

TEST_P(SevenClassesAtEightPorts, AreEqualWhileTheirRegistersChange) {
  ExpectEqual(kTile8, GetParam(), Cycles(4000, 20000));
}

INSTANTIATE_TEST_SUITE_P(Seeds, SevenClassesAtEightPorts, ::testing::Range(0, kSeeds));

class SevenClassesAtSixtyFourPorts : public ::testing::TestWithParam<int> {};

TEST_P(SevenClassesAtSixtyFourPorts, AreEqualWhileTheirRegistersChange) {
  const bench::Tier tier = bench::TierFromEnvironment();
  if (GetParam() >= (tier == bench::Tier::kFull ? kSeeds : tier == bench::Tier::kCi ? 2 : 1))
    GTEST_SKIP() << "in the full tier";
  ExpectEqual(kRosetta64, GetParam(), Cycles(1500, 4000));
}

INSTANTIATE_TEST_SUITE_P(Seeds, SevenClassesAtSixtyFourPorts, ::testing::Range(0, kSeeds));

}  // namespace
}  // namespace tilefly::cosim
