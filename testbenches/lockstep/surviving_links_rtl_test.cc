// SPDX-License-Identifier: Apache-2.0
// A link of two switches that repeats what a wire loses (docs/blocks/link_retry.md): RTL beside golden at one of its ends.
#include <gtest/gtest.h>

#include <exception>
#include <string>

#include "cosim/device_factory.h"
#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/port_link.h"

namespace tilefly::bench {
namespace {

/// A link that loses, spoils and repeats words and slots, and goes down and up again once in `period` cycles. In the last
/// `drain` cycles hosts start no packet, and the wire is clean: a full input buffer alone takes 3,840 cycles to leave.
void RtlEqualsGolden(const PortSetup& setup, std::uint32_t seed, Cycle cycles, Cycle period, Cycle drain) {
  PortLink link(setup, Stimulus(seed), cosim::MakeDevice("rtl", kTile8));
  const Cycle longest_down = 2 * setup.delay + 4 * kTile8.mtu_words_enh + 16;
  while (link.cycle < cycles) {
    const Cycle phase = link.cycle % period;
    if (phase == 600) link.LinkUp(true);
    if (phase == period - longest_down && link.cycle + period < cycles - drain) link.LinkUp(false);
    if (link.cycle == cycles - drain) link.Drain();
    try {
      link.Step();
    } catch (const std::exception& error) {
      FAIL() << "cycle " << link.cycle << ": " << error.what();
    }
    ASSERT_EQ(link.wrong, "");
  }
  EXPECT_GT(link.Counter(0, Counter::kTxOkRpt), 20u);
  EXPECT_GT(link.device(0).compared_busy(), 2000);
  EXPECT_NO_THROW(link.CompareCounters());
  EXPECT_NO_THROW(link.device(0).CheckDrained());
  for (const Counter counter : {Counter::kTxReplayEvent, Counter::kRxExpectedSeqGood, Counter::kRxBad, Counter::kRxUnexpectedSeq,
                                Counter::kRxReplayEvent, Counter::kTxAckCtlOs, Counter::kTxNackCtlOs, Counter::kRxAckCtlOs,
                                Counter::kRxNackCtlOs, Counter::kRxBadCtl, Counter::kCreditsHealed, Counter::kLinkDowns})
    EXPECT_GT(link.Counter(0, counter), 0u) << ToString(counter);
}

TEST(SurvivingLinks, RtlEqualsGoldenWhileWordsAndSlotsAreLost) {
  const bool full = TierFromEnvironment() == Tier::kFull;
  for (int run = 0; run < (full ? 20 : 2); ++run) {
    SCOPED_TRACE("run " + std::to_string(run));
    const bool cut_through = run % 2 == 0;
    const int delay = full ? 1 + 23 * run % 211 : 15;
    const PortSetup setup{kTile8, true, cut_through, delay, {0.004, 0.004, 0.001, 0.001, 1}, {0.005, 0.005, 0.01, 0.005, 1},
                          run % 3 == 2 ? 4000 : 1500};
    const std::uint32_t seed = SeedOf(RootSeed(), "surviving links") + static_cast<std::uint32_t>(run);
    RtlEqualsGolden(setup, seed, full ? 200'000 : 16'000, 6000, full ? 20'000 : 4000);
  }
}

}  // namespace
}  // namespace tilefly::bench
