// SPDX-License-Identifier: Apache-2.0
// tilefly_hier_arbiter against golden's HierarchicalArbiter (docs/blocks/arbiter.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "Vrtl_hier_arbiters.h"
#include "golden/arbiter/round_robin.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

struct Size {
  int rows, inputs;
};
constexpr std::array<Size, 4> kSizes = {{{2, 4}, {2, 8}, {4, 16}, {3, 5}}};

void CompareHierarchies(PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  Dut<Vrtl_hier_arbiters> dut(&run);
  Clear(&dut->req_i);
  dut->taken_i = 0;
  dut.Reset();

  const Bin crowded = run.AddBin("48 and more of 4 x 16 request", 20);
  const Bin one_row = run.AddBin("one row of 4 x 16 requests", 100);
  const Bin unused = run.AddBin("a choice that is not used", 100);
  std::vector<golden::HierarchicalArbiter> golden;
  for (const Size& size : kSizes) golden.emplace_back(size.rows, size.inputs);

  const Stimulus& random = run.stimulus();
  while (run.Next()) {
    std::array<std::array<std::uint32_t, golden::kMaxRows>, kSizes.size()> requests{};
    for (std::uint32_t a = 0; a < kSizes.size(); ++a) {
      const Size size = kSizes[a];
      const int level = random.Level("level", run.cycle(), a);
      for (int i = 0; i < size.rows * size.inputs; ++i) {
        const int row_level = random.Level("row", run.cycle(), 64 * a + static_cast<std::uint32_t>(i / size.inputs));
        const int chance = std::min(level, row_level);
        if (random.Chance(chance, "request", run.cycle(), 64 * a + static_cast<std::uint32_t>(i))) requests[a][static_cast<std::size_t>(i / size.inputs)] |= 1u << (i % size.inputs);
      }
      for (int r = 0; r < size.rows; ++r) {
        Put(&dut->req_i, static_cast<int>(64 * a) + r * size.inputs, size.inputs, requests[a][static_cast<std::size_t>(r)]);
      }
      Put(&dut->taken_i, static_cast<int>(a), 1, random.Chance(192, "taken", run.cycle(), a));
    }
    dut.Settle();
    for (std::uint32_t a = 0; a < kSizes.size(); ++a) {
      const golden::HierarchicalArbiter::Choice choice = golden[a].Evaluate(requests[a].data());
      const std::uint64_t grant = choice.row < 0 ? 0 : golden::Bit(choice.row * kSizes[a].inputs + choice.input);
      run.Compare("grant", Get(dut->grant_o, static_cast<int>(64 * a), 64), grant);
      if (choice.row < 0) continue;
      run.Busy();
      const bool taken = Get(dut->taken_i, static_cast<int>(a), 1) != 0;
      run.Event("choice: arbiter, row, input, taken", {a, choice.row, choice.input, taken});
      if (taken) golden[a].Commit(choice);
      if (!taken) run.Hit(unused);
      if (a != 2) continue;
      int requesters = 0, rows = 0;
      for (const std::uint32_t row : requests[a]) {
        requesters += __builtin_popcount(row);
        rows += row != 0;
      }
      if (requesters >= 48) run.Hit(crowded);
      if (rows == 1) run.Hit(one_row);
    }
    dut.Edge();
  }
}

TEST(HierArbiter, EqualsGoldenInEveryCycle) { CompareHierarchies(kZeros, 1); }

TEST(HierArbiter, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareHierarchies(power_up, 0.1); });
}

}  // namespace
}  // namespace tilefly::bench
