// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/red_contract.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <tuple>

#include "support/latency.h"
#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/golden_side.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/systemc_side.h"

namespace tilefly::systemc {
namespace {

constexpr std::uint64_t kPeersSeed = 7;

/// Packets to one peer of one group: those of streams, and of short operations, of one number if their order does not
/// matter.
using Flow = std::tuple<int, int, int>;
constexpr int kStreams = -1;
/// Port, group; what the last CREDIT of each lock says: tag, credit.
using Credits = std::map<std::pair<int, int>, std::vector<std::pair<int, int>>>;

struct Received {
  std::map<Flow, std::vector<const RedArrival*>> flows;
  Credits credits;
};

Received Sort(const std::vector<RedArrival>& arrivals, Order order) {
  Received received;
  for (const RedArrival& arrival : arrivals) {
    const Red red = Red::UnpackBytes(arrival.frame->data());
    const auto what = static_cast<RedWhat>(red.what);
    if (what == RedWhat::kCredit) {
      auto& told = received.credits[{arrival.port, red.group}];
      if (told.empty() || told.back().first != red.tag) told.emplace_back(red.tag, 0);
      told.back().second = red.credit;
      continue;
    }
    const bool streams = what == RedWhat::kSegment || what == RedWhat::kResult;
    const int number = order == Order::kOfStreams ? red.seq : 0;
    received.flows[{arrival.port, red.group, streams ? kStreams : number}].push_back(&arrival);
  }
  return received;
}

bool SamePacket(const RedArrival& a, const RedArrival& b) {
  return std::memcmp(&a.header, &b.header, sizeof a.header) == 0 && *a.frame == *b.frame;
}

Figures FiguresOf(const std::vector<RedArrival>& arrivals) {
  LatencyHistogram latency;
  std::size_t results = 0;
  for (const RedArrival& arrival : arrivals) {
    if (arrival.since < 0) continue;
    ++results;
    latency.Add(arrival.first - arrival.since);
  }
  if (results == 0) return {};
  return {results, latency.Mean(), static_cast<double>(latency.Quantile(0.99)), 0};
}

/// Somebody was told of a failure with this code.
bool Fails(const std::vector<RedArrival>& arrivals, RedCode code) {
  return std::any_of(arrivals.begin(), arrivals.end(), [&](const RedArrival& arrival) {
    const Red red = Red::UnpackBytes(arrival.frame->data());
    return static_cast<RedWhat>(red.what) == RedWhat::kFail && static_cast<RedCode>(red.code) == code;
  });
}

bool Counts(const Outcome& outcome, Counter counter) {
  return std::any_of(outcome.counters.begin(), outcome.counters.end(),
                     [&](const auto& of_port) { return of_port[static_cast<std::size_t>(counter)] != 0; });
}

double Off(double golden, double systemc) { return golden == 0 ? (systemc == 0 ? 0 : 1) : systemc / golden - 1; }

}  // namespace

std::string RedComparison::Row() const {
  char text[240];
  std::snprintf(
      text, sizeof text,
      "%7zu reduction packets, %zu results  mean %8.2f %8.2f (%+.3f %%)  p99 %6.0f %6.0f (%+.2f %%)  same cycle %.4f",
      packets, results, golden.mean, systemc.mean, 100 * Off(golden.mean, systemc.mean), golden.p99, systemc.p99,
      100 * Off(golden.p99, systemc.p99),
      static_cast<double>(same_cycle) / static_cast<double>(std::max<std::size_t>(1, packets)));
  return text;
}

RedComparison CompareReductions(const std::vector<RedArrival>& golden, const std::vector<RedArrival>& systemc,
                                const Bounds& bounds, Order order) {
  RedComparison comparison;
  comparison.packets = golden.size();
  comparison.golden = FiguresOf(golden);
  comparison.systemc = FiguresOf(systemc);
  comparison.results = comparison.golden.packets;
  const Received there = Sort(golden, order);
  const Received here = Sort(systemc, order);
  std::size_t other = 0;
  std::size_t missing = 0;
  std::size_t more = 0;
  for (const auto& [flow, packets] : there.flows) {
    const auto found = here.flows.find(flow);
    const std::size_t came = found == here.flows.end() ? 0 : found->second.size();
    missing += packets.size() - std::min(came, packets.size());
    more += came - std::min(came, packets.size());
    for (std::size_t i = 0; i < std::min(came, packets.size()); ++i)
      other += !SamePacket(*packets[i], *found->second[i]);
  }
  for (const auto& [flow, packets] : here.flows) more += there.flows.count(flow) == 0 ? packets.size() : 0;
  const auto say = [&](std::size_t count, const char* what) {
    if (count != 0) comparison.broken.push_back(std::to_string(count) + what);
  };
  say(missing, " reduction packets of golden did not come");
  say(more, " reduction packets came that golden does not send");
  say(other, " reduction packets differ from golden's in their place");
  if (here.credits != there.credits) comparison.broken.push_back("other CREDITs than golden's");
  if (std::abs(Off(comparison.golden.mean, comparison.systemc.mean)) > bounds.mean)
    comparison.broken.push_back("mean latency of results");
  if (std::abs(Off(comparison.golden.p99, comparison.systemc.p99)) > bounds.p99)
    comparison.broken.push_back("99th percentile of results");
  std::map<std::tuple<int, Cycle>, const RedArrival*> in_cycle;
  for (const RedArrival& arrival : golden) in_cycle[{arrival.port, arrival.first}] = &arrival;
  for (const RedArrival& arrival : systemc) {
    const auto found = in_cycle.find({arrival.port, arrival.first});
    comparison.same_cycle += found != in_cycle.end() && SamePacket(*found->second, arrival);
  }
  return comparison;
}

void ExpectReduces(const char* name, ContractSetup setup, const std::vector<RedTreePlan>& trees,
                   const RedDemands& demands) {
  const TrafficOptions* const traffic = demands.traffic;
  constexpr double kSameCycle = 0.999;
  constexpr double kMostEvents = 30;
  constexpr std::size_t kFewest = 100;
  InChild([&] {
    WriteTrees(trees, &setup);
    const Offers offers = traffic == nullptr ? Offers(static_cast<std::size_t>(setup.profile.ports))
                                             : MakeOffers(setup.profile.ports, *traffic);
    RedPeers of_golden(setup.profile, trees, kPeersSeed);
    RedPeers of_systemc(setup.profile, trees, kPeersSeed);
    const Outcome golden = RunGolden(setup, offers, &of_golden);
    const SystemcRun run = RunSystemc(setup, offers, {}, &of_systemc);
    const RedComparison reductions = CompareReductions(of_golden.arrivals, of_systemc.arrivals);
    std::printf("measured: %-30s %s  events %.1f\n", name, reductions.Row().c_str(), run.events_a_hop);
    EXPECT_GE(reductions.results, kFewest);
    for (const std::string& broken : reductions.broken) ADD_FAILURE() << broken;
    EXPECT_GE(static_cast<double>(reductions.same_cycle), kSameCycle * static_cast<double>(reductions.packets));
    if (traffic != nullptr) {
      const Comparison comparison = Compare(offers, golden, run.outcome);
      std::printf("measured: %-30s %s\n", "  and other traffic", comparison.Row().c_str());
      for (const std::string& broken : comparison.broken) ADD_FAILURE() << broken;
    }
    for (const fabric::Violation& violation : run.violations) {
      ADD_FAILURE() << violation.rule << " in " << violation.cycle << ": " << violation.what;
    }
    EXPECT_LE(run.events_a_hop, kMostEvents);
    EXPECT_EQ(of_golden.done(), demands.finishes);
    EXPECT_EQ(of_systemc.done(), demands.finishes);
    EXPECT_EQ(golden.statuses, run.outcome.statuses);
    for (const RedCode code : demands.failures) EXPECT_TRUE(Fails(of_golden.arrivals, code)) << ToString(code);
    for (const Counter counter : demands.counters) EXPECT_TRUE(Counts(golden, counter)) << ToString(counter);
    EXPECT_TRUE(golden.drained);
    EXPECT_TRUE(run.outcome.drained);
    EXPECT_EQ(run.held, 0u);
    for (std::size_t p = 0; p < golden.counters.size(); ++p) {
      for (std::size_t i = 0; i < golden.counters[p].size(); ++i) {
        EXPECT_EQ(golden.counters[p][i], run.outcome.counters[p][i]) << "port " << p << ", counter " << i;
      }
    }
  });
}

}  // namespace tilefly::systemc
