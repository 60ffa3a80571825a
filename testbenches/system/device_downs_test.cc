// SPDX-License-Identifier: Apache-2.0
// Links of devices of words that go down and come up again (docs/network.md, Devices), by plans that are drawn: each
// system equals the golden one at every link in every cycle, and in all results.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "support/random.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/lossy_class.h"
#include "testbenches/network/planned_event.h"
#include "testbenches/system/repeating_devices.h"

namespace tilefly::cosim {
namespace {

using bench::Tier;
using faults::EventKind;
using faults::LinkName;
using End = LinkName::End;
using network::Event;
using network::NetworkOptions;

topology::Topology SixSwitches() { return topology::Build("dragonfly:p=2,a=2,h=1"); }

int RunsOf(int quick, int ci, int full) {
  return TierNow() == Tier::kQuick ? quick : TierNow() == Tier::kCi ? ci : full;
}

/// A link of six switches: of ports to other switches, and of NICs.
LinkName DrawLink(Stream* stream) {
  if (stream->Below(3) == 0) return {End::kEndpoint, static_cast<int>(stream->Below(12)), 0};
  return {End::kSwitchPort, static_cast<int>(stream->Below(6)), static_cast<int>(2 + stream->Below(2))};
}

/// The same link by its end that comes first.
std::pair<int, int> Key(const topology::Topology& topology, const LinkName& link) {
  if (link.end == End::kEndpoint) return {-1, link.node};
  for (const topology::Link& one : topology.links) {
    for (const topology::Port& end : {one.a, one.b}) {
      if (end.at == link.node && end.port == link.port) return std::min(std::pair(one.a.at, one.a.port), std::pair(one.b.at, one.b.port));
    }
  }
  return {-2, link.node * 64 + link.port};
}

/// Links that go down at times and for times that are drawn, some of them twice.
void AddDowns(const topology::Topology& topology, int count, Cycle cycles, Stream* stream, faults::Plan* plan) {
  std::map<std::pair<int, int>, Cycle> free_from;
  for (int i = 0; i < count; ++i) {
    const LinkName link = i % 3 == 2 && !plan->events.empty() ? plan->events.back().link : DrawLink(stream);
    const auto key = Key(topology, link);
    if (key.first == -2) continue;
    Cycle& free = free_from[key];
    const Cycle at = std::max(free + 1, static_cast<Cycle>(100 + stream->Below(static_cast<std::uint64_t>(cycles))));
    const Cycle span = 1 + static_cast<Cycle>(stream->Below(1500));
    free = at + std::max<Cycle>(span, 2 * 591 + 548) + static_cast<Cycle>(stream->Below(300));
    plan->events.push_back(Event(at, EventKind::kDown, link, span));
  }
}

/// All switches are devices, then every second one. Returns what the links did, of the last run.
PairRun ExpectEqualDowns(const topology::Topology& topology, NetworkOptions options) {
  PairRun run;
  for (const int step : {1, 2}) {
    options.make_node = Words(step - 1, step);
    run = RunPair(topology, options);
    EXPECT_EQ(run.failure, "");
    EXPECT_EQ(run.ending, network::Ending::kDrained) << "all packets are in the books";
    EXPECT_GE(run.compared_busy, 200);
  }
  return run;
}

/// What varies from one drawn run to the next.
NetworkOptions DrawOptions(std::uint64_t seed, Stream* stream, faults::Plan* plan) {
  const auto one_in = [&](std::uint64_t n) { return stream->Below(n) == 0; };
  NetworkOptions options = Short(one_in(4) ? "hotspot:3:0.3" : "uniform", 0.3 + 0.1 * static_cast<double>(stream->Below(5)),
                                 one_in(2) ? "64,512" : "32,512,4224", one_in(2));
  options.seed = seed + 1;
  options.cycles = 1500;
  options.warmup = 200;
  options.routing = network::RoutingOptions::Named(one_in(2) ? "min" : "adaptive_0");
  if (one_in(2)) *plan = network::Mixed();
  if (one_in(3)) plan->channel.word_ber = 1e-4;
  plan->seed = seed;
  if (one_in(3)) plan->retry.down = faults::kBlock;
  if (one_in(3)) options.nic_lanes = 2;
  if (one_in(3)) network::LoseBeyond(100, &options);
  if (one_in(3)) {
    options.acks = network::AckUse::kOn;
    options.nics.resend = 3000;
    options.nics.most_resends = 200;
    options.nics.resend_window = 64;
  }
  return options;
}

/// Short timers and few replays: many links are given up, and come back.
void GiveUpSoon(Stream* stream, faults::Plan* plan) {
  plan->retry.timer = static_cast<std::uint16_t>(1400 + stream->Below(300));
  plan->retry.limit = static_cast<std::uint8_t>(stream->Below(2));
  plan->retrain = static_cast<Cycle>(1 + stream->Below(2000));
  for (int i = 0; i < 3; ++i) {
    faults::PlannedEvent stuck = Event(100 + 500 * i, EventKind::kStuck, DrawLink(stream), 4000 + static_cast<Cycle>(stream->Below(3000)));
    stuck.direction = static_cast<faults::Direction>(stream->Below(3));
    stuck.credits_alone = stream->Below(2) == 0;
    if (std::none_of(plan->events.begin(), plan->events.end(), [&](const auto& one) { return one.kind == EventKind::kStuck; }) || i == 0)
      plan->events.push_back(stuck);
  }
  plan->retry.watchdog = static_cast<std::uint16_t>(stream->Below(2) == 0 ? 25 : 60);
}

void AddLanes(Stream* stream, faults::Plan* plan) {
  faults::PlannedEvent lane = Event(300 + static_cast<Cycle>(stream->Below(500)), EventKind::kLaneDown, DrawLink(stream),
                                    1 + static_cast<Cycle>(stream->Below(3000)));
  lane.direction = stream->Below(2) == 0 ? faults::Direction::kOut : faults::Direction::kIn;
  lane.lane = static_cast<int>(stream->Below(2));
  plan->events.push_back(lane);
}

void SortEvents(faults::Plan* plan) {
  std::stable_sort(plan->events.begin(), plan->events.end(),
                   [](const faults::PlannedEvent& a, const faults::PlannedEvent& b) { return a.at < b.at; });
}

/// By seed: planned downs; links that are given up; both with lanes that die.
class DownsOfDevices : public ::testing::TestWithParam<int> {
 protected:
  template <typename Add>
  void ExpectEqualRuns(int first, Add&& add) {
    const topology::Topology topology = SixSwitches();
    const int runs = RunsOf(2, 6, 100);
    for (int i = 0; i < runs && !HasFailure(); ++i) {
      const auto seed = static_cast<std::uint64_t>(1000 * first + 100 * GetParam() + i);
      SCOPED_TRACE(seed);
      Stream stream(seed, 0, 0, Purpose::kOutage);
      faults::Plan plan;
      NetworkOptions options = DrawOptions(seed, &stream, &plan);
      add(topology, &stream, &plan);
      SortEvents(&plan);
      options.stall_cycles = 6000;
      ExpectEqualDowns(topology, network::With(options, plan));
    }
  }
};

TEST_P(DownsOfDevices, EqualGoldenOnesForDrawnPlans) {
  ExpectEqualRuns(1, [](const topology::Topology& topology, Stream* stream, faults::Plan* plan) {
    AddDowns(topology, 8, 2000, stream, plan);
  });
}

TEST_P(DownsOfDevices, EqualGoldenOnesWhoseLinksAreGivenUp) {
  ExpectEqualRuns(2, [](const topology::Topology&, Stream* stream, faults::Plan* plan) { GiveUpSoon(stream, plan); });
}

TEST_P(DownsOfDevices, EqualGoldenOnesBesideDeadLanes) {
  ExpectEqualRuns(3, [](const topology::Topology& topology, Stream* stream, faults::Plan* plan) {
    AddDowns(topology, 5, 1500, stream, plan);
    AddLanes(stream, plan);
  });
}

INSTANTIATE_TEST_SUITE_P(Seeds, DownsOfDevices, ::testing::Range(0, 3));

/// The ports of one switch have all kinds of links at once; links of NICs go down twice.
TEST(DownsOfDevices, OfOneSwitchEqualGoldenOnes) {
  for (const int down : {0, faults::kBlock}) {
    faults::Plan plan = network::Mixed();
    plan.retry.down = static_cast<std::uint8_t>(down);
    for (int e = 0; e < 6; ++e) {
      plan.events.push_back(Event(200 + 90 * e, EventKind::kDown, {End::kEndpoint, e, 0}, 1 + 30 * e));
      plan.events.push_back(Event(1300 + 70 * e, EventKind::kDown, {End::kEndpoint, e, 0}, 1 + 200 * e));
    }
    SortEvents(&plan);
    NetworkOptions options = Short("uniform", 0.7, "32,300,2000", true);
    options.make_node = Words(0, 1);
    const PairRun run = RunPair(network::LoneSwitch(), network::With(options, plan));
    EXPECT_EQ(run.failure, "");
    EXPECT_EQ(run.ending, network::Ending::kDrained);
  }
}

/// The link of a NIC goes down in cycles one after another of a replay of short packets, whose attempts follow each other
/// closely: also in the cycle in which one begins, and in those before its first word is on the link.
TEST(DownsOfDevices, AmidAReplayEqualGoldenOnes) {
  const LinkName link{End::kEndpoint, 0, 0};
  std::int64_t resent = 0;
  constexpr Cycle kBad = 250, kReplayed = 110;
  for (Cycle down = kBad; down < kBad + kReplayed && !HasFailure(); down += RunsOf(11, 1, 1)) {
    SCOPED_TRACE(down);
    faults::Plan plan;
    plan.events = {Event(kBad, EventKind::kBadWord, link), Event(down, EventKind::kDown, link, 1)};
    NetworkOptions options = Short("hotspot:0:0.7", 0.9, "32,64", true);
    options.cycles = 1000;
    options.warmup = 0;
    options.make_node = Words(0, 1);
    const PairRun run = RunPair(network::LoneSwitch(), network::With(options, plan));
    EXPECT_EQ(run.failure, "");
    EXPECT_EQ(run.ending, network::Ending::kDrained);
    resent += run.retry.resent_words;
  }
  EXPECT_GT(resent, 0);
}

TEST(DownsOfDevices, ThatStayDownEqualGoldenOnes) {
  NetworkOptions options = Short("uniform", 0.4, "64,512", false);
  options.retry = true;
  options.faults = {{2, 3, 600}, {1, 0, 900}};
  ExpectEqualDowns(SixSwitches(), options);
}

/// The tree of a job loses a link, and its ranks are told.
TEST(DownsOfDevices, EndJobsThatReduceAsGoldenOnes) {
  for (const Cycle at : {300, 900, 1500}) {
    faults::Plan plan = network::Mixed();
    plan.events = {Event(at, EventKind::kDown, {End::kSwitchPort, 2, 2}, 500),
                   Event(at + 100, EventKind::kDown, {End::kEndpoint, 1, 0}, 900)};
    NetworkOptions options = Jobs("allreduce:sharp,bytes=9000,iterations=3,check=yes,timeout=8us,ranks=12", 12);
    ExpectEqualDowns(SixSwitches(), network::With(options, plan));
  }
}

/// Tables of devices are written by the plan, or by the manager of the fabric.
TEST(DownsOfDevices, WhoseTablesTheManagerWritesEqualGoldenOnes) {
  faults::Plan plan;
  plan.channel.word_ber = 1e-5;
  plan.manager = faults::Manager();
  plan.manager->tables = true;
  plan.manager->delay = 200;
  plan.events = {Event(500, EventKind::kDown, {End::kSwitchPort, 5, 3}, 1500),
                 Event(900, EventKind::kDown, {End::kSwitchPort, 2, 4}, 800)};
  NetworkOptions options = Short("uniform", 0.3, "64,512", false);
  const topology::Topology topology = topology::Build("dragonfly:p=1,a=4,h=1");
  ExpectEqualDowns(topology, network::With(options, plan));
}

TEST(DownsOfDevices, LookaheadOrderAndThreadsChangeNothing) {
  const topology::Topology topology = SixSwitches();
  Stream stream(77, 0, 0, Purpose::kOutage);
  faults::Plan plan = network::Mixed();
  AddDowns(topology, 6, 1000, &stream, &plan);
  NetworkOptions options = network::With(Short("uniform", 0.5, "64,512", true), plan);
  options.cycles = 900;
  options.warmup = 100;
  for (const Cycle lookahead : {1, 3}) {
    options.lookahead = lookahead;
    options.order = static_cast<std::uint64_t>(lookahead);
    options.threads = lookahead == 3 ? 3 : 1;
    ExpectEqualDowns(topology, options);
  }
}

}  // namespace
}  // namespace tilefly::cosim
