// SPDX-License-Identifier: Apache-2.0
// tilefly_fifo against golden's FifoChecker: docs/blocks/common.md read once more (FIFO-1, FIFO-2).
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "Vrtl_fifos.h"
#include "golden/common/fifo_checker.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

constexpr std::array<std::size_t, 6> kDepths = {1, 2, 3, 5, 16, 37};

void CompareWithChecker(PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  Dut<Vrtl_fifos> dut(&run);
  dut->push_i = dut->pop_i = 0;
  dut.Reset();

  const Bin full_both = run.AddBin("push and pop of a full fifo", 100);
  const Bin empty_push = run.AddBin("push into an empty fifo", 100);
  const Bin last_pop = run.AddBin("pop of the only entry", 100);
  const Bin deep_full = run.AddBin("the deepest fifo is full", 20);
  std::vector<golden::FifoChecker<std::uint32_t>> golden(kDepths.begin(), kDepths.end());

  const Stimulus& random = run.stimulus();
  while (run.Next()) {
    for (std::uint32_t f = 0; f < kDepths.size(); ++f) {
      const bool pop = !golden[f].empty() && random.Spell("pop", run.cycle(), f);
      const bool push = (!golden[f].full() || pop) && random.Spell("push", run.cycle(), f);
      Put(&dut->push_i, static_cast<int>(f), 1, push);
      Put(&dut->pop_i, static_cast<int>(f), 1, pop);
      Put(&dut->data_i, static_cast<int>(32 * f), 32, random.Bits("data", run.cycle(), f));
    }
    dut.Settle();
    for (std::size_t f = 0; f < kDepths.size(); ++f) {
      golden::FifoChecker<std::uint32_t>& fifo = golden[f];
      const auto depth = static_cast<std::int64_t>(kDepths[f]);
      const int bit = static_cast<int>(f);
      const bool full = fifo.full();
      run.Compare("empty", Get(dut->empty_o, bit, 1), fifo.empty());
      run.Compare("full", Get(dut->full_o, bit, 1), full);
      if (!fifo.empty()) run.Compare("head", Get(dut->head_o, 32 * bit, 32), fifo.head());

      const bool push = Get(dut->push_i, bit, 1) != 0, pop = Get(dut->pop_i, bit, 1) != 0;
      if (push || pop) run.Busy();
      if (full && push && pop) run.Hit(full_both);
      if (fifo.empty() && push) run.Hit(empty_push);
      if (fifo.size() == 1 && pop && !push) run.Hit(last_pop);
      if (full && f + 1 == kDepths.size()) run.Hit(deep_full);
      const auto data = static_cast<std::uint32_t>(Get(dut->data_i, 32 * bit, 32));
      if (pop) run.Event("pop: depth", {depth});
      if (push) run.Event("push: depth, data", {depth, data});
      golden::Audit audit;
      fifo.Step(push, data, pop, static_cast<std::uint32_t>(Get(dut->head_o, 32 * bit, 32)), &audit);
      run.Check(audit);
    }
    dut.Edge();
  }
}

TEST(Fifo, EqualsItsCheckerInEveryCycle) { CompareWithChecker(kZeros, 1); }

TEST(Fifo, EqualsItsCheckerFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareWithChecker(power_up, 0.1); });
}

/// Runs one cycle that the page forbids; whether an assertion fails.
bool Asserts(bool fill, bool push, bool pop) {
  Comparison run({1, 0, 8});
  Dut<Vrtl_fifos> dut(&run);
  dut.ExpectAssertions();
  dut->push_i = dut->pop_i = 0;
  dut.Reset();
  while (run.Next()) {
    dut->push_i = fill ? 2 : 0;  // the fifo of two entries
    dut->pop_i = 0;
    if (run.cycle() == 2) {
      dut->push_i = push ? 2 : 0;
      dut->pop_i = pop ? 2 : 0;
    }
    if (run.cycle() > 2) dut->push_i = 0;
    run.Compare("no assertion before its time", dut.asserted() && run.cycle() <= 2, false);
    dut.Tick();
  }
  return dut.asserted();
}

TEST(Fifo, PushIntoAFullFifoFailsFifo1) { EXPECT_TRUE(Asserts(true, true, false)); }

TEST(Fifo, PopOfAnEmptyFifoFailsFifo1) { EXPECT_TRUE(Asserts(false, false, true)); }

TEST(Fifo, PushAndPopOfAFullFifoIsLegal) { EXPECT_FALSE(Asserts(true, true, true)); }

}  // namespace
}  // namespace tilefly::bench
