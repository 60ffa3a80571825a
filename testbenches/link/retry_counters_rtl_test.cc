// SPDX-License-Identifier: Apache-2.0
// tilefly_retry_counters against golden's counters (docs/blocks/link_retry.md, "Registers and counters"): all of them, read
// over the register bus, from 0 and from the edges of 64 bits.
#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "Vrtl_retry_counters.h"
#include "Vrtl_retry_counters___024root.h"
#include "golden/common/counters.h"
#include "golden/common/register_write.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/edges.h"
#include "testbenches/bench/port_bits.h"

namespace tilefly::bench {
namespace {

constexpr int kPort = 5;
constexpr int kFirst = static_cast<int>(Counter::kTxReplayEvent);
constexpr std::size_t kCounters = 24;
using Counts = std::array<std::uint64_t, kCounters>;

/// What counter number `k` of the page counts in an event of this cycle: most of them 1.
int TimesOf(const Stimulus& random, Cycle now, Counter counter) {
  switch (counter) {
    case Counter::kCreditsHealed:
      return random.Between(1, 65'535, "healed cells", now);
    case Counter::kReplayLost:
      return random.Between(1, 1024, "packets in the replay buffer", now);
    case Counter::kLanesBack:
      return random.Between(1, 4, "lanes back", now);
    default:
      return 1;
  }
}

/// Reads of these counters, mostly; of others, of other ports, and writes.
Cfg DrawAccess(const Stimulus& random, Cycle now) {
  if (!random.Spell("access", now)) return {};
  Cfg access = golden::ReadRegister(kPort, CfgSpace::kCounter, kFirst + static_cast<int>(random.Below(kCounters, "counter", now)));
  const auto other = random.Below(16, "other", now);
  if (other == 0) access.index = static_cast<std::uint16_t>(random.Below(2048, "index", now));
  if (other == 1) access.port = static_cast<std::uint8_t>(random.Below(128, "port", now));
  if (other == 2) access.read = false;
  if (other == 3) access.space = static_cast<std::uint8_t>(random.Below(8, "space", now));
  return access;
}

void CompareCounters(PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  Dut<Vrtl_retry_counters> dut(&run);
  const Stimulus& random = run.stimulus();
  dut->port_i = kPort;
  dut->events_i = 0;
  Clear(&dut->cfg_i);
  dut.Reset();
  golden::Counters golden(kPort + 1);
  Counts first{};
  for (std::size_t k = 0; k < kCounters; ++k) {
    first[k] = FirstCount(run, static_cast<std::uint32_t>(k));
    if (power_up.edge != 0) dut->rootp->tilefly_retry_counters__DOT__count_q[k] = first[k];
  }
  const Bin reads = run.AddBin("read", 500), nothing = run.AddBin("read of nothing", 100), together = run.AddBin("several at once", 500);
  std::optional<std::uint64_t> answer;
  while (run.Next()) {
    const Cycle now = run.cycle();
    std::uint32_t events = 0;
    dut->healed_cells_i = static_cast<SData>(random.Bits("healed", now));  // counts with its event alone
    dut->replay_lost_i = static_cast<SData>(random.Below(2048, "lost", now));
    dut->lanes_back_i = static_cast<CData>(random.Below(8, "back", now));
    Counts before{};
    for (std::size_t k = 0; k < kCounters; ++k) {
      const auto counter = static_cast<Counter>(kFirst + static_cast<int>(k));
      before[k] = first[k] + golden.Read(kPort, static_cast<int>(counter));
      if (!random.Spell("event", now, static_cast<std::uint32_t>(k))) continue;
      events |= 1u << k;
      const int times = TimesOf(random, now, counter);
      if (counter == Counter::kCreditsHealed) dut->healed_cells_i = static_cast<SData>(times);
      if (counter == Counter::kReplayLost) dut->replay_lost_i = static_cast<SData>(times);
      if (counter == Counter::kLanesBack) dut->lanes_back_i = static_cast<CData>(times);
      golden.Add(kPort, counter, times);
    }
    dut->events_i = events;
    const Cfg access = DrawAccess(random, now);
    PutStruct(&dut->cfg_i, 0, access);
    dut.Settle();
    run.Compare("rd_valid", dut->rd_valid_o, answer.has_value());
    run.Compare("rd_data", dut->rd_data_o, answer.value_or(0));
    if (answer) run.Busy();
    // A read of cycle t is answered in t + 1 with what was counted before t.
    answer.reset();
    const bool ours = access.valid && access.read && access.space == static_cast<int>(CfgSpace::kCounter) && access.port == kPort;
    if (ours && access.index >= kFirst && access.index < kFirst + static_cast<int>(kCounters)) {
      answer = before[static_cast<std::size_t>(access.index - kFirst)];
      run.Hit(reads);
    } else if (access.valid) {
      run.Hit(nothing);
    }
    if (__builtin_popcount(events) > 4) run.Hit(together);
    dut.Edge();
  }
}

TEST(RetryCounters, EqualGoldenInEveryCycle) { CompareCounters(kZeros, 1); }

TEST(RetryCounters, EqualGoldenFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { CompareCounters(power_up, 0.1); });
}

TEST(RetryCounters, EqualGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareCounters(power_up, 0.05); });
}

}  // namespace
}  // namespace tilefly::bench
