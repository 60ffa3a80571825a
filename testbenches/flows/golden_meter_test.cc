// SPDX-License-Identifier: Apache-2.0
// Golden's congestion meter against a second reading of docs/blocks/flow_channel.md, "Meter at the output".
#include <gtest/gtest.h>

#include "testbenches/flows/meter_bench.h"

namespace tilefly::bench {
namespace {

TEST(GoldenMeter, EqualsASecondReadingOfThePage) {
  constexpr int kPort = 7;
  Comparison run({1, 25, 300'000, 0});
  MeterPair pair(&run, kPort, true);
  MeterTraffic traffic(3, kPort, run.stimulus());
  while (run.Next()) pair.Step(run.cycle(), traffic.Draw(run.cycle()));
}

/// The share is FULL by the sources before the ack's own, of this epoch or the one before.
TEST(GoldenMeter, TheShareIsFullByTheSourcesBeforeTheAcksOwn) {
  golden::CongestionMeter meter(2048);
  const FlowMark registers;
  const auto share = [&](Cycle now, std::uint32_t source) {
    return meter.Make(now, 0, 1, 0, source, registers).share;
  };
  EXPECT_EQ(share(10, 1), 1280);
  EXPECT_EQ(share(11, 2), 1280);
  EXPECT_EQ(share(12, 3), 640);
  EXPECT_EQ(share(13, 3), 426);
  EXPECT_EQ(share(14, 3 << 6), 426);  // the bit of source 3: it counts once
  EXPECT_EQ(share(2048, 3), 426);     // three in the epoch before
  EXPECT_EQ(share(4096, 3), 1280);    // one in the epoch before
  EXPECT_EQ(share(9000, 3), 1280);
}

/// A class has the cells of its own lanes alone, and MARK_HARD takes the share away.
TEST(GoldenMeter, AClassIsMarkedByItsOwnLanes) {
  golden::CongestionMeter meter(2048);
  const FlowMark registers;
  for (int i = 0; i < 2; ++i) meter.Request(3, 89);
  EXPECT_FALSE(meter.Make(1, 0, 1u << 2, 0, 5, registers).mark);
  EXPECT_TRUE(meter.Make(2, 1, 1u << 3 | 1u << 4, 0, 5, registers).mark);
  meter.Grant(3, 89);
  EXPECT_FALSE(meter.Make(3, 1, 1u << 3, 0, 5, registers).mark);
  EXPECT_TRUE(meter.Make(4, 1, 1u << 3, 1u << 3, 5, registers).mark);
  EXPECT_EQ(meter.Make(5, 1, 1u << 3, 1u << 3, 5, registers).share, 1280);
  for (int i = 0; i < 7; ++i) meter.Request(3, 89);
  EXPECT_EQ(meter.Make(6, 1, 1u << 3, 0, 5, registers).share, 0);
}

}  // namespace
}  // namespace tilefly::bench
