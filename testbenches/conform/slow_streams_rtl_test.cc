// SPDX-License-Identifier: Apache-2.0
// Classes share a stream that is slower than the link by their weights, whatever their frames' lengths, and none waits longer
// than its bound: golden, and RTL in lockstep with it (docs/blocks/scheduler.md, "A far end slower than the link").
#include <gtest/gtest.h>

#include "cosim/golden_device.h"
#include "cosim/verilated/verilated_array.h"
#include "testbenches/conform/slow_streams.h"

namespace tilefly::conform {
namespace {

constexpr tilefly::Cycle kLong = 500'000;

/// To a round of the table: a run is no whole number of them.
void ExpectShares(const SlowStreams& streams) {
  for (int c = 0; c < SlowStreams::kClasses; ++c)
    EXPECT_NEAR(streams.cells(c) / streams.cells(), 0.1 * (c + 1), streams.round() / streams.cells()) << "class " << c;
}

void ExpectBounds(const SlowStreams& streams) {
  for (int c = 0; c < SlowStreams::kClasses; ++c) EXPECT_LE(streams.gap(c), streams.GapBound(c)) << "class " << c;
}

TEST(SlowStreams, AreSharedByWeightWhateverTheLengths) {
  for (const int unit : {89, 178}) {
    for (const bool mixed : {false, true}) {
      SCOPED_TRACE(testing::Message() << "weights of " << unit << " cells, lengths " << (mixed ? "mixed" : "equal"));
      cosim::GoldenDevice device(kTile8);
      SlowStreams streams(unit, mixed);
      ASSERT_EQ(streams.Run({&device}, kLong), "");
      ExpectShares(streams);
      ExpectBounds(streams);
    }
  }
}

/// Weights below a frame's cells: such a class gets its share in more rounds.
TEST(SlowStreams, AreSharedByWeightsThatAreLessThanAFrame) {
  cosim::GoldenDevice device(kTile8);
  SlowStreams streams(22, false);
  ASSERT_EQ(streams.Run({&device}, kLong), "");
  ExpectShares(streams);
}

TEST(SlowStreams, OfTheRtlAreGoldensInEveryCycle) {
  cosim::GoldenDevice golden(kTile8);
  cosim::VerilatedArray rtl(kTile8, {});
  SlowStreams streams(89, true);
  ASSERT_EQ(streams.Run({&golden, &rtl}, 40'000), "");
  ExpectBounds(streams);
}

}  // namespace
}  // namespace tilefly::conform
