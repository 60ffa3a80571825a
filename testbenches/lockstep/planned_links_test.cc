// SPDX-License-Identifier: Apache-2.0
// Whole runs of golden whose links go down, lose SerDes lanes, and have receivers that say nothing, by a plan
// (docs/blocks/link_retry.md, Fault plan; docs/cosimulation.md, Links with retry).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runs/switch/results.h"
#include "runs/switch/retry_results.h"
#include "testbenches/lockstep/planned_runs.h"

namespace tilefly::bench {
namespace {

using faults::Direction;
using faults::EventKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kPlannedDelay = 9;
constexpr Cycle kPlannedLeast = 2 * kPlannedDelay + 548;  ///< DOWN_MIN

std::uint64_t CounterOf(runs::SwitchRun& run, int port, Counter counter) {
  return run.lockstep().a().Counter(port, static_cast<int>(counter));
}

std::string LineAt(Cycle cycle, const std::string& rest) { return std::to_string(cycle) + " " + rest; }

faults::Plan DownsAt(int down, std::initializer_list<Cycle> cycles) {
  faults::Plan plan;
  plan.retry.down = static_cast<std::uint8_t>(down);
  for (const Cycle at : cycles) plan.events.push_back(EventOf(EventKind::kDown, at, 3, 700));
  return plan;
}

/// A link goes down amid packets, in each mode: the books say which packets are lost, and the counters how many.
TEST(PlannedLinks, LoseWhatTheirBuffersHold) {
  for (const int down : {kModeDiscard, kModeBlock, kModeBestEffort}) {
    for (const char* const kinds : {"fabric", "enhanced", "mixed"}) {
      for (const int lanes : {4, 1}) {
        SCOPED_TRACE(std::string(faults::kDownModes[down]) + ", " + kinds + ", lanes " + std::to_string(lanes));
        runs::RunOptions options = PlannedOptions(DownsAt(down, {1500, 4001, 7013}), kinds);
        options.lanes = lanes;
        options.generator.load = 0.9;
        options.generator.replicated = 0.02;
        options.generator.faults = 0.05;
        runs::SwitchRun run(options);
        const runs::Outcome outcome = run.Run({});
        ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << HistoryOf(outcome);
        const cosim::Books& books = run.scoreboard().books();
        EXPECT_EQ(books.in_flight(), 0);
        EXPECT_GT(books.lost + books.copies_lost, 0);
        EXPECT_EQ(DownsOf(run), 3);
        EXPECT_EQ(CounterOf(run, 3, Counter::kLinkDowns), 3u);
        EXPECT_EQ(CounterOf(run, 3, Counter::kTxLost) > 0, down != kModeBlock);
        EXPECT_EQ(CounterOf(run, 0, Counter::kTxLost) + CounterOf(run, 0, Counter::kReplayLost), 0u);
      }
    }
  }
}

TEST(PlannedLinks, ComeUpWhenTheyMay) {
  faults::Plan plan;
  plan.events = {EventOf(EventKind::kDown, 1000, 1, 10), EventOf(EventKind::kDown, 2000, 2), EventOf(EventKind::kUp, 2100, 2),
                 EventOf(EventKind::kDown, 4000, 2), EventOf(EventKind::kUp, 6000, 2), EventOf(EventKind::kDown, 11'000, 5)};
  runs::SwitchRun run(PlannedOptions(plan));
  const runs::Outcome outcome = run.Run({});
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << HistoryOf(outcome);
  EXPECT_THAT(TimeLineOf(run),
              ElementsAre("1000 p1 both down 10 plan", "1000 p1 both link_down plan", LineAt(1000 + kPlannedLeast, "p1 both link_up plan"),
                          "2000 p2 both down ever plan", "2000 p2 both link_down plan",
                          "2100 p2 both up put off to " + std::to_string(2000 + kPlannedLeast) + " plan",
                          LineAt(2000 + kPlannedLeast, "p2 both link_up plan"), "4000 p2 both down ever plan",
                          "4000 p2 both link_down plan", "6000 p2 both up plan", "6000 p2 both link_up plan",
                          "11000 p5 both down ever plan", "11000 p5 both link_down plan", "12000 p5 both link_up drain"));
}

/// The end that gives its link up sees it down in the next cycle, the other one by the delay later.
TEST(PlannedLinks, AreGivenUpByTheEndWhoseFarEndSaysNothing) {
  for (const bool credits_alone : {false, true}) {
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      SCOPED_TRACE(std::string(credits_alone ? "credits " : "all ") + (direction == Direction::kOut ? "out" : "in"));
      faults::Plan plan;
      plan.retry = PortRetry::Of(1000, 2, 2, kModeDiscard, 60);
      plan.retrain = 2000;
      faults::PlannedEvent stuck = EventOf(EventKind::kStuck, 1000, 2, credits_alone ? 14'000 : 7500, direction);
      stuck.credits_alone = credits_alone;
      plan.events = {stuck};
      runs::RunOptions options = PlannedOptions(plan);
      options.max_cycles = 30'000;
      runs::SwitchRun run(options);
      const runs::Outcome outcome = run.Run({});
      ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << HistoryOf(outcome);
      const cosim::RetryLink& link = *run.endpoints()[2]->retry();
      EXPECT_EQ(link.given_up(), 1);
      const bool by_switch = direction == Direction::kOut;
      EXPECT_EQ(CounterOf(run, 2, Counter::kLinkGivenUp), by_switch ? 1u : 0u);
      EXPECT_EQ(CounterOf(run, 2, Counter::kWatchdog) > 0, by_switch && credits_alone);
      std::vector<cosim::FaultLog::Line> lines;
      for (const cosim::FaultLog::Line& line : run.fault_log().lines()) {
        if (line.cause == std::string("port")) lines.push_back(line);
      }
      ASSERT_EQ(lines.size(), 4u);
      EXPECT_EQ(lines[0].what, "given_up");
      EXPECT_STREQ(lines[0].direction, by_switch ? "out" : "in");
      EXPECT_EQ(lines[0].value, by_switch ? "" : credits_alone ? "watchdog" : "replay limit");
      EXPECT_EQ(lines[1].cycle, lines[0].cycle + 1);
      EXPECT_STREQ(lines[1].direction, by_switch ? "in" : "out") << "the end that sees it first";
      EXPECT_EQ(lines[2].cycle, lines[1].cycle + kPlannedDelay);
      EXPECT_EQ(lines[3].what, "link_up");
      EXPECT_EQ(lines[3].cycle, lines[1].cycle + 2000);
    }
  }
}

/// Each SerDes lane dies in each direction, and is good again an epoch of silence later: no packet is lost.
TEST(PlannedLinks, GoOnWithoutALaneThatDies) {
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    for (int lane = 0; lane < 4; ++lane) {
      SCOPED_TRACE(std::string(direction == Direction::kOut ? "out" : "in") + " lane " + std::to_string(lane));
      faults::Plan plan;
      plan.lanes.back = 1;
      faults::PlannedEvent dies = EventOf(EventKind::kLaneDown, 1000 + 13 * lane, 4, 3000, direction);
      dies.lane = lane;
      plan.events = {dies};
      runs::RunOptions options = PlannedOptions(plan);
      options.max_cycles = 40'000;
      runs::SwitchRun run(options);
      const runs::Outcome outcome = run.Run({});
      ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << HistoryOf(outcome);
      const nlohmann::ordered_json retry = runs::LinkRetryJson(run);
      EXPECT_EQ(retry["lanes_failed"], 1);
      EXPECT_EQ(retry["lanes_back"], 1);
      EXPECT_EQ(retry["link_downs"], 0);
      EXPECT_EQ(retry["lost"], 0);
      EXPECT_EQ(retry["timeouts"], 0);
      const std::vector<std::string> lines = TimeLineOf(run);
      const std::string way = direction == Direction::kOut ? " p4 out lanes " : " p4 in lanes ";
      EXPECT_THAT(lines, Contains(HasSubstr(way + "3 lanes"))) << "three are left";
      EXPECT_THAT(lines, Contains(HasSubstr(way + "4 lanes")));
      EXPECT_EQ(lines.size(), 4u) << ::testing::PrintToString(lines);
    }
  }
}

/// A lane of each direction that dies in one cycle: no mask comes through, so nothing does until the lanes are up again.
TEST(PlannedLinks, CarryNothingWhileALaneOfEachDirectionIsDead) {
  faults::Plan plan;
  faults::PlannedEvent dies = EventOf(EventKind::kLaneDown, 2000, 4, 5000, Direction::kBoth);
  plan.events = {dies};
  runs::SwitchRun run(PlannedOptions(plan));
  const runs::Outcome outcome = run.Run({});
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << HistoryOf(outcome);
  for (const std::string& line : TimeLineOf(run)) {
    EXPECT_TRUE(line.find(" lanes ") == std::string::npos || std::stoi(line) >= 7000) << line;
  }
  EXPECT_GT(runs::LinkRetryJson(run)["timeouts"].get<int>(), 0);
}

/// Writes of RETRY and LANES of the switch: lanes that software takes out of use are left out by the partner.
TEST(PlannedLinks, RegistersAreWrittenWhileTrafficFlows) {
  faults::Plan plan;
  faults::PlannedEvent write = EventOf(EventKind::kTable, 3000, 0);
  write.write = {0, CfgSpace::kPort, static_cast<int>(PortReg::kLanes), 6, PortLanes::Of(8, 16, 0b0011).ToBits()};
  plan.events = {write};
  runs::SwitchRun run(PlannedOptions(plan));
  const runs::Outcome outcome = run.Run({});
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << HistoryOf(outcome);
  const std::vector<std::string> lines = TimeLineOf(run);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "3000 p6  table PORT 10 = 0x31008 plan");
  EXPECT_THAT(lines[1], HasSubstr(" p6 in lanes 2 lanes"));
}

/// --outages takes links with retry down at both ends, one at a time.
TEST(PlannedLinks, GoDownByOutages) {
  runs::RunOptions options = PlannedOptions({});
  options.plan = nullptr;
  options.outages.every = 800;
  options.max_cycles = 30'000;
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << HistoryOf(outcome);
  EXPECT_GT(DownsOf(run), 5);
  EXPECT_EQ(run.links_down(), DownsOf(run));
  EXPECT_GT(run.scoreboard().books().lost, 0);
  EXPECT_THAT(TimeLineOf(run), Contains(HasSubstr("both link_down drawn")));
}

class MixedLinks : public ::testing::TestWithParam<int> {};

/// Every kind of event beside wires that fail, in each mode: nothing is lost but what buffers lost, nothing comes twice.
TEST_P(MixedLinks, LoseNothingElse) {
  const int number = GetParam(), down = number % 3, lanes = 4 - number % 4;
  constexpr const char* kKinds[] = {"fabric", "enhanced", "mixed"};
  const bool full = TierFromEnvironment() == Tier::kFull;
  const Cycle cycles = full ? 200'000 : 25'000;
  const std::uint64_t seed = SeedOf(RootSeed(), CurrentTest());
  const char* const kinds = kKinds[number / 3 % 3];
  const std::uint64_t ports = std::string(kinds) == "mixed" ? 0b00'010'010 : 0b01'010'010;
  runs::RunOptions options = PlannedOptions(MixedPlanOf(seed, ports, down, number % 2 == 0, lanes, cycles), kinds, 1 + 41 * number % 300);
  options.lanes = lanes;
  options.generator.load = 0.3 + 0.1 * (number % 6);
  options.generator.replicated = 0.02;
  options.generator.faults = 0.03;
  options.generator.routed = number % 2 == 0 && down == kModeBlock ? 0.2 : 0;
  options.acks = number % 2 == 0 ? 0.5 : 0;
  options.stalls.share = 0.02;
  options.max_cycles = cycles;
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << HistoryOf(outcome);
  EXPECT_GT(DownsOf(run), 0);
  EXPECT_EQ(run.scoreboard().books().in_flight(), 0);
}

INSTANTIATE_TEST_SUITE_P(Runs, MixedLinks, ::testing::Range(0, 12));

}  // namespace
}  // namespace tilefly::bench
