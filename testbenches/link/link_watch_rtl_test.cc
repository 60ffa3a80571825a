// SPDX-License-Identifier: Apache-2.0
// tilefly_link_watch against the sentences of docs/blocks/link_retry.md, "Link down": every output in every cycle, with times
// that begin shortly before the watchdog of any register value is due.
#include <gtest/gtest.h>

#include "Vrtl_link_watch.h"
#include "Vrtl_link_watch___024root.h"
#include "testbenches/bench/dut.h"

namespace tilefly::bench {
namespace {

constexpr Cycle kUnit = 64;

/// What the watch is told in a cycle.
struct Told {
  bool on = true, up = true, failed = false, over = false, waits = false, returned = false;
  int watchdog = 1;
};

/// The page's table, an event of cycle t.
struct Page {
  Cycle silent_since = -1;
  bool fail = false;
  bool due = false, given_up = false;  ///< of the cycle

  void Event(Cycle t, const Told& told) {
    due = told.on && told.watchdog > 0 && t - silent_since >= kUnit * told.watchdog;
    const bool gives_up = told.on && told.up && (told.failed || told.over || due);
    given_up = gives_up && !fail;
    fails_next = told.on && told.up && (fail || gives_up);
    if (!told.on || due || told.returned || !told.up || !told.waits) silent_since = t;
  }
  void Commit() { fail = fails_next; }
  bool fails_next = false;
};

/// Inputs, cycle after cycle; MODE and RETRY are written while the link is down. `fails`: the port shows that it gives the link up.
Told Draw(const Stimulus& random, Cycle now, const Told& before, bool fails) {
  constexpr std::array kTimes = {0, 1, 1, 2, 3, 255, 256, 4096, 32767, 32768, 65535};
  Told told = before;
  if (told.up) told.up = random.Below(fails ? 60 : 900, "down", now) != 0;
  else if (random.Chance(24, "up", now)) told.up = true;
  if (!before.up && !told.up) {
    if (random.Chance(64, "write", now)) {
      told.watchdog = random.Chance(128, "one bit", now) ? 1 << random.Below(16, "bit", now)
                                                         : kTimes[random.Below(kTimes.size(), "watchdog", now)];
    }
    if (random.Chance(64, "mode", now)) told.on = !random.Chance(32, "off", now);
  }
  told.failed = random.Below(700, "failed", now) == 0;
  told.over = random.Below(700, "over", now) == 0;
  // In stretches: mostly waiting, so that the time runs on; not waiting; waiting while returns come.
  const auto kind = random.Below(6, "kind", now / 160);
  told.waits = kind != 0 || random.Chance(128, "waits", now);
  told.returned = kind == 1 ? random.Chance(100, "returned", now) : kind == 2 && random.Below(40, "returned", now) == 0;
  return told;
}

void CompareWatch(PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  Dut<Vrtl_link_watch> dut(&run);
  const auto drive = [&](const Told& told) {
    dut->retry_i = QData{told.on} << 50 | static_cast<QData>(run.stimulus().Bits("other settings", run.cycle()) >> 14 & 3) << 48 |
                   static_cast<QData>(told.watchdog) << 32 | (run.stimulus().Bits("other settings", run.cycle()) >> 32);
    dut->link_up_i = told.up;
    dut->failed_i = told.failed;
    dut->over_i = told.over;
    dut->waits_i = told.waits;
    dut->returned_i = told.returned;
  };
  Told told;
  drive(told);
  dut.Reset();
  Page page;
  const Bin due = run.AddBin("the watchdog is due", 20), late = run.AddBin("due behind 65535 units", 3),
            again = run.AddBin("due while the link is given up", 3), heard = run.AddBin("a return comes in the last cycle", 5),
            by_limit = run.AddBin("given up by the replay limit or by cells", 20), falls = run.AddBin("the link goes down", 20);
  while (run.Next()) {
    const Cycle now = run.cycle();
    const bool was_up = told.up;
    told = Draw(run.stimulus(), now, told, page.fail);
    if (told.on && told.waits && told.watchdog > 0 && told.up && run.stimulus().Below(150, "preset", now) == 0) {
      const Cycle passed = kUnit * told.watchdog - static_cast<Cycle>(run.stimulus().Below(3, "less", now));
      page.silent_since = now - passed;
      dut->rootp->tilefly_link_watch__DOT__silent_q = static_cast<IData>(passed);
    }
    page.Event(now, told);
    drive(told);
    dut.Settle();
    run.Compare("link_fail", dut->link_fail_o, page.fail);
    run.Compare("given_up", dut->given_up_o, page.given_up);
    run.Compare("watchdog", dut->watchdog_o, page.due);
    if (page.fail || page.due || told.returned || !told.up) run.Busy();
    if (page.due) run.Hit(due);
    if (page.due && told.watchdog == 65535) run.Hit(late);
    if (page.due && page.fail && told.up) run.Hit(again);
    if (told.on && told.returned && told.watchdog > 0 && told.up && page.due) run.Hit(heard);
    if (page.given_up && !page.due) run.Hit(by_limit);
    if (was_up && !told.up) run.Hit(falls);
    dut.Edge();
    page.Commit();
  }
}

TEST(LinkWatch, EqualsThePageInEveryCycle) { CompareWatch(kZeros, 6); }

TEST(LinkWatch, EqualsThePageFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareWatch(power_up, 0.1); });
}

}  // namespace
}  // namespace tilefly::bench
