// SPDX-License-Identifier: Apache-2.0
#include "support/random.h"

#include <gtest/gtest.h>

#include <array>

namespace tilefly::cosim {
namespace {

// The first outputs of splitmix64 from state 0, as published with xoshiro (prng.di.unimi.it).
TEST(Random, MixIsSplitmix64) {
  EXPECT_EQ(Mix64(kGolden64), 0xe220a8397b1dcdafu);
  EXPECT_EQ(Mix64(2 * kGolden64), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(Mix64(3 * kGolden64), 0x06c45d188009454fu);
}

// What a run of a seed does is a promise; these values keep it.
TEST(Random, DrawsAreStable) {
  EXPECT_EQ(Draw(1, 2, 3, Purpose::kPhase), 0x1286ac5a32f6f89du);
  EXPECT_EQ(Draw(0xffffffff, 63, 1000000, Purpose::kFault), 0x80a7536a48f32d95u);
}

TEST(Random, EveryPartOfTheKeyMatters) {
  const std::uint64_t base = Draw(1, 2, 3, Purpose::kGap);
  EXPECT_NE(base, Draw(2, 2, 3, Purpose::kGap));
  EXPECT_NE(base, Draw(1, 3, 3, Purpose::kGap));
  EXPECT_NE(base, Draw(1, 2, 4, Purpose::kGap));
  EXPECT_NE(base, Draw(1, 2, 3, Purpose::kSize));
}

TEST(Random, BelowIsUniform) {
  std::array<int, 7> counts{};
  constexpr int kDraws = 70000;
  for (int i = 0; i < kDraws; ++i)
    ++counts[Below(Draw(1, 0, static_cast<std::uint64_t>(i), Purpose::kSize), counts.size())];
  for (int count : counts) EXPECT_NEAR(count, kDraws / 7, 400);
}

TEST(Random, GeometricHasItsMean) {
  double sum = 0;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i)
    sum += static_cast<double>(Geometric(Draw(1, 0, static_cast<std::uint64_t>(i), Purpose::kGap), 5));
  EXPECT_NEAR(sum / kDraws, 5, 0.1);
  EXPECT_EQ(Geometric(~std::uint64_t{0}, 0), 0u);
}

}  // namespace
}  // namespace tilefly::cosim
