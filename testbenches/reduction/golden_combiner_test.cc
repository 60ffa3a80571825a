// SPDX-License-Identifier: Apache-2.0
// The combiner's pipeline in cycles, as the timing diagram of docs/blocks/arithmetic.md shows it.
#include <gtest/gtest.h>

#include "golden/common/archive.h"
#include "golden/reduction/arithmetic.h"
#include "golden/reduction/combiner.h"

namespace tilefly::golden {
namespace {

Combined Result(int number) {
  Combined result;
  result.y[0] = static_cast<std::uint8_t>(number);
  return result;
}

TEST(Combiner, ShowsAResultSixCyclesAfterItsOperandsAndKeepsIt) {
  Combiner<Combined> combiner;
  for (Cycle t = 0; t <= 10; ++t) {
    combiner.Advance(t);
    EXPECT_EQ(combiner.valid(t), t == 6 || t == 7) << t;
    EXPECT_EQ(combiner.busy(t), t >= 1 && t <= 7) << t;
    EXPECT_EQ(combiner.shown(), t < 6 ? Combined{} : Result(t == 6 ? 1 : 2)) << t;
    if (t < 2) combiner.Enter(t, Result(static_cast<int>(t) + 1));
  }
  EXPECT_EQ(combiner.Next(), kNever);
}

TEST(Combiner, TakesAWordInEveryCycle) {
  Combiner<Combined> combiner;
  for (Cycle t = 0; t < 100; ++t) {
    combiner.Advance(t);
    EXPECT_EQ(combiner.valid(t), t >= 6);
    if (t >= 6) {
      EXPECT_EQ(combiner.shown(), Result(static_cast<int>(t) - 6));
    }
    combiner.Enter(t, Result(static_cast<int>(t)));
    EXPECT_EQ(combiner.Next(), t < 6 ? 6 : t + 1);
  }
}

TEST(Combiner, CyclesInWhichNothingIsDueMayBeLeftOut) {
  Combiner<Combined> combiner;
  combiner.Enter(100, Result(1));
  ASSERT_EQ(combiner.Next(), 106);
  combiner.Advance(106);
  EXPECT_TRUE(combiner.valid(106));
  EXPECT_FALSE(combiner.valid(107));
  EXPECT_FALSE(combiner.busy(107));
}

TEST(Combiner, GoesOnFromItsBytes) {
  Combiner<Combined> before, after;
  before.Advance(5);
  before.Enter(5, Result(3));
  SavedBytes bytes;
  Saver save(&bytes);
  save(before);
  Loader load(bytes);
  load(after);
  EXPECT_TRUE(load.AtEnd());
  EXPECT_TRUE(after.busy(6));
  after.Advance(11);
  EXPECT_TRUE(after.valid(11));
  EXPECT_EQ(after.shown(), Result(3));
}

}  // namespace
}  // namespace tilefly::golden
