// SPDX-License-Identifier: Apache-2.0
// A link of two switches that repeats what a wire loses (docs/blocks/link_retry.md): RTL beside golden at one of its ends.
#include <gtest/gtest.h>

#include <exception>

#include "cosim/device_factory.h"
#include "testbenches/bench/settings.h"
#include "testbenches/retry/port_link.h"

namespace tilefly::bench {
namespace {

TEST(SurvivingLinks, RtlEqualsGoldenWhileWordsAndSlotsAreLost) {
  for (const bool cut_through : {true, false}) {
    SCOPED_TRACE(cut_through ? "cut through" : "stored");
    const PortSetup setup{kTile8, true, cut_through, 15, {0.004, 0.004, 0.001, 0.001, 1}, {0.005, 0.005, 0.01, 0.005, 1}, 1500};
    PortLink link(setup, Stimulus(SeedOf(RootSeed(), "surviving links")), cosim::MakeDevice("rtl", kTile8));
    const Cycle down = 6000, up = down + 2 * setup.delay + 4 * kTile8.mtu_words_enh + 16;
    while (link.cycle < 16'000) {
      if (link.cycle == 600 || link.cycle == up) link.LinkUp(true);
      if (link.cycle == down) link.LinkUp(false);
      if (link.cycle == 12'000) link.Drain();
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
  }
}

}  // namespace
}  // namespace tilefly::bench
