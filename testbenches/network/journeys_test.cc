// SPDX-License-Identifier: Apache-2.0
// Packets followed through a system: every stage is an event that the naive system's observation records show too.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "testbenches/network/hand_made.h"
#include "testbenches/network/naive_system.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

/// (switch, port, cycle, other port, lane) of an event.
using Event = std::array<std::int64_t, 5>;
struct Events {
  std::multiset<Event> requested, granted, grants_here, picked, taken;
  std::multiset<Event> arrived;  ///< with the row for the other port
};

void Collect(int node, Cycle now, const golden::Switch& device, const golden::SwitchObservation& observed,
             Events* events) {
  const Profile& profile = device.profile();
  for (int port = 0; port < profile.ports; ++port) {
    const Portobs& record = observed.ports[port];
    if (record.req_valid) events->requested.insert({node, port, now, record.req_dst, record.req_vl});
    if (record.dec_valid) events->granted.insert({node, port, now, record.dec_src, record.dec_vl});
    if (record.gin_valid) events->grants_here.insert({node, port, now, record.gin_src, record.gin_vl});
    if (record.pick_valid) events->picked.insert({node, port, now, record.pick_dst, 0});
    if (record.take_valid) events->taken.insert({node, port, now, 0, 0});
    for (int row = 0; row < profile.rows; ++row) {
      if ((record.arr_rows >> row & 1) != 0) events->arrived.insert({node, port, now, row, 0});
    }
  }
}

/// What the journeys say happened, in the same form.
Events EventsOf(const std::vector<Journey>& journeys, const golden::Geometry& geometry) {
  Events events;
  for (const Journey& journey : journeys) {
    for (const JourneyHop& hop : journey.hops) {
      const auto at = [&](golden::Stage stage) { return hop.stages[static_cast<std::size_t>(stage)]; };
      events.requested.insert({hop.node, hop.in_port, at(golden::Stage::kRequested), hop.out_port, hop.lane});
      events.granted.insert({hop.node, hop.out_port, at(golden::Stage::kGranted), hop.in_port, hop.lane});
      events.grants_here.insert({hop.node, hop.in_port, at(golden::Stage::kGrantHere), hop.out_port, hop.lane});
      events.picked.insert({hop.node, hop.in_port, at(golden::Stage::kPicked), hop.out_port, 0});
      events.arrived.insert({hop.node, hop.out_port, at(golden::Stage::kArrived), geometry.row[hop.in_port], 0});
      events.taken.insert({hop.node, hop.out_port, hop.taken, 0, 0});
    }
  }
  return events;
}

NetworkOptions OfPattern(const std::string& pattern, double load, const std::string& size) {
  NetworkOptions options;
  options.bench_timing = true;
  options.traffic.pattern = pattern;
  options.traffic.load = load;
  options.traffic.size = size;
  options.cycles = 2500;
  options.warmup = 0;
  options.journeys.slowest = 1'000'000;
  return options;
}

/// The latest way along the journey is each stage's own, and no cycle is counted twice.
void ExpectInOrder(const Journey& journey) {
  Cycle before = journey.record.created;
  const auto next = [&](Cycle cycle) {
    EXPECT_LE(before, cycle);
    before = cycle;
  };
  next(journey.ready);
  next(journey.record.sent);
  for (const JourneyHop& hop : journey.hops) {
    next(hop.first);
    for (const Cycle cycle : hop.stages) next(cycle);
    next(hop.taken);
    const Cycle waited = hop.stages[static_cast<std::size_t>(golden::Stage::kGranted)] -
                         hop.stages[static_cast<std::size_t>(golden::Stage::kStored)] - 1;
    EXPECT_GE(hop.waits.no_credit, 0);
    EXPECT_GE(hop.waits.no_room, 0);
    EXPECT_LE(hop.waits.no_credit + hop.waits.no_room, waited);
  }
  next(journey.last);
}

void ExpectObserved(const topology::Topology& topology, const NetworkOptions& options, std::size_t least) {
  Network network(topology, options);
  NaiveSystem naive(network);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  const std::vector<Journey> journeys = Figures(network).journeys;
  EXPECT_EQ(static_cast<std::int64_t>(journeys.size()), network.statistics().delivered());
  EXPECT_GE(journeys.size(), least);
  Events events;
  naive.Run(network.cycle() + 100,
            [&](int node, Cycle now, const golden::Switch& device, const golden::SwitchObservation& observed) {
              Collect(node, now, device, observed, &events);
            });
  const Events told = EventsOf(journeys, golden::Geometry(network.profile()));
  EXPECT_EQ(told.requested, events.requested);
  EXPECT_EQ(told.granted, events.granted);
  EXPECT_EQ(told.grants_here, events.grants_here);
  EXPECT_EQ(told.picked, events.picked);
  EXPECT_EQ(told.arrived, events.arrived);
  EXPECT_EQ(told.taken, events.taken);
  for (const Journey& journey : journeys) ExpectInOrder(journey);
}

TEST(Journeys, EveryStageIsAnEventOfTheRecords) {
  const auto topology = topology::Build("dragonfly:p=2,a=2,h=1");
  ExpectObserved(topology, OfPattern("uniform", 0.9, "32,512,4224"), 300);
  ExpectObserved(topology, OfPattern("hotspot:0:0.8", 1, "64,700"), 300);
}

TEST(Journeys, TheSlowestAreThoseOfTheLargestLatency) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = OfPattern("uniform", 0.8, "64,512");
  std::vector<Journey> all, few;
  for (std::vector<Journey>* journeys : {&all, &few}) {
    Network network(topology, options);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    *journeys = Figures(network).journeys;
    options.journeys.slowest = 7;
    options.lookahead = 3;
  }
  ASSERT_EQ(few.size(), 7u);
  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(few[i].record.source, all[i].record.source);
    EXPECT_EQ(few[i].number, all[i].number);
    EXPECT_EQ(few[i].latency(), all[i].latency());
    if (i > 0) EXPECT_LE(few[i].latency(), few[i - 1].latency());
  }
}

TEST(Journeys, AllAreToldOnceAndNoneIsKept) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = OfPattern("uniform", 0.6, "64,512");
  options.journeys = {};
  options.journeys.all = true;
  options.warmup = 500;
  options.faults = {{0, 2, 900}};
  Network network(topology, options);
  std::set<std::pair<std::int64_t, std::int64_t>> told;
  std::int64_t counted = 0, delivered = 0, dropped = 0;
  network.TellJourneys([&](const Journey& journey, bool counts) {
    EXPECT_TRUE(told.emplace(journey.record.source, journey.number).second);
    counted += counts;
    delivered += journey.delivered();
    dropped += journey.dropped;
    if (journey.delivered()) ExpectInOrder(journey);
  });
  const Cycle begin = network.nics().begin;
  ASSERT_EQ(network.Run([&](Cycle cycle) { return cycle > begin + 1500; }), Ending::kStopped);
  const Figures figures(network);
  EXPECT_TRUE(figures.journeys.empty());
  const std::size_t ended = told.size();
  network.TellJourneysInside();
  const Statistics& statistics = network.statistics();
  EXPECT_EQ(static_cast<std::int64_t>(told.size()), statistics.sent());
  EXPECT_EQ(static_cast<std::int64_t>(told.size() - ended), statistics.in_flight());
  EXPECT_GT(statistics.in_flight(), 0);
  EXPECT_EQ(delivered, statistics.delivered());
  EXPECT_EQ(dropped, statistics.lost + statistics.dropped());
  EXPECT_GT(statistics.lost, 0);
  std::int64_t latencies = 0;
  for (const ClassStatistics& one : statistics.classes) latencies += one.latency.count();
  EXPECT_EQ(counted, latencies);
  EXPECT_GT(delivered, counted) << "packets of the warm-up do not count";
}

TEST(Journeys, APacketByItsNumberEvenWhenItNeverArrives) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = OfPattern("uniform", 0.5, "512");
  options.journeys = {};
  options.journeys.packets = {{3, 2}, {60, 1}, {5, 1}};
  options.traffic.plan = {{0, 3, 2, 512}, {0, 3, 2, 512}, {1990, 60, 3, 512}};
  Network network(topology, options);
  const Cycle begin = network.nics().begin;
  ASSERT_EQ(network.Run([&](Cycle cycle) { return cycle > begin + 1990; }), Ending::kStopped);
  const std::vector<Journey> journeys = Figures(network).journeys;
  ASSERT_EQ(journeys.size(), 2u);
  EXPECT_EQ(journeys[0].record.source, 3);
  EXPECT_EQ(journeys[0].number, 2);
  EXPECT_EQ(journeys[1].record.source, 60);
  EXPECT_EQ(journeys[1].number, 1);
  EXPECT_EQ(std::count_if(journeys.begin(), journeys.end(), [](const Journey& one) { return one.delivered(); }), 1);
}

}  // namespace
}  // namespace tilefly::network
