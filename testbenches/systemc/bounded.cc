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

}  // namespace

void ExpectSamePauses(std::vector<Told> golden, std::vector<Told> systemc) {
  const auto in_order = [](const Told& a, const Told& b) {
    return a.port != b.port ? a.port < b.port : a.first_word < b.first_word;
  };
  std::sort(golden.begin(), golden.end(), in_order);
  std::sort(systemc.begin(), systemc.end(), in_order);
  ASSERT_EQ(golden.size(), systemc.size()) << "PAUSE frames";
  if (golden.empty()) return;
  std::size_t same = 0;
  for (std::size_t i = 0; i < golden.size(); ++i) {
    EXPECT_EQ(golden[i].port, systemc[i].port);
    EXPECT_EQ(golden[i].quanta, systemc[i].quanta);
    same += golden[i].first_word == systemc[i].first_word;
  }
  const double share = static_cast<double>(same) / static_cast<double>(golden.size());
  std::printf("measured: %-30s %7zu frames of the switch  same cycle %.4f\n", "  PAUSE", golden.size(), share);
  EXPECT_GE(share, kSameCycle);
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
    for (std::size_t p = 0; p < offers.size(); ++p) EXPECT_EQ(golden.acks[p].size(), run.outcome.acks[p].size()) << p;
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
