// SPDX-License-Identifier: Apache-2.0
// tilefly_delay_line against golden's DelayLine (docs/blocks/common.md).
#include <gtest/gtest.h>

#include <vector>

#include "Vrtl_delay_lines.h"
#include "golden/common/delay_line.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

constexpr int kLines = 9;

/// Payloads of line `i` of delay_lines.sv, whose Depth is i + 1.
constexpr int LanesOf(int i) { return i % 4 + 1; }

void CompareLines(PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  Dut<Vrtl_delay_lines> dut(&run);
  dut->valid_i = 0;
  dut.Reset();

  const Bin all_lanes = run.AddBin("all lanes of the deepest wide line leave together", 20);
  const Bin first_after_idle = run.AddBin("a payload enters an idle line", 100);
  const Bin back_to_back = run.AddBin("a payload enters in each of two cycles", 1000);
  std::vector<golden::DelayLine<std::uint32_t>> golden(21);
  std::uint32_t entered_before = 0;

  const Stimulus& random = run.stimulus();
  while (run.Next()) {
    std::uint32_t entered = 0;
    for (std::uint32_t lane = 0; lane < golden.size(); ++lane) {
      const bool valid = random.Spell("valid", run.cycle(), lane);
      entered |= static_cast<std::uint32_t>(valid) << lane;
      Put(&dut->data_i, static_cast<int>(32 * lane), 32, random.Bits("data", run.cycle(), lane));
    }
    dut->valid_i = entered;
    dut.Settle();

    int lane = 0;
    for (int line = 0; line < kLines; ++line) {
      bool inside = false;
      int leaving = 0;
      const int end = lane + LanesOf(line);
      for (; lane < end; ++lane) {
        golden::DelayLine<std::uint32_t>& path = golden[static_cast<std::size_t>(lane)];
        inside |= path.Next() != kNever;
        const bool due = path.Next() == run.cycle();
        leaving += due;
        run.Compare("valid", Get(dut->valid_o, lane, 1), due);
        path.Drain(run.cycle(), [&](std::uint32_t data) {
          run.Busy();
          run.Compare("data", Get(dut->data_o, 32 * lane, 32), data);
        });
        if ((entered >> lane) & 1) {
          const auto data = static_cast<std::uint32_t>(Get(dut->data_i, 32 * lane, 32));
          run.Event("enters: depth, lane, data", {line + 1, lane, data});
          if (!inside) run.Hit(first_after_idle);
          if ((entered_before >> lane) & 1) run.Hit(back_to_back);
          path.Push(run.cycle() + line + 1, data);
        }
      }
      run.Compare("busy", Get(dut->busy_o, line, 1), inside);
      if (line == 7 && leaving == LanesOf(7)) run.Hit(all_lanes);
    }
    entered_before = entered;
    dut.Edge();
  }
}

TEST(DelayLine, EqualsGoldenInEveryCycle) { CompareLines(kZeros, 1); }

TEST(DelayLine, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareLines(power_up, 0.1); });
}

}  // namespace
}  // namespace tilefly::bench
