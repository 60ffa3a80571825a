// SPDX-License-Identifier: Apache-2.0
// How a rank executes: what begins when, CPUs, matching, waiting.
#include "workload/rank_run.h"

#include <gtest/gtest.h>

#include "testbenches/workload/ideal_network.h"
#include "workload/goal.h"

namespace tilefly::workload {
namespace {

Cycle TimeOf(const std::string& text) {
  const Schedule schedule = ParseGoal(text, "test");
  IdealNetwork network(schedule);
  const Cycle cycles = network.Run();
  EXPECT_TRUE(network.done());
  return cycles;
}

TEST(RankRun, CalcsOfOneCpuRunOneAfterAnother) {
  EXPECT_EQ(TimeOf("num_ranks 1\nrank 0 {\ncalc 100\ncalc 50\ncalc 0\n}\n"), 150);
  EXPECT_EQ(TimeOf("num_ranks 1\nrank 0 {\ncalc 100\ncalc 50 cpu 1\ncalc 70 cpu 1\n}\n"), 120);
}

TEST(RankRun, RequiresWaitsForTheEndIrequiresForTheBeginning) {
  EXPECT_EQ(TimeOf("num_ranks 1\nrank 0 {\na: calc 100\nb: calc 50 cpu 1\nb requires a\n}\n"), 150);
  EXPECT_EQ(TimeOf("num_ranks 1\nrank 0 {\na: calc 100\nb: calc 50 cpu 1\nb irequires a\n}\n"), 100);
  // The calc that b waits for begins behind another.
  EXPECT_EQ(TimeOf("num_ranks 1\nrank 0 {\nx: calc 30\na: calc 100\nb: calc 150 cpu 1\nb irequires a\n}\n"), 180);
}

TEST(RankRun, CalcsTakeWholeCyclesUpwards) {
  EXPECT_EQ(CyclesOf(0, 781'250), 0);
  EXPECT_EQ(CyclesOf(1, 781'250), 1);
  EXPECT_EQ(CyclesOf(128, 781'250), 100);
  EXPECT_EQ(CyclesOf(129, 781'250), 101);
  EXPECT_EQ(CyclesOf(std::int64_t{1} << 50, 1'000'000), std::int64_t{1} << 50);
}

/// Messages of one (source, tag) go to receives in the order in which both were posted, whatever the list says.
TEST(RankRun, MessagesMatchInTheOrderOfPosting) {
  const Schedule schedule = ParseGoal(
      "num_ranks 2\nrank 0 {\ns1: send 8b to 1\ns2: send 8b to 1\n}\n"
      "rank 1 {\nr1: recv 8b from 0\nr2: recv 8b from 0\nc: calc 40\nr1 requires c\n}\n",
      "test");
  const std::vector<RankPlan> plan = MakePlan(schedule);
  JobStatistics statistics(1);
  RankRun receiver(schedule, plan[1], 1, 0, 1'000'000);
  receiver.Run(0, &statistics);
  EXPECT_EQ(receiver.state(1), RankRun::State::kStarted);
  EXPECT_TRUE(receiver.Arrive(plan[0].slot[0], 1, 10));  // the first message: r2 is the first receive posted
  receiver.Run(10, &statistics);
  EXPECT_EQ(receiver.state(1), RankRun::State::kComplete);
  EXPECT_TRUE(receiver.Arrive(plan[0].slot[0] + 1, 1, 20));  // the second waits for its receive
  receiver.Run(20, &statistics);
  EXPECT_EQ(receiver.state(0), RankRun::State::kWaiting);
  EXPECT_EQ(receiver.due(), 40);
  receiver.Run(40, &statistics);
  EXPECT_EQ(receiver.state(0), RankRun::State::kComplete);
  EXPECT_TRUE(receiver.done());
  EXPECT_EQ(statistics.ranks_done, 1);
  EXPECT_EQ(statistics.last, 40);
}

TEST(RankRun, AMessageIsThereWithItsLastPacketInWhateverOrderTheyCome) {
  const Schedule schedule = ParseGoal(
      "num_ranks 2\nrank 0 {\nsend 9000b to 1\nsend 9000b to 1\n}\nrank 1 {\nrecv 9000b from 0\nrecv 9000b from 0\n}\n",
      "test");
  const std::vector<RankPlan> plan = MakePlan(schedule);
  JobStatistics statistics(1);
  RankRun receiver(schedule, plan[1], 1, 0, 1'000'000);
  receiver.Run(0, &statistics);
  EXPECT_FALSE(receiver.Arrive(1, 3, 5));
  EXPECT_FALSE(receiver.Arrive(0, 3, 6));
  EXPECT_FALSE(receiver.Arrive(1, 3, 7));
  EXPECT_EQ(receiver.due(), kNoCycle);
  EXPECT_TRUE(receiver.Arrive(1, 3, 8));
  EXPECT_EQ(receiver.due(), 8);
  receiver.Run(8, &statistics);
  EXPECT_EQ(receiver.state(1), RankRun::State::kComplete);
  EXPECT_EQ(receiver.state(0), RankRun::State::kStarted);
}

TEST(RankRun, ADeadlockLeavesRanksWaiting) {
  const Schedule schedule = ParseGoal(
      "num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\n"
      "rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}\n",
      "test");
  IdealNetwork network(schedule);
  network.Run();
  EXPECT_FALSE(network.done());
  EXPECT_FALSE(network.rank(0).busy());
  EXPECT_EQ(network.rank(0).state(0), RankRun::State::kStarted);
  EXPECT_EQ(network.rank(0).state(1), RankRun::State::kWaiting);
}

}  // namespace
}  // namespace tilefly::workload
