// SPDX-License-Identifier: Apache-2.0
// The switch in RTL and golden: equal in every cycle at every port, in every situation. Runs of 8 and of 64 ports are
// dealt over the scenarios, every other one with random stalls; each says which functional bins it fills and how busy
// its links are at least. TILEFLY_TIER=quick|ci|full says how much.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "runs/switch/everything.h"
#include "runs/switch/switch_run.h"
#include "testbenches/bench/edges.h"
#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/scenarios.h"

namespace tilefly::cosim {
namespace {

constexpr int kRuns = 20;  // seeds at each size
constexpr int kEdges = static_cast<int>(bench::kEdgesOfTime.size());
constexpr Cycle kEnoughForBins = 20000;

/// Runs of a size in a tier.
struct Amount {
  int runs;
  Cycle cycles;
};

Amount SmallRuns() {
  switch (bench::TierFromEnvironment()) {
    case bench::Tier::kFull:
      return {kRuns, 2000000};
    case bench::Tier::kCi:
      return {kRuns, 20000};
    default:
      return {kRuns, 2000};
  }
}

Amount LargeRuns() {
  switch (bench::TierFromEnvironment()) {
    case bench::Tier::kFull:
      return {kRuns, 200000};
    case bench::Tier::kCi:
      return {2, 10000};
    default:
      return {2, 1500};
  }
}

/// Run `number` of 8 ports. 16 scenarios: the runs beyond take the first ones again, then with stalls.
const Scenario& SmallScenario(int number) { return Scenarios()[static_cast<std::size_t>(number) % Scenarios().size()]; }
/// Run `number` of 64 ports: ports and loads of all kinds among the first.
const Scenario& LargeScenario(int number) { return SmallScenario(3 * number); }

std::unique_ptr<runs::SwitchRun> MakeRun(const Scenario& scenario, const Profile& profile, int number, Cycle cycles) {
  const std::uint32_t seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  runs::RunOptions options = OptionsOf(scenario, profile, seed, cycles);
  if (number % 2 == 1 && options.stalls.share == 0) options.stalls.share = 0.02;
  if (number % 6 == 2) options.device.shuffle = static_cast<int>(seed >> 1 | 1);
  if (number % 6 == 3) options.device.random_reset = static_cast<int>(seed & 0xffff) + 1;  // a missing reset would show
  if (number % 6 == 4) options.device.evaluate_all = true;  // quiescent tiles too (TILE-2)
  if (number % 6 == 5) options.device.two_threads = true;
  // A share of the runs crosses the edges of time.
  if (number % 4 == 1) options.device.first_cycle = bench::FirstCycle({0, kEdges - number / 4 % kEdges});
  return std::make_unique<runs::SwitchRun>(options);
}

/// Share of link words that must have carried something. In a long run what goes to hot outputs throttles everything else.
double LeastBusy(const runs::SwitchRun& run, const Scenario& scenario) {
  constexpr Cycle kBuffersAreFull = 100000;
  if (scenario.hot_outputs == 0 || run.options().max_cycles < kBuffersAreFull) return scenario.busy;
  return std::min(scenario.busy, 0.8 * scenario.hot_outputs / run.options().profile->ports);
}

void ExpectEqual(runs::SwitchRun& run, const Scenario& scenario) {
  const runs::Outcome outcome = run.Run({});
  std::string history;
  for (const std::string& event : outcome.history) history += "\n  " + event;
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass)
      << scenario.name << ", seed " << run.options().seed << ": " << outcome.message << history;
  const Profile& profile = *run.options().profile;
  EXPECT_EQ(run.lockstep().compared(), run.lockstep().cycle() * profile.ports);
  EXPECT_GE(static_cast<double>(run.lockstep().compared_busy()),
            LeastBusy(run, scenario) * static_cast<double>(run.options().max_cycles * profile.ports))
      << scenario.name << ": hardly anything was on the links";
  for (const auto& [bin, count] : run.bins().Entries()) ::testing::Test::RecordProperty(bin, std::to_string(count));
  if (run.options().max_cycles < kEnoughForBins) return;
  for (const std::string& bin : scenario.reaches)
    EXPECT_GT(run.bins().Get(bin), 0) << scenario.name << " never reached " << bin;
}

class EightPorts : public ::testing::TestWithParam<int> {};

TEST_P(EightPorts, RtlAndGoldenAreEqual) {
  const Scenario& scenario = SmallScenario(GetParam());
  ExpectEqual(*MakeRun(scenario, kTile8, GetParam(), SmallRuns().cycles), scenario);
}

INSTANTIATE_TEST_SUITE_P(Runs, EightPorts, ::testing::Range(0, kRuns));

class SixtyFourPorts : public ::testing::TestWithParam<int> {};

TEST_P(SixtyFourPorts, RtlAndGoldenAreEqual) {
  const Amount amount = LargeRuns();
  if (GetParam() >= amount.runs) GTEST_SKIP() << "this tier has the first " << amount.runs << " runs";
  const Scenario& scenario = LargeScenario(GetParam());
  ExpectEqual(*MakeRun(scenario, kRosetta64, GetParam(), amount.cycles), scenario);
}

INSTANTIATE_TEST_SUITE_P(Runs, SixtyFourPorts, ::testing::Range(0, kRuns));

/// Runs with edge ports: acks are made, passed on, come back, and have no way. Those of ports with flow channels are
/// marked, or not.
class Acks : public ::testing::TestWithParam<int> {
 protected:
  void ExpectEqualWithAcks(const Profile& profile, Cycle cycles) {
    const Scenario& scenario = AckScenarios()[static_cast<std::size_t>(GetParam())];
    constexpr int kVariants[] = {2, 3, 4, 1, 6, 3, 5};  // of MakeRun: order, reset, quiescence, stalls, as it is, threads
    const auto run = MakeRun(scenario, profile, kVariants[GetParam()], cycles);
    ExpectEqual(*run, scenario);
    std::int64_t sent = 0, received = 0, marked = 0;
    for (const auto& endpoint : run->endpoints()) {
      sent += endpoint->acks().sent();
      received += endpoint->acks().received();
      marked += endpoint->acks().marked();
    }
    EXPECT_GT(sent, cycles / 100) << scenario.name;
    EXPECT_GT(received, cycles / 100) << scenario.name;
    const auto sum_of = [&](Counter counter) {
      std::uint64_t sum = 0;
      for (int port = 0; port < profile.ports; ++port) sum += run->lockstep().a().Counter(port, static_cast<int>(counter));
      return sum;
    };
    const std::uint64_t made = sum_of(Counter::kAcksMade), marks = sum_of(Counter::kMarksMade);
    EXPECT_GT(made, static_cast<std::uint64_t>(cycles) / 100) << scenario.name << ": ACKS_MADE";
    EXPECT_GT(sum_of(Counter::kAcksIn), static_cast<std::uint64_t>(cycles) / 100) << scenario.name << ": ACKS_IN";
    if (scenario.flows == 0) EXPECT_EQ(marks, 0u) << scenario.name << ": MARKS_MADE";
    if (scenario.flows < 1 || cycles < kEnoughForBins) return;  // a share may draw ports at which nothing waits
    EXPECT_GT(marks, 10u) << scenario.name << ": MARKS_MADE";
    EXPECT_GT(made - marks, 100u) << scenario.name << ": acks without a mark";
    EXPECT_GT(marked, 10) << scenario.name << ": marked acks on links";
  }
};

TEST_P(Acks, RtlAndGoldenAreEqualWith8Ports) { ExpectEqualWithAcks(kTile8, SmallRuns().cycles); }

TEST_P(Acks, RtlAndGoldenAreEqualWith64Ports) {
  const Amount amount = LargeRuns();
  if (GetParam() >= amount.runs) GTEST_SKIP() << "this tier has the first " << amount.runs << " runs";
  ExpectEqualWithAcks(kRosetta64, amount.cycles);
}

INSTANTIATE_TEST_SUITE_P(Runs, Acks, ::testing::Range(0, static_cast<int>(AckScenarios().size())));

/// Run `number` of a switch that reduces. In the full tier the 20 seeds are all beside full load and stalls, and further runs
/// are as their scenarios say; other tiers have the latter only.
Scenario ReductionScenario(int number) {
  const auto& scenarios = ReductionScenarios();
  Scenario scenario = scenarios[static_cast<std::size_t>(number) % scenarios.size()];
  if (bench::TierFromEnvironment() == bench::Tier::kFull && number < kRuns) {
    scenario.load = 1;
    scenario.stalls = std::max(scenario.stalls, 0.02);
  }
  return scenario;
}

/// Trees lock, stream, combine short vectors and fail beside other traffic.
class ReductionRuns : public ::testing::TestWithParam<int> {
 protected:
  void ExpectEqualWithReductions(const Profile& profile, Cycle cycles) {
    const Scenario scenario = ReductionScenario(GetParam());
    const auto run = MakeRun(scenario, profile, GetParam() / 2, cycles);
    ExpectEqual(*run, scenario);
    EXPECT_GT(run->reductions()->episodes(), cycles / 20000) << scenario.name;
    if (scenario.mishaps > 0.5 && cycles >= kEnoughForBins) EXPECT_GT(run->reductions()->failures(), 0) << scenario.name;
    if (cycles >= 2 * kEnoughForBins) EXPECT_GT(run->reductions()->link_failures(), 0) << scenario.name;
  }
};

TEST_P(ReductionRuns, RtlAndGoldenAreEqualWith8Ports) {
  constexpr Cycle kTreesAreAtWork = 10'000;  // before, they are hardly locked
  if (bench::TierFromEnvironment() != bench::Tier::kFull && GetParam() >= kRuns) GTEST_SKIP() << "the same as before";
  const Cycle cycles = bench::TierFromEnvironment() == bench::Tier::kFull ? 200'000 : SmallRuns().cycles;
  ExpectEqualWithReductions(kTile8, std::max(cycles, kTreesAreAtWork));
}

TEST_P(ReductionRuns, RtlAndGoldenAreEqualWith64Ports) {
  const bool full = bench::TierFromEnvironment() == bench::Tier::kFull;
  if (!full && GetParam() >= 2) GTEST_SKIP() << "this tier has the first 2 runs";
  ExpectEqualWithReductions(kRosetta64, full ? 50'000 : 3000);
}

INSTANTIATE_TEST_SUITE_P(Runs, ReductionRuns, ::testing::Range(0, kRuns + static_cast<int>(ReductionScenarios().size())));

/// What `--traffic everything` draws of a seed.
class EverythingRuns : public ::testing::TestWithParam<int> {};

TEST_P(EverythingRuns, RtlAndGoldenAreEqualWith8Ports) {
  const bool full = bench::TierFromEnvironment() == bench::Tier::kFull;
  if (!full && GetParam() >= 4) GTEST_SKIP() << "this tier has the first 4 seeds";
  runs::Settings settings;
  settings.Set("profile", "tile8", "test");
  settings.Set("traffic.pattern", "everything", "test");
  settings.Set("max_cycles", full ? "100000" : "5000", "test");
  const bool properties = GetParam() % 2 == 1;  // lossy classes, MTUs, maximums, groups; their lanes leave no reductions
  if (properties) settings.Set("qos.file", "testbenches/lockstep/classes.yaml", "test");
  settings.Resolve();
  const std::uint32_t seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  const runs::Settings drawn = runs::DrawEverything(settings, seed);
  runs::SwitchRun run(drawn.ToRunOptions());
  const runs::Outcome outcome = run.Run({});
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass)
      << "seed " << seed << ' ' << runs::DrawnOptions(drawn) << ": " << outcome.message;
  EXPECT_EQ(run.lockstep().compared(), run.lockstep().cycle() * kTile8.ports);
  EXPECT_GT(run.lockstep().compared_busy(), run.options().max_cycles * kTile8.ports / 50);
}

INSTANTIATE_TEST_SUITE_P(Runs, EverythingRuns, ::testing::Range(0, kRuns));

/// The bins that the 20 runs of each size insist on are all that there are, but one that has a test of its own.
TEST(Scenarios, TheRunsOfEachSizeDemandEveryFunctionalBin) {
  for (const auto scenario_of : {&SmallScenario, &LargeScenario}) {
    std::set<std::string> demanded = {"credit_wrap"};
    for (int number = 0; number < kRuns; ++number) {
      const std::vector<std::string>& reaches = scenario_of(number).reaches;
      demanded.insert(reaches.begin(), reaches.end());
    }
    for (const Scenario& scenario : ReductionScenarios()) demanded.insert(scenario.reaches.begin(), scenario.reaches.end());
    std::set<std::string> all;
    for (const auto& [bin, count] : Bins(kTile8).Entries()) all.insert(bin);
    EXPECT_EQ(demanded, all);
  }
}

/// 65536 cells on one lane take about 98,000 cycles.
void ExpectCreditCountersWrap(const Profile& profile) {
  Scenario scenario = Scenarios()[2];
  scenario.ports = "enhanced";
  scenario.size = "4224";
  scenario.classes = "0";
  scenario.reaches = {"credit_wrap"};
  ExpectEqual(*MakeRun(scenario, profile, 0, 105000), scenario);
}

TEST(Credits, CountersWrap) { ExpectCreditCountersWrap(kTile8); }

TEST(Credits, CountersWrapAtSixtyFourPorts) {
  if (bench::TierFromEnvironment() != bench::Tier::kFull) GTEST_SKIP() << "105,000 cycles: in the full tier";
  ExpectCreditCountersWrap(kRosetta64);
}

}  // namespace
}  // namespace tilefly::cosim
