// SPDX-License-Identifier: Apache-2.0
// tilefly_xbar_turn and tilefly_xbar_merge, a column of them, against golden's TurnStage, RequestCrossbar and MergedCrossbar
// (docs/blocks/crossbar.md: XBAR-2, XBAR-3, XBAR-4).
#include <gtest/gtest.h>

#include "Vrtl_merged_column_rosetta64.h"
#include "Vrtl_merged_column_tile8.h"
#include "testbenches/crossbar/merged_column.h"

namespace tilefly::bench {
namespace {

template <typename Model>
void CompareRandomTraffic(const Profile& profile, int column, PowerUp power_up, double of_tier) {
  Comparison run({of_tier, 25, 0, 3000, power_up});
  MergedColumn<Model> crossbar(&run, profile, column);
  const Bin lone = run.AddBin("a message crosses in 8 cycles", 20);
  const Bin late = run.AddBin("a message waits for others", 1000);
  const Bin at_limit = run.AddBin("a pair is at its limit", 1);
  const Bin crowd = run.AddBin("all inputs of a row send to one port in a cycle", 1);
  crossbar.OnArrival([&](const Message&, Cycle crossing) { run.Hit(crossing == 8 ? lone : late); });

  while (run.Next()) {
    std::vector<int> heading(static_cast<std::size_t>(profile.rows * profile.ports));
    for (int source = 0; source < profile.ports && !run.draining(); ++source) {
      const int destination = crossbar.traffic().Choose(run.stimulus(), run.cycle(), column, source);
      if (destination < 0) continue;
      crossbar.Leave(source, destination);
      const int row = source / profile.row_in;
      if (crossbar.traffic().Outstanding(source, destination) == crossbar.traffic().pair_limit()) run.Hit(at_limit);
      if (++heading[static_cast<std::size_t>(row * profile.ports + destination)] == profile.row_in) run.Hit(crowd);
    }
    crossbar.Step();
  }
}

TEST(MergedCrossbar, EqualsGoldenInEveryCycleWith8Ports) {
  CompareRandomTraffic<Vrtl_merged_column_tile8>(kTile8, 1, kZeros, 1);
}

TEST(MergedCrossbar, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareRandomTraffic<Vrtl_merged_column_tile8>(kTile8, 0, power_up, 0.25); });
}

TEST(MergedCrossbar, EqualsGoldenInEveryCycleWith64Ports) {
  CompareRandomTraffic<Vrtl_merged_column_rosetta64>(kRosetta64, 4, kZeros, 0.25);
}

/// XBAR-4: every pair alone; the others' crossbars do not exist for it.
TEST(MergedCrossbar, ALoneMessageArrivesInEightCyclesFromAnyPort) {
  constexpr Cycle kApart = 12;
  constexpr int kColumn = 3;
  const Profile& profile = kRosetta64;
  const Cycle pairs = profile.ports * 2 * profile.rows;
  Comparison run({1, 10, pairs * kApart});
  MergedColumn<Vrtl_merged_column_rosetta64> crossbar(&run, profile, kColumn);
  const Bin arrived = run.AddBin("messages", pairs);
  crossbar.OnArrival([&](const Message&, Cycle crossing) {
    run.Hit(arrived);
    run.Compare("XBAR-4: cycles of the crossing", static_cast<std::uint64_t>(crossing), 8);
  });
  while (run.Next()) {
    if (run.cycle() % kApart == 0) {
      const int pair = static_cast<int>(run.cycle() / kApart);
      const int local = pair % (2 * profile.rows);  // port of the column: row, lane
      const golden::Geometry& geometry = crossbar.traffic().geometry();
      crossbar.Leave(pair / (2 * profile.rows), geometry.port(local >> 1, 2 * kColumn + (local & 1)));
    }
    crossbar.Step();
  }
}

/// XBAR-2, the receiving fifos: one row brings a message a cycle, the others only what keeps them in the round-robin.
TEST(MergedCrossbar, ReceivingFifosHoldAllThatAnInputCanHaveOutstanding) {
  const Profile& profile = kRosetta64;
  constexpr int kDestination = 0;
  Comparison run({1, 25, 14000, 8000});
  MergedColumn<Vrtl_merged_column_rosetta64> crossbar(&run, profile, 0);
  while (run.Next()) {
    for (int row = 0; row < profile.rows && !run.draining(); ++row) {
      if (row != 0 && run.cycle() % profile.rows != 0) continue;
      const int source = crossbar.traffic().geometry().port(row, static_cast<int>(run.cycle() % profile.row_in));
      if (crossbar.traffic().MaySend(source, kDestination)) crossbar.Leave(source, kDestination);
    }
    crossbar.Step();
  }
  const int bound = crossbar.traffic().destination_limit();
  EXPECT_GE(crossbar.deepest_fifo(), bound * 8 / 10) << "the bound of XBAR-2 was not approached";
}

/// XBAR-2, the turn fifos: every input of a row has all its request credits outstanding towards one output.
TEST(MergedCrossbar, TurnFifosHoldAllRequestCredits) {
  const Profile& profile = kTile8;
  Comparison run({1, 25, 2000, 1000});
  MergedColumn<Vrtl_merged_column_tile8> crossbar(&run, profile, 0);
  int most = 0;
  while (run.Next()) {
    for (int source = 0; source < profile.row_in && !run.draining(); ++source) {
      if (crossbar.traffic().MaySend(source, 1)) crossbar.Leave(source, 1);
      most = std::max(most, crossbar.traffic().Outstanding(source, 1));
    }
    crossbar.Step();
  }
  EXPECT_EQ(most, profile.request_credits * profile.vls);
}

}  // namespace
}  // namespace tilefly::bench
