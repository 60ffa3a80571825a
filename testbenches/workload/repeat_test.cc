// SPDX-License-Identifier: Apache-2.0
// Ranks of jobs that repeat, and the times of iterations at a rank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.h"
#include "testbenches/workload/ideal_network.h"
#include "workload/goal.h"
#include "workload/jobs.h"

namespace tilefly::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

Schedule Repeating(const std::string& text) {
  Schedule schedule = ParseGoal(text, "test");
  schedule.repeats = true;
  return schedule;
}

TEST(Repeat, ARankBeginsAnewInTheCycleAfterItsLastCompletion) {
  const Schedule schedule = Repeating("num_ranks 1\nrank 0 {\na: calc 100\nb: calc 50\nb requires a\n}\n");
  const std::vector<RankPlan> plan = MakePlan(schedule);
  JobStatistics statistics(1);
  RankRun rank(schedule, plan[0], 0, 0, 1'000'000);
  for (const Cycle due : {0, 100, 150, 151, 251, 301, 302}) {
    ASSERT_EQ(rank.due(), due);
    rank.Run(due, &statistics);
    EXPECT_FALSE(rank.done());
  }
  EXPECT_EQ(statistics.ranks_done, 0);
  EXPECT_EQ(statistics.phase_done[0], 2) << "of the first repetition";
  EXPECT_EQ(statistics.phase_end[0], 150);
  EXPECT_EQ(statistics.last, -1);
}

TEST(Repeat, NoRepetitionBeginsAfterItsTime) {
  Schedule schedule = Repeating("num_ranks 1\nrank 0 {\ncalc 100\n}\n");
  schedule.repeats_ns = 202;
  const std::vector<RankPlan> plan = MakePlan(schedule);
  JobStatistics statistics(1);
  RankRun rank(schedule, plan[0], 0, 5, 1'000'000);
  for (const Cycle due : {5, 105, 106, 206, 207}) {
    ASSERT_EQ(rank.due(), due);
    rank.Run(due, &statistics);
  }
  ASSERT_EQ(rank.due(), 307);
  rank.Run(307, &statistics);
  EXPECT_EQ(rank.due(), kNoCycle);
  EXPECT_EQ(statistics.ranks_done, 0);
}

TEST(Repeat, ARankWithoutOperationsDoesNothing) {
  const Schedule schedule = Repeating("num_ranks 2\nrank 0 {\ncalc 5\n}\nrank 1 {\n}\n");
  const std::vector<RankPlan> plan = MakePlan(schedule);
  JobStatistics statistics(1);
  RankRun rank(schedule, plan[1], 1, 0, 1'000'000);
  rank.Run(0, &statistics);
  EXPECT_EQ(rank.due(), kNoCycle);
  EXPECT_EQ(statistics.ranks_done, 0);
}

/// A sender may be repetitions ahead: each receive takes one of the messages that are there.
TEST(Repeat, MessagesThatComeEarlyWaitForTheirRepetition) {
  const Schedule schedule = Repeating(
      "num_ranks 2\nrank 0 {\nsend 9000b to 1\n}\nrank 1 {\nc: calc 40\nr: recv 9000b from 0\nr requires c\n}\n");
  const std::vector<RankPlan> plan = MakePlan(schedule);
  JobStatistics statistics(1);
  RankRun receiver(schedule, plan[1], 1, 0, 1'000'000);
  receiver.Run(0, &statistics);
  for (const Cycle last : {12, 22}) {
    EXPECT_FALSE(receiver.Arrive(0, 3, last - 2));
    EXPECT_FALSE(receiver.Arrive(0, 3, last - 1));
    EXPECT_TRUE(receiver.Arrive(0, 3, last));
    receiver.Run(last, &statistics);
  }
  EXPECT_FALSE(receiver.Arrive(0, 3, 30)) << "a part of a third";
  receiver.Run(40, &statistics);
  EXPECT_EQ(receiver.due(), 41) << "the first message was there";
  receiver.Run(41, &statistics);
  receiver.Run(81, &statistics);
  EXPECT_EQ(receiver.due(), 82) << "the second too";
  receiver.Run(82, &statistics);
  receiver.Run(122, &statistics);
  EXPECT_EQ(receiver.state(1), RankRun::State::kStarted);
  EXPECT_FALSE(receiver.Arrive(0, 3, 130));
  EXPECT_TRUE(receiver.Arrive(0, 3, 131));
  receiver.Run(131, &statistics);
  EXPECT_EQ(receiver.due(), 132);
}

TEST(Repeat, AJobThatDoesNotRepeatGetsEachMessageOnce) {
  const Schedule schedule = ParseGoal("num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\n", "test");
  const std::vector<RankPlan> plan = MakePlan(schedule);
  RankRun receiver(schedule, plan[1], 1, 0, 1'000'000);
  EXPECT_TRUE(receiver.Arrive(0, 1, 5));
  EXPECT_THROW(receiver.Arrive(0, 1, 6), std::logic_error);
}

std::string RefusalOf(const std::string& traffic, const std::string& only = "") {
  try {
    Workload workload = MakeWorkload(traffic, "", 16, Allocation::kLinear, 1);
    if (!only.empty()) RunOnly(only, &workload);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Repeat, SomeJobEnds) {
  const std::string pair = "pingpong:ranks=2+gather:put,ranks=4,repeat=yes";
  EXPECT_EQ(RefusalOf(pair), "");
  EXPECT_THAT(RefusalOf("gather:put,repeat=yes"), HasSubstr("all jobs repeat"));
  EXPECT_THAT(RefusalOf(pair, "1"), HasSubstr("--only 1: all jobs repeat"));
  EXPECT_EQ(RefusalOf(pair, "0"), "");
  EXPECT_THAT(RefusalOf("pingpong:ranks=2+barrier:sharp,ranks=4,repeat=yes"), HasSubstr("do not repeat"));
  EXPECT_THAT(RefusalOf("pingpong:ranks=2,repeat=maybe"), HasSubstr("repeat: yes, no or a time: 'maybe'"));
  EXPECT_EQ(RefusalOf("pingpong:ranks=2+gather:put,ranks=4,repeat=1.5us"), "");
  const Workload workload = MakeWorkload(pair, "", 16, Allocation::kLinear, 1);
  EXPECT_TRUE(workload.Repeats());
  EXPECT_EQ(workload.RanksThatEnd(), 2);
  Workload alone = workload;
  RunOnly("0", &alone);
  EXPECT_FALSE(alone.Repeats()) << "an idle job does nothing, once";
}

/// Operations of a later iteration that end first take no time of their own; an iteration without operations is none.
TEST(RankIterations, EndInTheirOrder) {
  Schedule schedule = ParseGoal(
      "num_ranks 1\nrank 0 {\na: calc 10\nb: calc 70 cpu 1\nc: calc 30 cpu 2\nd: calc 100 cpu 3\n}\n", "test");
  schedule.phases = 5;
  std::vector<Operation>& operations = schedule.ranks[0].operations;
  for (const auto& [operation, phase] : {std::pair{0, 0}, {1, 1}, {2, 2}, {3, 4}}) operations[operation].phase = phase;
  IdealNetwork network(schedule);
  network.Run();
  EXPECT_THAT(network.statistics.rank_iteration.Entries(),
              ElementsAre(Pair(0, 1), Pair(10, 1), Pair(30, 1), Pair(60, 1)));
}

/// The iterations of a rank fill its time up to its last completion.
TEST(RankIterations, AreAllOfEachRank) {
  for (const char* text : {"ring:order=random,ranks=5,iterations=6", "gather:two-sided,ranks=4,iterations=9",
                           "allreduce:rabenseifner,bytes=8,ranks=7,iterations=3"}) {
    const Workload workload = MakeWorkload(text, "", 8, Allocation::kLinear, 1);
    const Schedule& schedule = workload.jobs[0].schedule;
    IdealNetwork network(schedule);
    const Cycle end = network.Run();
    const LatencyHistogram& times = network.statistics.rank_iteration;
    const auto ranks = static_cast<std::int64_t>(schedule.ranks.size());
    EXPECT_EQ(times.count(), ranks * schedule.phases) << text;
    const double sum = times.Mean() * static_cast<double>(times.count());
    EXPECT_LE(sum, static_cast<double>(ranks * end)) << text;
    EXPECT_GT(sum, 0.5 * static_cast<double>(ranks * end)) << text;
  }
}

}  // namespace
}  // namespace tilefly::workload
