// SPDX-License-Identifier: Apache-2.0
// Jobs that reduce in the switches: times of quiet trees, right results, locks, failures, and the same whatever the
// order in which nodes are visited.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "network/reduction_check.h"
#include "network/wait_report.h"
#include "support/errors.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/systems.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using workload::Allocation;
using workload::JobStatistics;

constexpr Cycle kTerminal = 210;
constexpr const char* kDragonfly = "dragonfly:p=2,a=4,h=2";

NetworkOptions Jobs(const std::string& traffic, const topology::Topology& topology,
                    Allocation allocation = Allocation::kLinear) {
  NetworkOptions options;
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  UseJobs(workload::MakeWorkload(traffic, "", static_cast<int>(topology.endpoints.size()), allocation, 3), &options);
  return options;
}

/// Runs to the end, where all is as at the start.
std::vector<JobStatistics> RunOf(const topology::Topology& topology, const NetworkOptions& options) {
  Network network(topology, options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  EXPECT_EQ(network.statistics().sent(), 0) << "reduction packets are in no books";
  return network.statistics().jobs;
}

std::vector<Cycle> PhasesOf(const JobStatistics& job, Cycle begin) {
  std::vector<Cycle> phases;
  for (const Cycle end : job.phase_end) {
    phases.push_back(end - begin);
    begin = end;
  }
  return phases;
}

std::vector<Cycle> Phases(const topology::Topology& topology, const NetworkOptions& options) {
  Network network(topology, options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  return PhasesOf(network.statistics().jobs.at(0), network.nics().begin);
}

/// From a packet's first word on a link into a node, whose delay is `in`, to that of the result on the link out, for
/// the port of tile 0 (docs/blocks/reduction-trees.md, Picture and timing); `tile` more for others.
Cycle ThroughNode(const Profile& profile, Cycle in, int words, int lanes) {
  const Cycle end = in + golden::WordOffset(words - 1, lanes) + 4;  // event of the good end
  const Cycle result = end + 2 + profile.red_delay;         // launch, word 0 on tile 0's return lane
  return result + words - 1 + 1 + 1 + 25 + 8;
}

TEST(Reductions, OfAQuietSwitchTakeTheCyclesOfThePages) {
  const topology::Topology lone = LoneSwitch();
  const Profile& profile = *FindProfile("tile8");
  constexpr int kLastTile = 3;
  for (const int lanes : {4, 2}) {
    const auto there_and_back = [&](int words) {
      return ThroughNode(profile, kTerminal, words, lanes) + kLastTile + kTerminal +
             golden::WordOffset(words - 1, lanes);
    };
    const auto phases = [&](const std::string& text) {
      NetworkOptions options = Jobs(text, lone);
      options.nic_lanes = lanes;
      return Phases(lone, options);
    };
    const Cycle barrier = there_and_back(2);
    const Cycle segment = there_and_back(130);
    EXPECT_EQ(phases("barrier:sharp,iterations=3"), (std::vector<Cycle>{barrier, barrier, barrier}));
    EXPECT_EQ(phases("allreduce:sharp-low,bytes=32"), (std::vector<Cycle>{there_and_back(3)}));
    EXPECT_EQ(phases("allreduce:sharp-low,bytes=512"), (std::vector<Cycle>{there_and_back(18)}));
    // A lock is a barrier; who is locked begins in the next cycle.
    EXPECT_EQ(phases("allreduce:sharp,iterations=3"), (std::vector<Cycle>{barrier + 1 + segment, segment, segment}));
    EXPECT_EQ(phases("allreduce:sharp,iterations=3,lock=each"),
              (std::vector<Cycle>{barrier + 1 + segment, barrier + 1 + segment, barrier + 1 + segment}));
    EXPECT_EQ(phases("allreduce:sharp,iterations=3,lock=2"),
              (std::vector<Cycle>{barrier + 1 + segment, segment, barrier + 1 + segment}));
  }
}

/// A leaf, the top, and the leaf again. Processes on the ports of tile 0 of their leaf; the uplinks are on the first
/// tile of the upper half, those of the top where the slower leaf has them.
TEST(Reductions, OfATreeTakeTheSumOfItsNodes) {
  const auto fat = topology::Build("fattree:leaves=2,hosts=4,uplinks=4");
  const Profile& profile = *FindProfile(fat.profile);
  constexpr int kUplinkTile = 2, kSlowLeafTile = 2;
  const Cycle channel = profile.channel_cycles;
  const Cycle up = ThroughNode(profile, kTerminal, 2, 4) + kUplinkTile;
  const Cycle top = ThroughNode(profile, channel, 2, 4) + kSlowLeafTile;
  const Cycle down = ThroughNode(profile, channel, 2, 4);
  NetworkOptions options = Jobs("barrier:sharp,at=0/1/4/5", fat);
  EXPECT_EQ(Phases(fat, options), (std::vector<Cycle>{up + top + down + kTerminal + 1}));
}

TEST(Reductions, HostsTakeTheirTime) {
  const topology::Topology lone = LoneSwitch();
  const Cycle quiet = Phases(lone, Jobs("allreduce:sharp,iterations=2", lone))[1];
  NetworkOptions options = Jobs("allreduce:sharp,iterations=2", lone);
  options.hosts.reduction_send = 100;
  options.hosts.reduction_receive = 30;
  EXPECT_EQ(Phases(lone, options)[1], quiet + 130);
  options.hosts.packet_overhead = 7;
  EXPECT_EQ(Phases(lone, options)[1], quiet + 137);
  // A lock is a round of its own, as a barrier is.
  options = Jobs("allreduce:sharp,iterations=3,lock=each", lone);
  const Cycle locked = Phases(lone, options)[1];
  options.hosts.reduction_send = 100;
  options.hosts.reduction_receive = 30;
  EXPECT_EQ(Phases(lone, options), (std::vector<Cycle>{locked + 260, locked + 260, locked + 260}));
  const Cycle low = Phases(lone, Jobs("allreduce:sharp-low,bytes=1024", lone))[0];
  options = Jobs("allreduce:sharp-low,bytes=1024", lone);
  options.hosts.reduction_send = 100;
  options.hosts.reduction_receive = 30;
  EXPECT_EQ(Phases(lone, options)[0], low + 130) << "once an operation";
}

/// Segments follow one another at the rate of the NICs' links, as long as the credits last.
TEST(Reductions, StreamAtTheRateOfTheLink) {
  const auto fat = topology::Build("fattree:leaves=2,hosts=4,uplinks=4");
  NetworkOptions options = Jobs("allreduce:sharp,bytes=1MiB", fat);
  options.nic_lanes = 2;
  const Cycle cycles = Phases(fat, options)[0];
  EXPECT_LT(cycles, 6000 + 256 * 264);
  EXPECT_GT(cycles, 256 * 260);
}

TEST(Reductions, HaveTheRightResults) {
  const auto fat = topology::Build("fattree:leaves=2,hosts=3,uplinks=2");
  const auto dragonfly = topology::Build(kDragonfly);
  for (const auto* topology : {&fat, &dragonfly}) {
    for (const char* text :
         {"allreduce:sharp,bytes=20000,iterations=3,check=yes", "allreduce:sharp-low,bytes=5000,iterations=3,check=yes",
          "allreduce:sharp-auto,bytes=4096,check=yes", "allreduce:sharp-auto,bytes=8192,check=yes",
          "reduce:sharp,bytes=20000,root=4,iterations=3,check=yes", "allreduce:sharp,bytes=0,check=yes",
          "broadcast:sharp,bytes=20000,root=2,iterations=3,check=yes"}) {
      const std::vector<JobStatistics> jobs = RunOf(*topology, Jobs(text, *topology, Allocation::kRandom));
      EXPECT_EQ(jobs[0].ranks_done, static_cast<std::int64_t>(topology->endpoints.size())) << text;
    }
  }
}

std::string LowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

TEST(Reductions, HaveTheRightResultsOfEveryOperationAndType) {
  const auto fat = topology::Build("fattree:leaves=2,hosts=3,uplinks=2");
  int pairs = 0;
  for (const RedOp op : kRedOpValues) {
    for (const RedType type : kRedTypeValues) {
      const std::string keys =
          ",check=yes,bytes=4800,op=" + LowerCase(ToString(op)) + ",type=" + LowerCase(ToString(type));
      if (!golden::IsLegal(op, type)) {
        EXPECT_THROW(Network(fat, Jobs("allreduce:sharp" + keys, fat)), UsageError) << keys;
        continue;
      }
      ++pairs;
      EXPECT_EQ(RunOf(fat, Jobs("allreduce:sharp" + keys, fat))[0].ranks_done, 6) << keys;
      EXPECT_EQ(RunOf(fat, Jobs("allreduce:sharp-low" + keys, fat))[0].ranks_done, 6) << keys;
    }
  }
  EXPECT_EQ(pairs, 3 * 9 + 4 * 9);
}

TEST(Reductions, AWrongByteIsFoundWithItsPlace) {
  const auto fat = topology::Build("fattree:leaves=2,hosts=3,uplinks=2");
  const NetworkOptions options = Jobs("allreduce:sharp,bytes=8192,iterations=3,check=yes", fat);
  const Profile& profile = *FindProfile(fat.profile);
  const ReductionTrees trees(fat, profile, TreeWishes(options.hosts, profile));
  const std::vector<ReductionJob> jobs = MakeReductionJobs(options.hosts, profile, trees, 3);
  ReductionCheck& check = *jobs.at(0).check;
  // Nobody contributes the same twice, and the order of ranks matters.
  EXPECT_NE(check.Operands(0, 0, 0), check.Operands(1, 0, 0));
  EXPECT_NE(check.Operands(0, 0, 0), check.Operands(0, 1, 0));
  EXPECT_NE(check.Operands(0, 0, 0), check.Operands(0, 0, 1));
  RedPacket packet;
  packet.data = check.Operands(0, 2, 1);
  try {
    check.Compare(2, 1, packet, "rank 7");
    FAIL() << "operands are no result";
  } catch (const WrongResult& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("rank 7: operation 2: byte 40"), HasSubstr(" is 0x")));
  }
  packet.data.clear();
  EXPECT_THROW(check.Compare(2, 1, packet, ""), WrongResult);
}

/// Bytes are carried or not: no time depends on it.
TEST(Reductions, BytesChangeNoTime) {
  const auto dragonfly = topology::Build(kDragonfly);
  for (const char* text : {"allreduce:sharp,bytes=30000,iterations=2", "allreduce:sharp-low,bytes=3000,iterations=2"}) {
    EXPECT_EQ(Phases(dragonfly, Jobs(text, dragonfly)),
              Phases(dragonfly, Jobs(std::string(text) + ",check=yes", dragonfly)));
  }
}

/// All sorts at once: reductions of several kinds, locks that meet, messages among them.
NetworkOptions Mix(const topology::Topology& topology) {
  NetworkOptions options = Jobs(
      "allreduce:sharp,bytes=20000,ranks=18,iterations=3,lock=each,check=yes+allreduce:sharp,bytes=9000,ranks=18,"
      "iterations=4,check=yes+allreduce:sharp,bytes=9000,ranks=12,iterations=2,lock=2+allreduce:sharp-low,bytes=3000,"
      "ranks=12,iterations=3,check=yes+alltoall:bytes=3000",
      topology, Allocation::kRandom);
  options.nic_lanes = 2;
  return options;
}

std::string TextAfter(Network* network) {
  const Ending ending = network->Run();
  return Text(*network, ending, Figures(*network));
}

TEST(Reductions, NeitherLookaheadNorOrderOfVisitsChangesAnything) {
  const auto dragonfly = topology::Build(kDragonfly);
  Network longest(dragonfly, Mix(dragonfly));
  const std::string whole = TextAfter(&longest);
  EXPECT_EQ(longest.NotHome(), "");
  for (const JobStatistics& job : longest.statistics().jobs) EXPECT_GE(job.ranks_done, 12);
  const auto same = [&](const NetworkOptions& options) {
    Network network(dragonfly, options);
    EXPECT_EQ(TextAfter(&network), whole);
  };
  NetworkOptions options = Mix(dragonfly);
  options.lookahead = 7;
  same(options);
  options = Mix(dragonfly);
  options.order = 1;
  same(options);
  options.whole = true;
  same(options);
}

TEST(Reductions, AreTheSameOnSeveralProcesses) {
  const auto dragonfly = topology::Build(kDragonfly);
  Network alone(dragonfly, Mix(dragonfly));
  const std::string whole = TextAfter(&alone);
  for (const int size : {2, 4}) {
    std::string text;
    OnThreads(size, [&](Processes& processes) {
      Network network(dragonfly, Mix(dragonfly), &processes);
      const std::string own = TextAfter(&network);
      if (processes.first()) text = own;
    });
    EXPECT_EQ(text, whole) << size;
  }
}

TEST(Reductions, GoOnFromACheckpointInTheMiddleOfAnOperation) {
  const auto dragonfly = topology::Build(kDragonfly);
  Network alone(dragonfly, Mix(dragonfly));
  const std::string whole = TextAfter(&alone);
  const Cycle length = alone.cycle() - alone.nics().begin;
  for (int part = 0; part < 12; ++part) {
    std::vector<SavedBytes> pieces;
    Network first(dragonfly, Mix(dragonfly));
    EXPECT_FALSE(first.RunTo(first.nics().begin + length * part / 12).has_value());
    first.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
    Network second(dragonfly, Mix(dragonfly));
    auto next = pieces.begin();
    second.Load([&] { return *next++; });
    EXPECT_EQ(TextAfter(&second), whole) << part;
  }
}

/// Two slots a switch: the third job waits until one of the others gives its tree back.
TEST(Reductions, ALockThatFindsNoSlotIsTriedAgain) {
  const topology::Topology lone = LoneSwitch();
  const std::string job = "allreduce:sharp,iterations=8,ranks=2";
  const Cycle alone = RunOf(lone, Jobs(job, lone))[0].last;
  const std::vector<JobStatistics> jobs = RunOf(lone, Jobs(job + "+" + job + "+" + job, lone));
  std::vector<Cycle> ends;
  for (const JobStatistics& one : jobs) ends.push_back(one.last);
  std::sort(ends.begin(), ends.end());
  EXPECT_LT(ends[1], alone + 500) << "two have a slot each, and share the lanes";
  EXPECT_GT(ends[2], 2 * alone) << "the third begins when the first is done, and a lock takes as long as a barrier";
  EXPECT_LT(ends[2], 4 * alone);
  // With a lock for each operation all take turns.
  const std::string each = job + ",lock=each";
  for (const JobStatistics& one : RunOf(lone, Jobs(each + "+" + each + "+" + each, lone))) EXPECT_EQ(one.ranks_done, 2);
}

TEST(Reductions, LanesAndClassAreWritten) {
  const auto fat = topology::Build("fattree:leaves=2,hosts=4,uplinks=4");
  NetworkOptions options = Jobs("allreduce:sharp", fat);
  options.hosts.classes = {5};
  options.traffic.classes = {{5, 1, 4096}};
  Network network(fat, options);
  const golden::Tables& tables = network.node(0).registers()->tables();
  EXPECT_EQ(tables.vl_class[14], 5);
  EXPECT_EQ(tables.vl_class[15], 5);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  EXPECT_EQ(network.ReadCounter(2, 0, static_cast<int>(Counter::kRxRed)), 4u)
      << "LOCK, SEGMENT, CREDIT, UNLOCK";
}

TEST(Reductions, WhatCannotBeIsRefused) {
  const auto fat = topology::Build("fattree:leaves=2,hosts=4,uplinks=4");
  EXPECT_THAT(Refusal(fat, Jobs("allreduce:sharp,op=mean", fat)), HasSubstr("mean"));
  EXPECT_THAT(Refusal(fat, Jobs("allreduce:sharp,op=and", fat)), HasSubstr("no combiner does and of float32"));
  EXPECT_THAT(Refusal(fat, Jobs("allreduce:sharp,bytes=10", fat)), HasSubstr("elements of 4 bytes"));
  NetworkOptions two = Jobs("allreduce:sharp,ranks=4+allreduce:sharp-low,ranks=4", fat);
  two.hosts.classes = {0, 1};
  EXPECT_THAT(Refusal(fat, two), AllOf(HasSubstr("class 1"), HasSubstr("give both the same")));
  // Seven classes of two lanes and reductions fill the sixteen; eight do not fit.
  const auto dragonfly = topology::Build(kDragonfly);
  NetworkOptions many = Jobs("allreduce:sharp", dragonfly);
  for (int tc = 0; tc < 7; ++tc) many.traffic.classes.push_back({tc, 1, 4096});
  EXPECT_EQ(Refusal(dragonfly, many), "accepted");
  many.traffic.classes.push_back({7, 1, 4096});
  EXPECT_THAT(Refusal(dragonfly, many), AllOf(HasSubstr("2 (reductions)"), HasSubstr("= 18")));
  NetworkOptions given = Jobs("allreduce:sharp", fat);
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) given.lanes[tc] = {"class", {2 * tc}};
  EXPECT_THAT(Refusal(fat, given), AllOf(HasSubstr("has lane 14"), HasSubstr("others")));
}

/// Without a time-out a rank that waits for ever is named.
TEST(Reductions, WhoWaitsTooShortFailsAndOthersGoOn) {
  const auto dragonfly = topology::Build(kDragonfly);
  // 1 us is less than any answer takes.
  NetworkOptions options =
      Jobs("allreduce:sharp,timeout=1us,ranks=36+allreduce:sharp,bytes=9000,iterations=3,ranks=36,check=yes", dragonfly,
           Allocation::kInterleaved);
  Network network(dragonfly, options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  const std::vector<JobStatistics>& jobs = network.statistics().jobs;
  EXPECT_EQ(jobs[0].ranks_done, 0);
  EXPECT_EQ(jobs[0].failure.code, static_cast<int>(RedCode::kTimeout));
  EXPECT_EQ(jobs[0].failure.cycle, network.nics().begin + 782) << "of the LOCK's first word";
  EXPECT_EQ(jobs[0].failure.rank, 0);
  EXPECT_EQ(jobs[1].ranks_done, 36);
  EXPECT_EQ(jobs[1].failure.cycle, kNever);
}

}  // namespace
}  // namespace tilefly::network
