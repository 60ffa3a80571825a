// SPDX-License-Identifier: Apache-2.0
// Jobs that repeat until the others are done: when they end, and that nothing of it depends on slices, processes or
// checkpoints.
#include <gtest/gtest.h>

#include <deque>

#include "network/wait_report.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/systems.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"
#include "workload/goal.h"

namespace tilefly::network {
namespace {

constexpr Cycle kTail = 2048;

NetworkOptions OptionsOf(workload::Workload workload) {
  NetworkOptions options;
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  UseJobs(std::move(workload), &options);
  return options;
}

NetworkOptions Jobs(const std::string& traffic) {
  return OptionsOf(workload::MakeWorkload(traffic, "", 72, workload::Allocation::kRandom, 3));
}

/// A ping-pong beside each kind of messages.
NetworkOptions Mixed() {
  return Jobs(
      "pingpong:bytes=5000,ranks=4,iterations=6+alltoall:bytes=2000,order=random,ranks=9,iterations=2,repeat=yes+"
      "gather:two-sided,ranks=7,iterations=3,repeat=yes+gather:put,ranks=7,iterations=5,repeat=yes+"
      "broadcast:get,ranks=7,iterations=3,repeat=yes");
}

TEST(RepeatJobs, EndTwoThousandCyclesAfterTheOthers) {
  const NetworkOptions options = Mixed();
  Network network(Dragonfly(), options);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  const Statistics& statistics = network.statistics();
  EXPECT_EQ(statistics.jobs[0].ranks_done, 4);
  EXPECT_EQ(network.nics().end, statistics.jobs[0].last + kTail);
  EXPECT_EQ(statistics.in_flight(), 0);
  EXPECT_EQ(statistics.background_inside, 0);
  EXPECT_EQ(statistics.background.sent, 0) << "a background is synthetic traffic";
  for (int job = 1; job < 5; ++job) {
    std::int64_t sends = 0;
    for (const workload::Rank& rank : options.hosts.workload->jobs[job].schedule.ranks) {
      for (const workload::Operation& one : rank.operations) sends += one.kind == workload::Kind::kSend;
    }
    EXPECT_GT(statistics.jobs[job].messages, 2 * sends) << job;
    EXPECT_EQ(statistics.jobs[job].ranks_done, 0);
  }
}

/// The victims wait for links that the others fill.
TEST(RepeatJobs, SendUntilTheEnd) {
  const auto time = [](const std::string& beside) {
    Network network(Dragonfly(), Jobs("ring:bytes=4096,ranks=12,iterations=20" + beside));
    EXPECT_EQ(network.Run(), Ending::kDrained);
    return network.statistics().jobs[0].rank_iteration.Mean();
  };
  EXPECT_GT(time("+gather:put,ranks=60,iterations=8,repeat=yes"), 2 * time(""));
}

std::string TextOn(int size, const NetworkOptions& options) {
  std::string text;
  OnThreads(size, [&](Processes& processes) {
    Network network(Dragonfly(), options, &processes);
    const Ending ending = network.Run();
    const Figures figures(network);
    if (processes.first()) text = fmt::format("end {}\n", network.nics().end) + Text(network, ending, figures);
  });
  return text;
}

TEST(RepeatJobs, AreTheSameForAllLookaheadsAndProcesses) {
  NetworkOptions options = Mixed();
  const std::string one = TextOn(1, options);
  EXPECT_NE(one.find("ending 0 "), std::string::npos) << one.substr(0, 200);
  for (const int size : {2, 5}) EXPECT_EQ(TextOn(size, options), one) << size;
  options.lookahead = 7;
  options.order = 2;
  EXPECT_EQ(TextOn(1, options), one);
  EXPECT_EQ(TextOn(3, options), one);
  options.whole = true;
  options.lookahead = 0;
  EXPECT_EQ(TextOn(1, options), one) << "one domain";
}

TEST(RepeatJobs, GoOnFromACheckpoint) {
  const NetworkOptions options = Mixed();
  Network whole(Dragonfly(), options);
  const Ending ending = whole.Run();
  const std::string text = Text(whole, ending, Figures(whole));
  const Cycle last = whole.statistics().jobs[0].last - whole.nics().begin;
  for (const Cycle at : {Cycle{2500}, last - 1000, last + kTail + 200}) {
    std::deque<SavedBytes> pieces;
    Network first(Dragonfly(), options);
    ASSERT_FALSE(first.RunTo(first.nics().begin + at).has_value());
    first.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
    Network second(Dragonfly(), options);
    second.Load([&] {
      SavedBytes piece = std::move(pieces.front());
      pieces.pop_front();
      return piece;
    });
    const Ending end = second.Run();
    EXPECT_EQ(Text(second, end, Figures(second)), text) << at;
  }
}

/// Two ranks, each of which waits for the other, beside an all-to-all that would go on for ever.
TEST(RepeatJobs, EndWithJobsThatWaitForEver) {
  workload::Workload workload = workload::MakeWorkload("pingpong:ranks=2,at=0/1+alltoall:ranks=8,repeat=yes", "", 72,
                                                       workload::Allocation::kLinear, 3);
  workload.jobs[0].schedule = workload::ParseGoal(
      "num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\n"
      "rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}\n",
      "test.goal");
  workload.jobs[0].plan = workload::MakePlan(workload.jobs[0].schedule);
  NetworkOptions options = OptionsOf(std::move(workload));
  options.stall_cycles = 3000;
  Network network(Dragonfly(), options);
  EXPECT_EQ(network.Run(), Ending::kWaiting);
  EXPECT_TRUE(network.jobs_stood_still());
  EXPECT_EQ(network.statistics().in_flight(), 0);
  EXPECT_LT(network.cycle() - network.nics().begin, 20000);
  const WaitReport report(network);
  EXPECT_EQ(report.cycle.size(), 2u);
  EXPECT_EQ(report.ranks, 2) << "those that repeat wait for nothing";
}

}  // namespace
}  // namespace tilefly::network
