// SPDX-License-Identifier: Apache-2.0
// What a run of a system says of its progress.
#include "runs/system/net_progress.h"

#include <gtest/gtest.h>

namespace tilefly::cosim {
namespace {

using runs::ProgressText;

TEST(NetProgress, WhileTrafficIsOfferedItsEndIsReckoned) {
  EXPECT_EQ(ProgressText({500, 20000, false, 12, 3, 1000}),
            "cycle 500 of 20000  12 packets delivered, 3 inside  1000 cycles/s, traffic ends in 20 s");
  EXPECT_EQ(ProgressText({500, 20000, true, 12, 3, 1000}),
            "cycle 500 of 20000  12 packets delivered, 3 inside  1000 cycles/s, traffic ends in 20 s at the latest");
  EXPECT_EQ(ProgressText({0, 20000, false, 0, 0, 0}), "cycle 0 of 20000  0 packets delivered, 0 inside")
      << "without a rate nothing is reckoned";
  EXPECT_NE(ProgressText({19999, 20000, false, 12, 3, 1000}).find("traffic ends in 0 s"), std::string::npos);
}

TEST(NetProgress, BehindTheEndOfTrafficNobodyKnowsHowLongPacketsDrain) {
  for (const bool may_end_earlier : {false, true}) {
    EXPECT_EQ(ProgressText({20000, 20000, may_end_earlier, 90, 7, 1000}),
              "cycle 20000, traffic has ended in cycle 20000  90 packets delivered, 7 inside  1000 cycles/s");
  }
  EXPECT_EQ(ProgressText({25000, 20000, false, 95, 2, 0}),
            "cycle 25000, traffic has ended in cycle 20000  95 packets delivered, 2 inside");
}

}  // namespace
}  // namespace tilefly::cosim
