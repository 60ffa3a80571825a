// SPDX-License-Identifier: Apache-2.0
// Links with retry that go down and come up, by the plan and because an end gave them up, against the naive system.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/figures.h"
#include "network/stall_report.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/planned_event.h"
#include "testbenches/network/repeats_naive.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/systems.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using ::testing::HasSubstr;
using End = faults::LinkName::End;

/// Links between switches and of NICs, each for some time.
faults::Plan Downs() {
  faults::Plan plan;
  using faults::EventKind;
  plan.events = {Event(300, EventKind::kDown, {End::kSwitchPort, 2, 3}, 10),
                 Event(350, EventKind::kDown, {End::kEndpoint, 9, 0}, 1200),
                 Event(400, EventKind::kDown, {End::kSwitchPort, 5, 6}, 900),
                 Event(500, EventKind::kDown, {End::kSwitchPort, 1, 0}, 1),
                 Event(900, EventKind::kDown, {End::kSwitchPort, 7, 2}, 1000)};
  return plan;
}

TEST(RepeatingLinksDown, AreTheNaiveOnesForAPlan) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds, a minute with sanitizers: from tier ci on";
  NetworkOptions options = Sized("uniform", 0.4, "64,512,4224", false);
  options.cycles = 1500;
  ExpectRepeatsNaive(Dragonfly(), With(options, Downs()), 0);
  options = Sized("uniform", 0.4, "64,512", true);
  options.cycles = 1500;
  faults::Plan plan = Downs();
  plan.channel.word_ber = 1e-5;
  plan.channel.slot_ber = 1e-5;
  ExpectRepeatsNaive(Dragonfly(), With(options, plan), 20);
}

TEST(RepeatingLinksDown, LoseWhatWasOnThemAndNothingElse) {
  NetworkOptions options = Sized("uniform", 0.4, "64,512", false);
  Network network(Dragonfly(), With(options, Downs()));
  EXPECT_EQ(network.Run(), Ending::kDrained);
  const Figures figures(network);
  EXPECT_EQ(figures.nodes[7].sent[2].down_cycles, 1000);
  EXPECT_EQ(figures.nodes[2].sent[3].down_cycles, 2 * 210 + 548) << "DOWN_MIN";
  EXPECT_EQ(figures.nodes[4].sent_by_nics[1].down_cycles, 1200) << "NIC 9";
  EXPECT_EQ(figures.nodes[0].sent_by_nics[0].down_cycles, 0);
  EXPECT_EQ(network.NotHome(), "");
  const Statistics& sums = network.statistics();
  EXPECT_GT(sums.lost, 10);
  EXPECT_LT(sums.lost, 1000);
  EXPECT_EQ(sums.sent(), sums.delivered() + sums.lost + sums.dropped());
}

/// Words of a packet that the link has taken go on to come while it is down, behind what the far end tells.
TEST(RepeatingLinksDown, ThatGoDownTwiceLoseEachPacketOnce) {
  NetworkOptions options = Sized("uniform", 0.7, "512,4224", true);
  options.nic_lanes = 1;
  faults::Plan plan;
  for (const Cycle at : {300, 1500, 2700}) {
    for (int e = 0; e < 12; ++e) plan.events.push_back(Event(at + 7 * e, faults::EventKind::kDown, {End::kEndpoint, e, 0}, 10));
  }
  Network network(Dragonfly(), With(options, plan));
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  const Statistics& sums = network.statistics();
  EXPECT_GT(sums.lost, 36);
  EXPECT_EQ(sums.sent(), sums.delivered() + sums.lost + sums.dropped());
}

/// Two switches with a NIC each.
const topology::Topology& Pair() {
  static const topology::Topology topology = topology::Build("dragonfly:p=1,a=1,h=1");
  return topology;
}

/// Both receivers of a link say nothing: the replay limit gives the link up, behind 33 timers, and it comes back.
NetworkOptions GivenUp(bool nic) {
  NetworkOptions options = Sized("uniform", 0.1, "64,512", false);
  options.cycles = 150'000;
  faults::Plan plan;
  plan.channel.word_ber = 1e-6;
  plan.retrain = 1500;
  const faults::LinkName link = nic ? faults::LinkName{End::kEndpoint, 1, 0} : faults::LinkName{End::kSwitchPort, 0, 1};
  plan.events = {Event(300, faults::EventKind::kStuck, link, 138'000)};
  return With(options, plan);
}

/// The naive system steps through 33 timers: minutes.
TEST(RepeatingLinksDown, AreTheNaiveOnesWhereAnEndGivesUp) {
  if (Tier() != bench::Tier::kFull) GTEST_SKIP() << "a test of the full tier";
  for (const bool nic : {false, true}) EXPECT_GE(ExpectRepeatsNaive(Pair(), GivenUp(nic), 32), 1) << nic;
}

/// Few and short timers: an end gives its link up soon, and each link is down for a time of its own.
NetworkOptions GivenUpSoon(int down) {
  NetworkOptions options = Sized("uniform", 0.2, "64,512", false);
  options.cycles = 12'000;
  faults::Plan plan;
  plan.channel.word_ber = 1e-6;
  plan.retry.timer = 900;
  plan.retry.limit = 2;
  plan.retry.down = static_cast<std::uint8_t>(down);
  plan.retrain = 1500;
  faults::PlannedLink slow{{End::kSwitchPort, 0, 1}, faults::Direction::kBoth, plan.channel, 4000, "slow"};
  plan.links = {slow};
  plan.events = {Event(300, faults::EventKind::kStuck, {End::kSwitchPort, 0, 1}, 6000),
                 Event(400, faults::EventKind::kStuck, {End::kEndpoint, 1, 0}, 5000)};
  return With(options, plan);
}

TEST(RepeatingLinksDown, AreTheNaiveOnesWithRegistersAndDownTimesOfAPlan) {
  for (const int down : {0, faults::kBlock}) {
    SCOPED_TRACE(down);
    EXPECT_GE(ExpectRepeatsNaive(Pair(), GivenUpSoon(down), 3), 1);
    Network network(Pair(), GivenUpSoon(down));
    EXPECT_EQ(network.Run(), Ending::kDrained);
    const Figures figures(network);
    const auto down_cycles = [&](int node, int port) { return figures.nodes[static_cast<std::size_t>(node)].sent[port].down_cycles; };
    EXPECT_GE(down_cycles(0, 1), 4000) << "for as long as its entry says";
    EXPECT_GE(down_cycles(1, 0), 1500) << "for as long as all links";
    EXPECT_LT(down_cycles(1, 0), 4000);
  }
}

/// The NIC hears nothing while its link goes down and comes up: it begins anew all the same, and does not give its link up
/// again.
TEST(RepeatingLinksDown, ANicThatGaveItsLinkUpBeginsAnew) {
  NetworkOptions options = Sized("uniform", 0.1, "64,512", false);
  options.cycles = 20'000;
  faults::Plan plan;
  plan.retry.timer = 900;
  plan.retry.limit = 2;
  plan.retrain = 1500;
  plan.events = {Event(300, faults::EventKind::kStuck, {End::kEndpoint, 1, 0}, 4500)};
  plan.events.front().direction = faults::Direction::kOut;
  EXPECT_EQ(ExpectRepeatsNaive(Pair(), With(options, plan), 2), 1);
}

/// A receiver that is stuck for ever tells no credits when the link comes up again.
TEST(RepeatingLinksDown, SilentFarEndsAreNamed) {
  NetworkOptions options = Sized("uniform", 0.2, "64,512", false);
  options.cycles = 20'000;
  options.stall_cycles = 3000;
  faults::Plan plan;
  plan.retry.timer = 700;
  plan.retry.limit = 1;
  plan.events = {Event(300, faults::EventKind::kStuck, {End::kSwitchPort, 0, 1}, 0)};
  plan.events.front().cycles.reset();
  plan.events.front().direction = faults::Direction::kOut;
  Network network(Pair(), With(options, plan));
  EXPECT_EQ(network.Run(), Ending::kStuck);
  const StallReport report(network);
  EXPECT_TRUE(report.down.empty());
  EXPECT_THAT(report.Text(network), HasSubstr("switch 0 port 1: switch 1 port 1 has sent no credits since the link came up"));
}

std::string TextWithResent(const topology::Topology& topology, const NetworkOptions& options, int processes) {
  std::string text;
  OnThreads(processes, [&](Processes& all) {
    Network network(topology, options, &all);
    const Ending ending = network.Run();
    const Figures figures(network);
    if (!all.first()) return;
    text = Text(network, ending, figures);
    text = text.substr(text.find('\n')) + std::to_string(figures.statistics.retry.resent_words);
  });
  return text;
}

TEST(RepeatingLinksDown, AreTheSameOnThreadsAndProcessesAndWhateverTheLookahead) {
  const auto expect_same = [](const topology::Topology& topology, NetworkOptions options, int most) {
    const std::string whole = TextWithResent(topology, options, 1);
    for (int size = 2; size <= most; ++size) {
      EXPECT_EQ(TextWithResent(topology, options, size), whole) << size;
      options.threads = size;
      EXPECT_EQ(TextWithResent(topology, options, 1), whole) << size;
      options.threads = 1;
    }
    options.lookahead = 7;
    options.order = 1;
    EXPECT_EQ(TextWithResent(topology, options, 1), whole);
  };
  expect_same(Dragonfly(), With(Sized("uniform", 0.4, "64,512", false), Downs()), 3);
  expect_same(Pair(), GivenUp(false), 2);
}

/// Unlike with retry off: the switch takes back what waits for a link that stays down, and nobody waits for ever.
TEST(RepeatingLinksDown, ThatStayDownStopNobody) {
  NetworkOptions options = Sized("uniform", 0.4, "64,512", false);
  options.retry = true;
  options.stall_cycles = 3000;
  options.faults = {{5, 6, 1100}};
  Network network(Dragonfly(), options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_GT(network.statistics().lost, 0);
  NetworkOptions both = With(options, Downs());
  both.faults = {{5, 6, 450}};
  EXPECT_THROW(Network(Dragonfly(), both), std::exception);
}

TEST(RepeatingLinksDown, EndTheJobsThatReduceOverThem) {
  const auto fat = topology::Build("fattree:leaves=2,hosts=4,uplinks=4");
  NetworkOptions options;
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  UseJobs(workload::MakeWorkload("allreduce:sharp,at=0/1/4/5,check=yes,bytes=1MiB+allreduce:sharp,at=2/3,bytes=20000,check=yes",
                                 "", static_cast<int>(fat.endpoints.size()), workload::Allocation::kLinear, 3),
          &options);
  faults::Plan plan;
  plan.channel.word_ber = 1e-7;
  plan.events = {Event(20000, faults::EventKind::kDown, {End::kSwitchPort, 1, 4}, 1)};
  Network network(fat, With(options, plan));
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.statistics().jobs[0].failure.code, static_cast<int>(RedCode::kLink));
  EXPECT_EQ(network.statistics().jobs[1].ranks_done, 2);
}

}  // namespace
}  // namespace tilefly::network
