// SPDX-License-Identifier: Apache-2.0
// SerDes lanes of the links of a system that a fault plan takes down (docs/blocks/link_retry.md, SerDes lanes), against
// the naive system, which judges the lanes of every link that repeats in every cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/figures.h"
#include "support/errors.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/planned_event.h"
#include "testbenches/network/repeats_naive.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using ::testing::HasSubstr;
using End = faults::LinkName::End;
using faults::Direction;

topology::Topology Some() { return topology::Build("dragonfly:p=2,a=2,h=1"); }

faults::PlannedEvent Lane(Cycle at, faults::LinkName link, int lane, std::optional<Cycle> cycles,
                          Direction direction = Direction::kOut) {
  faults::PlannedEvent event = Event(at, faults::EventKind::kLaneDown, link, cycles);
  event.direction = direction;
  event.lane = lane;
  return event;
}

/// Lanes of links between switches and of NICs, out and in, one after the other and several at once.
faults::Plan Lanes() {
  faults::Plan plan;
  plan.events = {Lane(200, {End::kSwitchPort, 1, 2}, 2, {}),
                 Lane(300, {End::kEndpoint, 3, 0}, 1, 700),
                 Lane(310, {End::kSwitchPort, 2, 3}, 0, {}, Direction::kIn),
                 Lane(400, {End::kEndpoint, 5, 0}, 0, {}, Direction::kIn),
                 Lane(450, {End::kSwitchPort, 1, 2}, 0, {}),
                 Lane(700, {End::kSwitchPort, 3, 3}, 1, {}),
                 Lane(700, {End::kSwitchPort, 3, 3}, 3, {}),
                 Lane(900, {End::kEndpoint, 5, 0}, 3, {}, Direction::kIn)};
  return plan;
}

NetworkOptions Short(double load, const std::string& size, bool bench_timing) {
  NetworkOptions options = Sized("uniform", load, size, bench_timing);
  options.cycles = Tier() == bench::Tier::kFull ? 6000 : 1500;
  return options;
}

TEST(RepeatingLanes, ThatDieAreTheNaiveOnes) {
  ExpectRepeatsNaive(Some(), With(Short(0.4, "64,512,4224", false), Lanes()), 5);
  ExpectRepeatsNaive(Some(), With(Short(0.6, "32,512", true), Lanes()), 5);
}

TEST(RepeatingLanes, AreNaiveBesideOtherFaultsAndLinkDowns) {
  faults::Plan plan = Lanes();
  plan.channel.word_ber = 3e-6;
  plan.channel.slot_ber = 3e-5;
  plan.channel.word = {0.0005, 0.0005, 0.002};
  plan.channel.slot = {0.002, 0.002, 0};
  faults::PlannedEvent down = Lane(800, {End::kSwitchPort, 1, 2}, 0, 900);
  down.kind = faults::EventKind::kDown;
  plan.events.push_back(down);
  down.link = {End::kEndpoint, 5, 0};
  plan.events.push_back(down);
  NetworkOptions options = Short(0.4, "32,64,512,4224", false);
  options.acks = AckUse::kOn;
  options.nics.resend = 3000;
  ExpectRepeatsNaive(Some(), With(options, plan), 5);
}

TEST(RepeatingLanes, OfOneSwitchAreNaiveWithTwoLanesInACable) {
  faults::Plan plan;
  for (int e = 0; e < 3; ++e) {
    plan.events.push_back(Lane(200 + 100 * e, {End::kEndpoint, e, 0}, e % 2, {}));
    plan.events.push_back(Lane(600 + 150 * e, {End::kEndpoint, e, 0}, 1 - e % 2, {}, Direction::kIn));
  }
  NetworkOptions options = Short(0.7, "32,300", true);
  ExpectRepeatsNaive(LoneSwitch(), With(options, plan), 5);
  options.nic_lanes = 2;
  ExpectRepeatsNaive(LoneSwitch(), With(options, plan), 5);
}

/// Epochs have 16,384 cycles; a lane that works again is in use behind the second one.
TEST(RepeatingLanes, ThatWorkAgainAreTheNaiveOnes) {
  faults::Plan plan;
  plan.lanes.fail = 3;
  plan.lanes.back = 1;
  plan.lanes_origin = "plan:1: lanes";
  plan.events = {Lane(200, {End::kEndpoint, 0, 0}, 1, 900),
                 Lane(900, {End::kEndpoint, 1, 0}, 2, 17'000, Direction::kIn),
                 Lane(1200, {End::kEndpoint, 1, 0}, 0, 400, Direction::kIn)};
  NetworkOptions options = Sized("uniform", 0.3, "64,512", true);
  options.cycles = Tier() == bench::Tier::kFull ? 60'000 : 33'500;
  options.stall_cycles = 2000;
  ExpectRepeatsNaive(LoneSwitch(), With(options, plan), 3);
  Network network(LoneSwitch(), With(options, plan));
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.statistics().retry.lanes_failed, 3);
  EXPECT_EQ(network.statistics().retry.lanes_back, Tier() == bench::Tier::kFull ? 3 : 2);
}

/// Few words come: lanes fail, two in one cycle, and come back on links that carry nothing.
TEST(RepeatingLanes, OfQuietLinksAreTheNaiveOnes) {
  faults::Plan plan;
  plan.lanes.fail = 3;
  plan.lanes.back = 1;
  plan.lanes_origin = "plan:1: lanes";
  plan.events = {Lane(200, {End::kEndpoint, 0, 0}, 1, 17'000), Lane(200, {End::kEndpoint, 0, 0}, 2, 900),
                 Lane(500, {End::kEndpoint, 1, 0}, 0, 17'000, Direction::kIn)};
  NetworkOptions options = Sized("uniform", 0.0003, "64", true);
  options.cycles = 42'000;
  options.stall_cycles = 2000;
  ExpectRepeatsNaive(LoneSwitch(), With(options, plan), 0);
  Network network(LoneSwitch(), With(options, plan));
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.statistics().retry.lanes_failed, 3);
  EXPECT_EQ(network.statistics().retry.lanes_back, 1);
}

/// A full link from one NIC to another, with the lanes of one direction of it gone.
double RateWithout(int dead) {
  NetworkOptions options;
  options.bench_timing = true;
  options.cycles = 60'000;
  options.warmup = 10'000;
  options.traffic.pattern = "hotspot:1:1";
  options.traffic.size = "1024";  // of 33 words: in whole cycles at 1, 2, 3 and 4 lanes
  options.traffic.load = 1;
  faults::Plan plan;
  plan.channel.word_ber = 1e-15;
  for (int lane = 0; lane < dead; ++lane)
    plan.events.push_back(Lane(100 + 3000 * lane, {End::kEndpoint, 1, 0}, lane, {}, Direction::kIn));
  Network network(LoneSwitch(), With(options, plan));
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  const Statistics& sums = network.statistics();
  EXPECT_EQ(sums.lost, 0);
  EXPECT_EQ(sums.dropped(), 0);
  EXPECT_EQ(sums.sent(), sums.delivered());
  EXPECT_EQ(sums.retry.lanes_failed, dead);
  return static_cast<double>(sums.accepted_words);
}

TEST(RepeatingLanes, LoseTheirShareOfTheRateAndNoPacket) {
  const double whole = RateWithout(0);
  EXPECT_GT(whole, 40'000);
  for (const int dead : {1, 2, 3}) EXPECT_NEAR(RateWithout(dead) / whole, (4 - dead) / 4.0, 0.01) << dead;
}

std::string TextWithLanes(const topology::Topology& topology, const NetworkOptions& options, int processes) {
  std::string text;
  OnThreads(processes, [&](Processes& all) {
    Network network(topology, options, &all);
    const Ending ending = network.Run();
    const Figures figures(network);
    if (!all.first()) return;
    text = Text(network, ending, figures);
    const RetryCounts& counts = figures.statistics.retry;
    text = text.substr(text.find('\n')) +
           fmt::format("{} {} {}", counts.resent_words, counts.lanes_failed, counts.words_of_lanes);
    for (const NodeFigures& node : figures.nodes) {
      for (const LaneChange& one : node.lane_changes)
        text += fmt::format("\n{} {} {} {}", one.from, one.port, one.nic, one.lanes);
    }
  });
  return text;
}

TEST(RepeatingLanes, AreTheSameOnThreadsAndProcessesAndWhateverTheLookahead) {
  NetworkOptions options = With(Sized("uniform", 0.4, "64,512", false), Lanes());
  const std::string whole = TextWithLanes(Some(), options, 1);
  EXPECT_THAT(whole, HasSubstr(" 2 false 3\n"));
  for (const int size : {2, 3}) {
    EXPECT_EQ(TextWithLanes(Some(), options, size), whole) << size;
    options.threads = size;
    EXPECT_EQ(TextWithLanes(Some(), options, 1), whole) << size;
    options.threads = 1;
  }
  options.lookahead = 7;
  options.order = 1;
  EXPECT_EQ(TextWithLanes(Some(), options, 1), whole);
}

TEST(RepeatingLanes, OfPlansThatContradictThemselvesAreRefused) {
  const auto refusal = [](const faults::Plan& plan, bool retry = true, int nic_lanes = 4) -> std::string {
    NetworkOptions options = With(Sized("uniform", 0.1, "64", false), plan);
    options.retry = retry;
    options.nic_lanes = nic_lanes;
    try {
      Network network(Some(), options);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  };
  const faults::LinkName link{End::kSwitchPort, 1, 2};
  faults::Plan plan;
  plan.events = {Lane(100, link, 2, {})};
  EXPECT_EQ(refusal(plan), "accepted");
  EXPECT_THAT(refusal(plan, false), HasSubstr("give --retry on"));
  plan.events.push_back(Lane(200, link, 2, {}));
  EXPECT_THAT(refusal(plan), HasSubstr("plan:200: event: the SerDes lane is dead then, by plan:100: event"));
  plan.events[1].direction = Direction::kIn;
  EXPECT_EQ(refusal(plan), "accepted");
  plan.events[1].kind = faults::EventKind::kLaneUp;
  EXPECT_THAT(refusal(plan), HasSubstr("plan:200: event: the SerDes lane is not dead then"));
  plan.events = {Lane(100, {End::kEndpoint, 1, 0}, 2, {})};
  EXPECT_THAT(refusal(plan, true, 2), HasSubstr("there is no SerDes lane 2: the link has 0 to 1"));
  plan.lanes_origin = "plan:7: lanes";
  EXPECT_EQ(refusal(plan), "accepted");
  plan.events.clear();
  plan.channel.word_ber = 1e-6;
  EXPECT_THAT(refusal(plan), HasSubstr("plan:7: lanes: no SerDes lane of the plan dies"));
}

}  // namespace
}  // namespace tilefly::network
