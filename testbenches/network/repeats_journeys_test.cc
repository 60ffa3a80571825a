// SPDX-License-Identifier: Apache-2.0
// Packets followed over links that send damaged words again and go down, and what these links did in every cycle,
// against the naive system, whose links are looked at word by word.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "network/figures.h"
#include "support/errors.h"
#include "testbenches/network/planned_event.h"
#include "testbenches/network/repeats_naive.h"
#include "testbenches/network/retry_judge.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/systems.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using ::testing::HasSubstr;
using End = faults::LinkName::End;
using faults::EventKind;

const topology::Topology& Small() {
  static const topology::Topology topology = topology::Build("dragonfly:p=2,a=2,h=1");
  return topology;
}

NetworkOptions Followed(double load, const std::string& size) {
  NetworkOptions options = Sized("uniform", load, size, false);
  options.cycles = 1500;
  options.warmup = 0;
  options.stalls = true;
  options.journeys.all = true;
  return options;
}

/// Words and slots of all links are damaged.
faults::Plan Errors() {
  faults::Plan plan;
  plan.channel.word_ber = 1e-5;
  plan.channel.slot_ber = 1e-5;
  return plan;
}

/// Links between switches and of a NIC, each for some time.
faults::Plan Downs() {
  faults::Plan plan;
  plan.events = {Event(300, EventKind::kDown, {End::kSwitchPort, 2, 3}, 10),
                 Event(350, EventKind::kDown, {End::kEndpoint, 9, 0}, 1200),
                 Event(400, EventKind::kDown, {End::kSwitchPort, 5, 6}, 900),
                 Event(900, EventKind::kDown, {End::kSwitchPort, 7, 2}, 1000)};
  return plan;
}

/// The same of the small system.
faults::Plan FewDowns() {
  faults::Plan plan;
  plan.events = {Event(300, EventKind::kDown, {End::kSwitchPort, 0, 2}, 900),
                 Event(350, EventKind::kDown, {End::kEndpoint, 9, 0}, 1000),
                 Event(400, EventKind::kDown, {End::kSwitchPort, 3, 3}, 10)};
  return plan;
}

/// SerDes lanes of links between switches and of a NIC die, in one direction: the other one tells of it.
faults::Plan DeadLanes() {
  faults::Plan plan;
  plan.events = {Event(200, EventKind::kLaneDown, {End::kSwitchPort, 0, 2}),
                 Event(300, EventKind::kLaneDown, {End::kEndpoint, 9, 0}),
                 Event(400, EventKind::kLaneDown, {End::kSwitchPort, 3, 3})};
  for (faults::PlannedEvent& event : plan.events) event.direction = faults::Direction::kOut;
  return plan;
}

/// A packet that is followed.
struct Told {
  Journey journey;
  bool counted;
};

/// No cycle is counted twice, and no reason has more cycles than its stage.
void ExpectInOrder(const Journey& journey) {
  Cycle before = journey.record.created;
  const auto next = [&](Cycle cycle) {
    if (cycle < 0) return;
    EXPECT_LE(before, cycle);
    before = cycle;
  };
  next(journey.ready);
  EXPECT_GE(journey.held, 0);
  EXPECT_LE(journey.held, journey.record.sent - journey.ready);
  next(journey.record.sent);
  for (const JourneyHop& hop : journey.hops) {
    if (!hop.again) {
      next(hop.tried);
      next(hop.first);
    }
    for (std::size_t i = 0; i < hop.stages.size(); ++i) next(hop.stages[i]);
    next(hop.rerouted);
    EXPECT_EQ(hop.rerouted >= 0, &hop != &journey.hops.back() && (&hop + 1)->again);
    if (hop.taken >= 0) {
      EXPECT_GE(hop.held, 0);
      EXPECT_LT(hop.held, hop.taken - before);
    }
    next(hop.taken);
  }
  if (!journey.delivered()) return;
  next(journey.tried);
  next(journey.first);
  next(journey.last);
}

/// What the journeys say of links that repeat.
std::vector<NaiveRepeats::Accepted> AcceptedOf(const Network& network, const std::vector<Told>& all) {
  std::vector<NaiveRepeats::Accepted> accepted;
  for (const Told& one : all) {
    for (const JourneyHop& hop : one.journey.hops) {
      if (!hop.again && network.faults().Damages(hop.node, hop.in_port))
        accepted.push_back({hop.node, hop.in_port, false, hop.tried, hop.first});
    }
    if (!one.journey.delivered()) continue;
    const topology::Port to = network.topology().endpoints[one.journey.record.destination].port;
    if (network.faults().Damages(to.at, to.port))
      accepted.push_back({to.at, to.port, true, one.journey.tried, one.journey.first});
  }
  std::sort(accepted.begin(), accepted.end());
  return accepted;
}

struct Found {
  Cycle replays = 0, held = 0, retry_cycles = 0;
  std::int64_t rerouted = 0, delivered_again = 0;  ///< of the packets that were routed again, those that arrived
};

/// (switch, input, cycle, output, lane) of grants with `reroute`.
using Reroutes = std::multiset<std::array<std::int64_t, 5>>;

/// All that the naive system shows, and the books beside it.
Found ExpectNaive(const topology::Topology& topology, const NetworkOptions& options) {
  Found found;
  Network network(topology, options);
  NaiveSystem naive(network);
  std::vector<Told> told;
  network.TellJourneys([&](const Journey& journey, bool counted) { told.push_back({journey, counted}); });
  EXPECT_EQ(network.Run(), Ending::kDrained);
  const Figures figures(network);
  network.TellJourneysInside();
  EXPECT_EQ(static_cast<std::int64_t>(told.size()), network.statistics().sent());
  RetryJudge judge(network, naive);
  Reroutes seen, said;
  naive.Run(network.cycle() + 2000, [&](int node, Cycle now, const golden::Switch& device,
                                        const golden::SwitchObservation& observed) {
    judge.Look(node, now, device);
    for (int port = 0; port < network.profile().ports; ++port) {
      const Portobs& record = observed.ports[port];
      if (record.gin_valid && record.gin_reroute) seen.insert({node, port, now, record.gin_src, record.gin_vl});
    }
  });
  ExpectWaits(network, naive);
  std::vector<NaiveRepeats::Accepted> expected = naive.repeats().accepted();
  std::sort(expected.begin(), expected.end());
  const std::vector<NaiveRepeats::Accepted> accepted = AcceptedOf(network, told);
  EXPECT_EQ(accepted.size(), expected.size());
  EXPECT_TRUE(accepted == expected);
  for (const NaiveRepeats::Accepted& one : accepted) found.replays += one.first - one.tried;
  for (const Told& one : told) {
    ExpectInOrder(one.journey);
    found.held += one.journey.held;
    found.delivered_again += one.journey.delivered() && std::any_of(one.journey.hops.begin(), one.journey.hops.end(),
                                                                    [](const JourneyHop& hop) { return hop.again; });
    for (const JourneyHop& hop : one.journey.hops) {
      if (hop.rerouted >= 0) said.insert({hop.node, hop.in_port, hop.rerouted, hop.out_port, hop.lane});
      if (hop.taken < 0) continue;
      const Cycle arrived = hop.stages[static_cast<std::size_t>(golden::Stage::kArrived)];
      EXPECT_EQ(hop.held, judge.CountHeld(hop.node, hop.out_port, arrived + 1, hop.taken));
      found.held += hop.held;
    }
  }
  found.rerouted = static_cast<std::int64_t>(said.size());
  EXPECT_TRUE(std::includes(seen.begin(), seen.end(), said.begin(), said.end()));
  if (network.statistics().retry.broken_copies == 0) EXPECT_EQ(said, seen);
  found.retry_cycles = judge.Compare();
  return found;
}

TEST(RepeatingJourneys, OfWordsAndSlotsWithErrorsAreTheNaiveOnes) {
  const Found found = ExpectNaive(Small(), With(Followed(0.9, "64,512,4224"), Errors()));
  EXPECT_GT(found.replays, 10'000);
  EXPECT_GT(found.held, 1000);
  EXPECT_GT(found.retry_cycles, 500);
}

TEST(RepeatingJourneys, OverLinksThatGoDownAreTheNaiveOnes) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds, a minute with sanitizers: from tier ci on";
  Found found = ExpectNaive(Dragonfly(), With(Followed(0.8, "64,512"), Downs()));
  EXPECT_GT(found.rerouted, 20);
  EXPECT_GT(found.retry_cycles, 50);
  NetworkOptions adaptive = Followed(0.8, "64,512");
  adaptive.routing = RoutingOptions::Named("adaptive_0");
  found = ExpectNaive(Dragonfly(), With(adaptive, Downs()));
  EXPECT_GT(found.delivered_again, 2);
  faults::Plan plan = Errors();
  plan.events = FewDowns().events;
  found = ExpectNaive(Small(), With(Followed(0.6, "64,512,4224"), plan));
  EXPECT_GT(found.replays, 2000);
}

TEST(RepeatingJourneys, WherePortsBlockWhileTheirLinksAreDownAreTheNaiveOnes) {
  faults::Plan plan = FewDowns();
  plan.retry.down = 1;
  const Found found = ExpectNaive(Small(), With(Followed(0.4, "64,512"), plan));
  EXPECT_EQ(found.rerouted, 0);
  EXPECT_GT(found.held, 2000);
  EXPECT_GT(found.retry_cycles, 1500);
  plan.retry.down = 2;
  EXPECT_THROW(Network(Small(), With(Followed(0.4, "64,512"), plan)), UsageError);
}

TEST(RepeatingJourneys, OverLinksWithDeadLanesAreTheNaiveOnes) {
  const Found found = ExpectNaive(Small(), With(Followed(0.7, "64,512"), DeadLanes()));
  EXPECT_GT(found.replays, 1000);
  EXPECT_GT(found.held, 10);
}

/// The cycles of a packet, from the begin of traffic on.
std::string TextOf(const Network& network, const Journey& journey) {
  std::string text = fmt::format("e{}:{}", journey.record.source, journey.number);
  const auto add = [&](Cycle cycle) { text += fmt::format(" {}", cycle < 0 ? -1 : cycle - network.nics().begin); };
  for (const Cycle cycle : {journey.record.created, journey.ready, journey.record.sent}) add(cycle);
  for (const JourneyHop& hop : journey.hops) {
    text += fmt::format("; s{} {} {} {}", hop.node, hop.in_port, hop.out_port, hop.lane);
    EXPECT_EQ(hop.tried, hop.first);
    EXPECT_EQ(hop.held, 0);
    EXPECT_FALSE(hop.again);
    for (const Cycle cycle : {hop.first, hop.trigger, hop.taken}) add(cycle);
    for (const Cycle cycle : hop.stages) add(cycle);
    text += fmt::format(" {} {}", hop.waits.no_credit, hop.waits.no_room);
  }
  EXPECT_EQ(journey.tried, journey.first);
  EXPECT_EQ(journey.held, 0);
  for (const Cycle cycle : {journey.first, journey.last}) add(cycle);
  return text + "\n";
}

std::string AllOf(const NetworkOptions& options) {
  Network network(Dragonfly(), options);
  std::vector<Told> told;
  network.TellJourneys([&](const Journey& journey, bool counted) { told.push_back({journey, counted}); });
  EXPECT_EQ(network.Run(), Ending::kDrained);
  std::string text;
  std::sort(told.begin(), told.end(), [](const Told& a, const Told& b) {
    return std::tie(a.journey.record.source, a.journey.number) < std::tie(b.journey.record.source, b.journey.number);
  });
  for (const Told& one : told) text += TextOf(network, one.journey);
  return text;
}

/// With the plan both halves of the retry block run at every end of every link, and no error comes.
TEST(RepeatingJourneys, WithoutAnErrorAreThoseWithoutRetry) {
  NetworkOptions options = Followed(0.3, "64,512");
  const std::string off = AllOf(options);
  options.retry = true;
  EXPECT_EQ(AllOf(options), off);
  EXPECT_EQ(AllOf(Repeating(options, 1e-15)), off);
  EXPECT_GT(off.size(), 100'000u);
}

std::string TextOf(const NetworkOptions& options, int processes, Cycle stop) {
  std::string text;
  OnThreads(processes, [&](Processes& all) {
    Network network(Dragonfly(), options, &all);
    const Cycle begin = network.nics().begin;
    const Ending ending = network.Run([&](Cycle cycle) { return cycle > begin + stop; });
    const Figures figures(network);
    if (!all.first()) return;
    text = Text(network, ending, figures);
    text = text.substr(text.find('\n'));
  });
  return text;
}

/// Also those of packets that are under way when the run is stopped, each once.
TEST(RepeatingJourneys, AreTheSameOnThreadsAndProcessesAndWhateverTheLookahead) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "some seconds, a minute with sanitizers: from tier ci on";
  faults::Plan plan = Errors();
  plan.events = Downs().events;
  NetworkOptions options = With(Followed(0.4, "64,512,4224"), plan);
  options.journeys = {};
  options.journeys.slowest = 100;
  for (int e = 0; e < 72; ++e) {
    for (const int number : {1, 3, 5, 8}) options.journeys.packets.push_back({e, number});
  }
  for (const Cycle stop : {Cycle{700}, Cycle{1'000'000}}) {
    NetworkOptions other = options;
    const std::string whole = TextOf(options, 1, stop);
    EXPECT_THAT(whole, HasSubstr("packet 8 of "));
    for (const int size : {2, 3}) {
      EXPECT_EQ(TextOf(options, size, stop), whole) << size;
      other.threads = size;
      EXPECT_EQ(TextOf(other, 1, stop), whole) << size;
    }
    other.threads = 1;
    other.lookahead = 7;
    other.order = 1;
    if (stop > options.cycles) EXPECT_EQ(TextOf(other, 1, stop), whole);
  }
}

/// What is on a link, in a replay buffer and beyond it at once is told once.
TEST(RepeatingJourneys, AreToldOnceWhereARunIsStopped) {
  faults::Plan plan = Errors();
  plan.channel.word_ber = 1e-4;
  plan.events = Downs().events;
  for (const Cycle stop : {Cycle{330}, Cycle{650}, Cycle{1100}}) {
    Network network(Dragonfly(), With(Followed(0.5, "64,512"), plan));
    std::set<std::pair<std::int64_t, std::int64_t>> told;
    std::int64_t delivered = 0, dropped = 0;
    network.TellJourneys([&](const Journey& journey, bool) {
      EXPECT_TRUE(told.emplace(journey.record.source, journey.number).second);
      delivered += journey.delivered();
      dropped += journey.dropped;
      ExpectInOrder(journey);
    });
    const Cycle begin = network.nics().begin;
    ASSERT_EQ(network.Run([&](Cycle cycle) { return cycle > begin + stop; }), Ending::kStopped);
    const Figures figures(network);
    const std::size_t ended = told.size();
    network.TellJourneysInside();
    const Statistics& sums = network.statistics();
    EXPECT_EQ(static_cast<std::int64_t>(told.size()), sums.sent());
    EXPECT_EQ(static_cast<std::int64_t>(told.size() - ended), sums.in_flight());
    EXPECT_EQ(delivered, sums.delivered());
    EXPECT_EQ(dropped, sums.lost + sums.dropped());
    EXPECT_GT(sums.retry.replays, 20);
  }
}

}  // namespace
}  // namespace tilefly::network
