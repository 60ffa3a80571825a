// SPDX-License-Identifier: Apache-2.0
// The contract on standard ports that fill up: PAUSE of both directions (docs/systemc.md, PAUSE).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "golden/ingress/lookup.h"
#include "testbenches/systemc/bounded.h"
#include "testbenches/systemc/contract.h"
#include "testbenches/systemc/golden_side.h"
#include "testbenches/systemc/loosely_side.h"
#include "testbenches/systemc/pause_setup.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/systemc_side.h"

namespace tilefly::systemc {
namespace {

constexpr int kOutput = 5;  // to which all send

TEST(ContractPause, SendersAreStoppedWhenAllSendToOne) {
  const ContractSetup setup = Standard(kAllOf8);
  const Offers offers = MakeOffers(kTile8.ports, Traffic(kAllOf8, 0.4, "incast:5", 40000));
  ExpectPauses(setup, offers, 50, 0);
  ExpectBounded("8 ports, incast, PAUSE", setup, offers);
}

TEST(ContractPause, PartnersPauseClassesAndAll) {
  const ContractSetup setup = Standard(kAllOf8);
  TrafficOptions traffic = Traffic(kAllOf8, 0.4, "uniform", 40000);
  traffic.pauses = 0.05;
  traffic.most_quanta = 100;
  const Offers offers = MakeOffers(kTile8.ports, traffic);
  ExpectPauses(setup, offers, 0, 200);
  ExpectBounded("8 ports, paused by partners", setup, offers);
}

/// Of the other ports enhanced packets come, which credits hold back.
TEST(ContractPause, BothWaysOnHalfOfThePorts) {
  constexpr golden::PortMask kEven = 0x55;
  const ContractSetup setup = Standard(kEven, {200, 100});
  TrafficOptions traffic = Traffic(kEven, 0.6, "hotspot:2,6:0.6", 40000);
  traffic.pauses = 0.05;
  traffic.most_quanta = 200;
  const Offers offers = MakeOffers(kTile8.ports, traffic);
  ExpectPauses(setup, offers, 50, 200);
  ExpectBounded("8 ports, half standard, PAUSE", setup, offers);
}

/// The output stands still for longer than an XOFF holds.
TEST(ContractPause, XoffIsRepeated) {
  constexpr std::uint16_t kQuanta = 60000;
  const ContractSetup setup = Standard(kAllOf8);
  Offers offers = MakeOffers(kTile8.ports, Traffic(kAllOf8, 0.4, "incast:5", 40000));
  Header header;
  header.len = golden::kMinStdBytes;
  ASSERT_TRUE(offers[kOutput].empty());
  offers[kOutput].push_back({1u << 20, 2000, golden::HeaderBits(header), false, MakePauseFrame(std::nullopt, kQuanta)});
  const Outcome golden = RunGolden(setup, offers);
  std::size_t repeated = 0;
  std::vector<Told> last(kTile8.ports);
  for (const Told& told : golden.pauses) {
    repeated += told.quanta != 0 && last[told.port].quanta != 0;
    last[told.port] = told;
  }
  EXPECT_GE(repeated, 7u);
  ExpectBounded("8 ports, XOFF repeated", setup, offers);
}

/// Room behind XOFF for what is under way, and no more.
TEST(ContractPause, SendersThatObeyLateBreakIt) {
  InChild([] {
    constexpr int kRoom = 120;
    const ContractSetup setup = Standard(kAllOf8, {kTile8.cells - kRoom, kTile8.cells - 2 * kRoom});
    const Offers offers = MakeOffers(kTile8.ports, Traffic(kAllOf8, 0.6, "incast:5", 40000));
    const Outcome golden = RunGolden(setup, offers);
    EXPECT_EQ(Count(golden, static_cast<int>(Drop::kBufferFull)), 0u);
    const SystemcRun run = RunSystemc(setup, offers, 200);
    const Comparison comparison = Compare(offers, golden, run.outcome);
    std::printf("measured: %-30s %s\n", "PAUSE obeyed 200 cycles late", comparison.Row().c_str());
    EXPECT_FALSE(comparison.broken.empty());
    EXPECT_GT(Count(run.outcome, static_cast<int>(Drop::kBufferFull)), 0u);
    EXPECT_TRUE(run.violations.empty());  // no rule of the protocol says when
  });
}

/// Frames that meet a PAUSE of the output, which comes `late` cycles after it.
Offers Meeting(Cycle late) {
  constexpr int kTimes = 1000;
  constexpr Cycle kEvery = 2000;
  constexpr Cycle kBefore = 200;  // the PAUSE is so much earlier than the frame
  constexpr std::uint16_t kQuanta = 300;
  Offers offers(static_cast<std::size_t>(kTile8.ports));
  Header header;
  header.len = golden::kMinStdBytes;
  const std::uint64_t mac = golden::MacOfAddress(golden::FabricAddress(0, 0, kOutput));
  std::uint32_t id = 0;
  for (int i = 1; i <= kTimes; ++i) {
    offers[kOutput].push_back(
        {id++, kEvery * i + late, golden::HeaderBits(header), false, MakePauseFrame(std::nullopt, kQuanta)});
    offers[0].push_back({id, kEvery * i + kBefore, golden::HeaderBits(header), false, MakeBare(id, header.len, mac, 0)});
    ++id;
  }
  return offers;
}

TEST(ContractPause, AFrameWaitsForTheEndOfAPause) {
  ExpectBounded("8 ports, met by PAUSE", Standard(kAllOf8), Meeting(0));
}

/// Loosely timed there is none.
TEST(ContractPause, LooselyTimedFramesDoNotWait) {
  InChild([] {
    const Offers offers = Meeting(0);
    constexpr Cycle kQuantum = 1000;
    const LooseRun run = RunLoosely(Standard(kAllOf8), offers, kQuantum);
    ASSERT_EQ(run.outcome.deliveries.size(), offers[0].size());
    for (std::size_t i = 0; i < offers[0].size(); ++i) {
      EXPECT_LT(run.outcome.deliveries[i].first_word - offers[0][i].at, 100);
    }
    EXPECT_EQ(Count(run.outcome, static_cast<int>(Drop::kControl)), offers[kOutput].size());
    EXPECT_EQ(Count(run.outcome, static_cast<int>(Counter::kRxPause)), 0u);
    EXPECT_EQ(Count(run.outcome, static_cast<int>(Counter::kTxPause)), 0u);
  });
}

TEST(ContractPause, APauseThatComesLateBreaksIt) {
  InChild([] {
    const ContractSetup setup = Standard(kAllOf8);
    const Offers offers = Meeting(0);
    const Comparison comparison = Compare(offers, RunGolden(setup, offers), RunSystemc(setup, Meeting(200)).outcome);
    std::printf("measured: %-30s %s\n", "PAUSE 200 cycles late", comparison.Row().c_str());
    EXPECT_FALSE(comparison.broken.empty());
  });
}

}  // namespace
}  // namespace tilefly::systemc
