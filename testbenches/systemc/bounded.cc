// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/bounded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "testbenches/bench/settings.h"
#include "testbenches/systemc/contract.h"
#include "testbenches/systemc/golden_side.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/systemc_side.h"

namespace tilefly::systemc {
namespace {

constexpr double kMostEvents = 30;        // kernel events a packet and hop
constexpr std::size_t kFewest = 1000;     // packets that are worth a figure
constexpr double kSameCycle = 0.999;      // share of the deliveries in golden's cycle: what is approximate is rare

/// What both sent, in order of ports and cycles, is as `same` demands, and most of it in the same cycle.
template <typename Sent, typename CycleOf, typename Same>
void Pair(const char* what, std::vector<Sent>* golden, std::vector<Sent>* systemc, CycleOf&& cycle_of, Same&& same) {
  const auto in_order = [&](const Sent& a, const Sent& b) {
    return a.port != b.port ? a.port < b.port : cycle_of(a) < cycle_of(b);
  };
  std::sort(golden->begin(), golden->end(), in_order);
  std::sort(systemc->begin(), systemc->end(), in_order);
  ASSERT_EQ(golden->size(), systemc->size()) << what;
  if (golden->empty()) return;
  std::size_t same_cycle = 0;
  for (std::size_t i = 0; i < golden->size(); ++i) {
    const Sent& mine = (*golden)[i];
    const Sent& theirs = (*systemc)[i];
    EXPECT_EQ(mine.port, theirs.port);
    EXPECT_TRUE(same(mine, theirs)) << what << " " << i << " of port " << int{mine.port} << " in " << cycle_of(mine);
    same_cycle += cycle_of(mine) == cycle_of(theirs);
  }
  const double share = static_cast<double>(same_cycle) / static_cast<double>(golden->size());
  std::printf("measured: %-30s %7zu of the switch  same cycle %.4f\n", what, golden->size(), share);
  EXPECT_GE(share, kSameCycle);
}

}  // namespace

void ExpectSamePauses(std::vector<Told> golden, std::vector<Told> systemc) {
  Pair("  PAUSE", &golden, &systemc, [](const Told& told) { return told.first_word; },
       [](const Told& a, const Told& b) { return a.quanta == b.quanta; });
}

void ExpectSamePauses(std::vector<FlowTold> golden, std::vector<FlowTold> systemc) {
  Pair("  pauses of flows", &golden, &systemc, [](const FlowTold& told) { return told.wire; },
       [](const FlowTold& a, const FlowTold& b) { return a.pause == b.pause; });
}

void ExpectSameAcks(const Outcome& golden, const Outcome& systemc) {
  ASSERT_EQ(golden.acks.size(), systemc.acks.size());
  for (std::size_t p = 0; p < golden.acks.size(); ++p) {
    ASSERT_EQ(golden.acks[p].size(), systemc.acks[p].size()) << "acks of port " << p;
    const auto [mine, theirs] = std::mismatch(golden.acks[p].begin(), golden.acks[p].end(), systemc.acks[p].begin());
    EXPECT_TRUE(mine == golden.acks[p].end())
        << "ack " << mine - golden.acks[p].begin() << " of port " << p << ": flow " << mine->flow << ", "
        << theirs->flow << "; load " << mine->load << ", " << theirs->load << "; mark " << mine->mark << ", "
        << theirs->mark << "; share " << mine->share << ", " << theirs->share;
  }
}

void ExpectBounded(const char* name, const ContractSetup& setup, const TrafficOptions& traffic) {
  ExpectBounded(name, setup, MakeOffers(setup.profile.ports, traffic));
}

void ExpectBounded(const char* name, const ContractSetup& setup, const Offers& offers) {
  InChild([&] {
    const Outcome golden = RunGolden(setup, offers);
    const SystemcRun run = RunSystemc(setup, offers);
    const Comparison comparison = Compare(offers, golden, run.outcome);
    std::printf("measured: %-30s %s  events %.1f\n", name, comparison.Row().c_str(), run.events_a_hop);
    EXPECT_GE(comparison.golden.packets, kFewest);
    for (const std::string& broken : comparison.broken) ADD_FAILURE() << broken;
    for (const fabric::Violation& violation : run.violations) {
      ADD_FAILURE() << violation.rule << " in " << violation.cycle << ": " << violation.what;
    }
    EXPECT_GE(run.checked, 2 * comparison.golden.packets);
    EXPECT_GE(static_cast<double>(comparison.same_cycle), kSameCycle * static_cast<double>(comparison.golden.packets));
    EXPECT_LE(run.events_a_hop, kMostEvents);
    EXPECT_TRUE(golden.drained);
    EXPECT_TRUE(run.outcome.drained);
    EXPECT_EQ(run.held, 0u);
    EXPECT_EQ(golden.counters, run.outcome.counters);
    ExpectSamePauses(golden.pauses, run.outcome.pauses);
    ExpectSamePauses(golden.flow_pauses, run.outcome.flow_pauses);
    ExpectSameAcks(golden, run.outcome);
  });
}

TrafficOptions Load(double load, std::vector<int> sizes, int classes) {
  TrafficOptions traffic;
  traffic.load = load;
  traffic.sizes = std::move(sizes);
  traffic.classes = classes;
  return traffic;
}

Cycle CyclesOf(Cycle quick) {
  constexpr Cycle kFullTimes = 10;
  return bench::TierFromEnvironment() == bench::Tier::kFull ? kFullTimes * quick : quick;
}

}  // namespace tilefly::systemc
