// SPDX-License-Identifier: Apache-2.0
// tilefly_credit_return against golden's CreditReturner (docs/blocks/credit.md, Receiver; CRED-3).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "Vrtl_credit_return.h"
#include "golden/credit/credit_returner.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

constexpr int kSources = 3;

void CompareReturns(PowerUp power_up, double of_tier) {
  Comparison run({of_tier, 25, 0, 40, power_up});
  Dut<Vrtl_credit_return> dut(&run);
  dut->free_valid_i = 0;
  dut->retry_i = dut->link_up_i = dut->taken_valid_i = dut->stamp_valid_i = 0;
  dut.Reset();

  const Bin together = run.AddBin("all sources free on one lane in one cycle", 20);
  const Bin again = run.AddBin("cells are freed on the lane that is just reported", 50);
  const Bin all_pending = run.AddBin("half of the lanes are pending", 20);
  const Bin wraps = run.AddBin("a count wraps", 1);

  golden::CreditReturner golden;
  bool reported = false;
  golden::CreditReturner::Message message{};
  std::array<int, golden::kMaxLanes> freed{}, known{};  // CRED-3: in the end everything is reported
  const Stimulus& random = run.stimulus();
  while (run.Next()) {
    const Cycle now = run.cycle();
    // For a stretch of cycles few lanes are in use, so that they meet.
    const int lanes = static_cast<int>(1 + random.Below(golden::kMaxLanes, "lanes", now / 64));
    dut->free_valid_i = 0;
    for (int s = 0; s < kSources; ++s) {
      const auto index = static_cast<std::uint32_t>(s);
      const bool valid = !run.draining() && random.Spell("free", now, index);
      Put(&dut->free_valid_i, s, 1, valid);
      Put(&dut->free_vl_i, 4 * s, 4, random.Below(static_cast<std::uint64_t>(lanes), "lane", now, index));
      Put(&dut->free_cells_i, 7 * s, 7, random.Below(128, "cells", now, index));
    }
    dut.Settle();

    run.Compare("valid", dut->ret_valid_o, reported);
    if (reported) {
      run.Compare("vl", dut->ret_vl_o, message.vl);
      run.Compare("cells", dut->ret_cells_o, message.cells);
      run.Busy();
    }
    run.Compare("quiescent", dut->quiescent_o, !golden.pending() && !reported);

    int pending = 0;
    for (std::size_t v = 0; v < freed.size(); ++v) pending += freed[v] != known[v];
    if (pending >= 8) run.Hit(all_pending);
    reported = golden.pending();
    if (reported) {
      message = golden.Decide(golden::kMaxLanes);
      run.Event("decided: lane, cells", {message.vl, message.cells});
      if (message.cells < 128 && freed[message.vl] > 65535) run.Hit(wraps);
      run.Compare("CRED-3: freed", message.cells, static_cast<std::uint16_t>(freed[message.vl]));
      known[message.vl] = freed[message.vl];
    }
    for (int s = 0; s < kSources; ++s) {
      if (Get(dut->free_valid_i, s, 1) == 0) continue;
      const int v = static_cast<int>(Get(dut->free_vl_i, 4 * s, 4));
      const int cells = static_cast<int>(Get(dut->free_cells_i, 7 * s, 7));
      run.Event("freed: lane, cells", {v, cells});
      golden.Free(v, cells);
      freed[static_cast<std::size_t>(v)] += cells;
      if (reported && message.vl == v) run.Hit(again);
    }
    const std::uint64_t vls = Get(dut->free_vl_i, 0, 12);
    if (dut->free_valid_i == 7 && (vls & 15) == (vls >> 8) && (vls & 15) == ((vls >> 4) & 15)) run.Hit(together);
    run.DrainUntil(freed == known);  // CRED-3
    dut.Edge();
  }
}

TEST(CreditReturn, EqualsGoldenInEveryCycle) { CompareReturns(kZeros, 1); }

/// What two lanes that become pending together say first depends on the pointer alone: a reset in the middle sets it to 0.
TEST(CreditReturn, AResetStartsTheTurnAtLaneZero) {
  Comparison run({1, 0, 16});
  Dut<Vrtl_credit_return> dut(&run);
  dut->free_valid_i = 0;
  dut->retry_i = dut->link_up_i = dut->taken_valid_i = dut->stamp_valid_i = 0;
  dut.Reset();
  const auto free = [&dut](int source, int lane) {
    Put(&dut->free_valid_i, source, 1, 1);
    Put(&dut->free_vl_i, 4 * source, 4, static_cast<std::uint64_t>(lane));
    Put(&dut->free_cells_i, 7 * source, 7, 1);
  };
  constexpr std::array<std::uint64_t, 3> kTurns = {7, 2, 12};
  std::size_t reported = 0;
  while (run.Next()) {
    dut->free_valid_i = 0;
    dut->rst_ni = run.cycle() != 6;
    if (run.cycle() == 0) free(0, 7);  // moves the pointer to 8
    if (run.cycle() == 8) {
      free(0, 2);
      free(1, 12);
    }
    dut.Settle();
    if (dut->ret_valid_o) {
      run.Compare("lane of the turn", dut->ret_vl_o, kTurns[std::min(reported, kTurns.size() - 1)]);
      ++reported;
    }
    const std::size_t due = run.cycle() >= 11 ? 3 : run.cycle() >= 10 ? 2 : run.cycle() >= 2 ? 1 : 0;
    run.Compare("messages so far", reported, due);
    dut.Edge();
  }
}

TEST(CreditReturn, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareReturns(power_up, 0.1); });
}

}  // namespace
}  // namespace tilefly::bench
