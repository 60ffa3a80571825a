// SPDX-License-Identifier: Apache-2.0
// A link of two switches that repeats what a wire loses (docs/blocks/link_retry.md): RTL beside golden at one of its ends.
#include <gtest/gtest.h>

#include <exception>
#include <map>
#include <string>

#include "cosim/device_factory.h"
#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/link_mishaps.h"
#include "testbenches/lockstep/port_link.h"

namespace tilefly::bench {
namespace {

using Totals = std::map<Counter, std::uint64_t>;

/// A link that loses, spoils and repeats words and slots, and that has a mishap in each period. In the last `drain` cycles
/// hosts start no packet, and the wire is clean: a full input buffer alone takes 3,840 cycles to leave.
void RtlEqualsGolden(const PortSetup& setup, std::uint32_t seed, Cycle cycles, Cycle period, Cycle drain, Totals* totals) {
  PortLink link(setup, Stimulus(seed), cosim::MakeDevice("rtl", kTile8));
  LinkMishaps mishaps(setup, Stimulus(seed), period, cycles - drain);
  while (link.cycle < cycles) {
    mishaps.Cause(&link);
    try {
      link.Step();
    } catch (const std::exception& error) {
      FAIL() << "cycle " << link.cycle << ": " << error.what();
    }
    ASSERT_EQ(link.wrong, "");
  }
  EXPECT_GT(link.device(0).compared_busy(), 2000);
  EXPECT_NO_THROW(link.CompareCounters());
  EXPECT_NO_THROW(link.device(0).CheckDrained());
  for (const Counter counter : kCounterValues) (*totals)[counter] += link.Counter(0, counter);
}

/// Each value of LINK_DOWN_BEHAVIOR in turn, links that are taken down, links that ports give up for each reason, and SerDes
/// lanes that die.
TEST(SurvivingLinks, RtlEqualsGoldenWhileWordsAndSlotsAreLost) {
  const bool full = TierFromEnvironment() == Tier::kFull;
  Totals totals;
  for (int run = 0; run < (full ? 20 : 4); ++run) {
    SCOPED_TRACE("run " + std::to_string(run));
    const int delay = full ? 1 + 23 * run % 211 : 15;
    PortSetup setup{kTile8, true, run % 2 == 0, delay, {0.004, 0.004, 0.001, 0.001, 1}, {0.005, 0.005, 0.01, 0.005, 1},
                    run % 3 == 2 ? 4000 : 1500};
    setup.down = run % 4;
    setup.limit = 4;
    setup.watchdog = (6 * (2 * delay + 2 * kTile8.mtu_words_enh + 40)) / 64 + 1;
    setup.serdes.fail = 2;
    const std::uint32_t seed = SeedOf(RootSeed(), "surviving links") + static_cast<std::uint32_t>(run);
    RtlEqualsGolden(setup, seed, full ? 200'000 : 20'000, full ? 9000 : 5000, full ? 20'000 : 4000, &totals);
    if (HasFatalFailure()) return;
  }
  for (const Counter counter :
       {Counter::kTxReplayEvent, Counter::kTxOkRpt, Counter::kRxExpectedSeqGood, Counter::kRxBad, Counter::kRxUnexpectedSeq,
        Counter::kRxReplayEvent, Counter::kTxAckCtlOs, Counter::kTxNackCtlOs, Counter::kRxAckCtlOs, Counter::kRxNackCtlOs,
        Counter::kRxBadCtl, Counter::kCreditsHealed, Counter::kLinkDowns, Counter::kLinkGivenUp, Counter::kWatchdog,
        Counter::kTxLost, Counter::kReplayLost, Counter::kLanesFailed})
    EXPECT_GT(totals[counter], 0u) << ToString(counter);
}

}  // namespace
}  // namespace tilefly::bench
