// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/pause_setup.h"

#include <gtest/gtest.h>

#include "golden/ingress/lookup.h"
#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/golden_side.h"

namespace tilefly::systemc {

ContractSetup Standard(golden::PortMask ports, const Thresholds& thresholds) {
  ContractSetup setup(kTile8);
  PortMode mode;
  mode.enable = mode.std_format = true;
  mode.trust = static_cast<std::uint8_t>(Trust::kPcp);
  setup.standard = ports;
  golden::ForEachBit(ports, [&](int port) {
    setup.Write(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
    setup.Write(
        port, CfgSpace::kPort, static_cast<int>(PortReg::kPause),
        PortPause::Of(static_cast<std::uint64_t>(thresholds.xoff), static_cast<std::uint64_t>(thresholds.xon), true)
            .ToBits());
  });
  return setup;
}

TrafficOptions Traffic(golden::PortMask standard, double load, const std::string& pattern, Cycle cycles) {
  TrafficOptions traffic = Load(load, {64, 300, 1518}, 3);
  traffic.pattern = pattern;
  traffic.standard = standard;
  traffic.cycles = CyclesOf(cycles);
  return traffic;
}

std::uint64_t Count(const Outcome& outcome, int index) {
  std::uint64_t sum = 0;
  for (const auto& counters : outcome.counters) sum += counters[static_cast<std::size_t>(index)];
  return sum;
}

void ExpectPauses(const ContractSetup& setup, const Offers& offers, std::size_t sent, std::uint64_t obeyed) {
  const Outcome golden = RunGolden(setup, offers);
  EXPECT_GE(golden.pauses.size(), sent);
  EXPECT_EQ(Count(golden, static_cast<int>(Counter::kTxPause)), golden.pauses.size());
  EXPECT_GE(Count(golden, static_cast<int>(Counter::kRxPause)), obeyed);
  EXPECT_EQ(Count(golden, static_cast<int>(Drop::kBufferFull)), 0u);
}

}  // namespace tilefly::systemc
