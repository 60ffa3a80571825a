// SPDX-License-Identifier: Apache-2.0
// tilefly_xbar_data, a column of them, against golden's geometry and crossing time (docs/blocks/crossbar.md: XBAR-1, XBAR-4).
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "Vrtl_data_column_rosetta64.h"
#include "Vrtl_data_column_tile8.h"
#include "golden/crossbar/arbitrated_crossbar.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

constexpr int kWidth = 32;
constexpr int kMsgW = 7 + kWidth;
constexpr int kChannelW = 1 + kWidth;
/// From the column channel's first flop to the output buffer; the bench's own, written apart from
/// golden/common/stage_times.h.
constexpr Cycle kColumnCycles = 6;
constexpr std::uint64_t kNothing = ~std::uint64_t{0};

/// Puts a cell of `source` on its row bus.
template <typename Model>
void PutCell(Dut<Model>* dut, int source, int destination, std::uint32_t data) {
  Put(&(*dut)->row_i, source * kMsgW, kWidth, data);
  Put(&(*dut)->row_i, source * kMsgW + kWidth, 7, 0x40u | static_cast<unsigned>(destination));
}

/// Golden's view of a column: cells by the cycle in which they arrive in the output buffer.
class GoldenColumn {
 public:
  struct Cell {
    int row, output, input;
    std::uint32_t data;
  };
  void Leave(Cycle leave, const Cell& cell) { crossing_.Push(leave + golden::kCrossing, cell); }
  /// Cells on the column channels' first flops in `now`.
  template <typename Visit>
  void OnChannels(Cycle now, Visit&& visit) {
    crossing_.Drain(now + kColumnCycles, visit);
  }

 private:
  golden::DelayLine<Cell> crossing_;
};

template <typename Model>
void CompareRandomCells(const Profile& profile, int column, PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  Dut<Model> dut(&run);
  Clear(&dut->row_i);
  dut->col_pos_i = static_cast<CData>(column);
  dut.Reset();

  const Bin full = run.AddBin("all channels of the column carry a cell", 20);
  const Bin elsewhere = run.AddBin("a cell passes the column", 1000);
  const golden::Geometry geometry(profile);
  const auto channels = static_cast<std::size_t>(profile.rows * profile.col_out);
  GoldenColumn golden;
  const Stimulus& random = run.stimulus();
  while (run.Next()) {
    const Cycle now = run.cycle();
    // Law 3: of the cells of a row, no two to one port. What leaves in T = now - 1 is on the row bus now.
    Clear(&dut->row_i);
    std::vector<GoldenColumn::Cell> leaving;
    std::vector<bool> used(static_cast<std::size_t>(profile.rows * profile.ports));
    const bool dense = random.Chance(128, "dense", now / 64);
    for (int i = 0; i < profile.ports; ++i) {
      const auto index = static_cast<std::uint32_t>(i);
      const int source = i ^ static_cast<int>(random.Below(static_cast<std::uint64_t>(profile.row_in), "first", now));
      const int row = geometry.row[static_cast<std::size_t>(source)];
      int destination = static_cast<int>(random.Below(static_cast<std::uint64_t>(profile.ports), "destination", now, index));
      if (dense) {  // the inputs of a row take the column's ports one after the other
        const int local = geometry.input[static_cast<std::size_t>(i)] % (2 * profile.rows);
        destination = geometry.port(local >> 1, 2 * column + (local & 1));
      }
      const auto slot = static_cast<std::size_t>(row * profile.ports + destination);
      if (used[slot] || !(dense || random.Spell("cell", now, index))) continue;
      used[slot] = true;
      const auto data = static_cast<std::uint32_t>(random.Bits("data", now, index));
      PutCell(&dut, source, destination, data);
      run.Event("cell: source, destination, data", {source, destination, data});
      if (geometry.col(destination) != column) {
        run.Hit(elsewhere);
        continue;
      }
      golden.Leave(now - 1, {row, geometry.TurnOutput(destination), geometry.input[static_cast<std::size_t>(source)], data});
    }
    dut.Settle();

    std::vector<std::uint64_t> expected(channels, kNothing);
    std::array<Turnobs, golden::kMaxRows> observed{};
    std::size_t cells = 0;
    golden.OnChannels(now, [&](const GoldenColumn::Cell& cell) {
      expected[static_cast<std::size_t>(cell.row * profile.col_out + cell.output)] = cell.data;
      Turnobs& turn = observed[static_cast<std::size_t>(cell.row)];
      turn.valid = static_cast<std::uint8_t>(turn.valid | 1u << cell.output);
      turn.inputs |= static_cast<std::uint32_t>(cell.input) << (4 * cell.output);
      ++cells;
    });
    if (cells != 0) run.Busy();
    if (cells == channels) run.Hit(full);
    for (std::size_t channel = 0; channel < channels; ++channel) {
      const int lsb = static_cast<int>(channel) * kChannelW;
      run.Compare("col_o.valid", Get(dut->col_o, lsb + kWidth, 1), expected[channel] != kNothing);
      if (expected[channel] != kNothing) run.Compare("col_o.data", Get(dut->col_o, lsb, kWidth), expected[channel]);
    }
    for (int row = 0; row < profile.rows; ++row) {
      const Turnobs& turn = observed[static_cast<std::size_t>(row)];
      run.CompareStruct("obs_o", GetStruct<Turnobs>(dut->obs_o, row * Turnobs::kWidth), turn);
      run.Compare("quiescent", Get(dut->quiescent_o, row, 1), turn.valid == 0);
    }
    dut.Edge();
  }
}

TEST(DataCrossbar, EqualsGoldenInEveryCycleWith8Ports) {
  CompareRandomCells<Vrtl_data_column_tile8>(kTile8, 1, kZeros, 1);
}

TEST(DataCrossbar, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareRandomCells<Vrtl_data_column_tile8>(kTile8, 0, power_up, 0.1); });
}

TEST(DataCrossbar, EqualsGoldenInEveryCycleWith64Ports) {
  CompareRandomCells<Vrtl_data_column_rosetta64>(kRosetta64, 7, kZeros, 0.25);
}

TEST(DataCrossbar, TwoCellsForOneOutputFailXbar1) {
  Comparison run({1, 0, 10});
  Dut<Vrtl_data_column_tile8> dut(&run);
  dut.ExpectAssertions();
  Clear(&dut->row_i);
  dut->col_pos_i = 0;
  dut.Reset();
  while (run.Next()) {
    Clear(&dut->row_i);
    PutCell(&dut, 0, 4, 1);
    if (run.cycle() == 5) PutCell(&dut, 3, 4, 2);
    run.Compare("an assertion failed", dut.asserted(), run.cycle() > 5);
    dut.Tick();
  }
  EXPECT_TRUE(dut.asserted());
}

}  // namespace
}  // namespace tilefly::bench
