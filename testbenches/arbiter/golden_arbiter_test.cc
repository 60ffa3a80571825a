// SPDX-License-Identifier: Apache-2.0
// The statements of docs/blocks/arbiter.md, of the golden arbiters.
#include <gtest/gtest.h>

#include <random>

#include "golden/arbiter/round_robin.h"

namespace tilefly::golden {
namespace {

int FirstAtOrAfter(std::uint64_t requests, int pointer, int size) {
  for (int i = 0; i < size; ++i) {
    const int candidate = (pointer + i) % size;
    if ((requests >> candidate & 1) != 0) return candidate;
  }
  return -1;
}

TEST(RoundRobin, TakesTheFirstRequesterAtOrAfterThePointer) {
  std::mt19937_64 random(1);
  for (const int size : {1, 2, 3, 8, 16, 64}) {
    const std::uint64_t all = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
    for (int i = 0; i < 10000; ++i) {
      const std::uint64_t requests = random() & random() & all;
      if (requests == 0) continue;
      const int pointer = static_cast<int>(random() % size);
      ASSERT_EQ(RoundRobin(requests, pointer), FirstAtOrAfter(requests, pointer, size));
    }
  }
}

TEST(RoundRobin, GrantsAPersistentRequesterWithinNGrants) {
  constexpr int kSize = 16;
  std::mt19937_64 random(2);
  int pointer = 0;
  int waited = 0;
  int longest = 0;
  for (int i = 0; i < 100000; ++i) {
    const int winner = RoundRobin((random() & 0xFFFF) | 1u << 5, pointer);
    pointer = PointerAfter(winner, kSize);
    waited = winner == 5 ? 0 : waited + 1;
    longest = std::max(longest, waited);
  }
  EXPECT_LT(longest, kSize);
  EXPECT_GE(longest, kSize / 2) << "the bound was not approached";
}

TEST(HierarchicalArbiter, ServesEveryInputOnceInNGrantsWhenAllRequest) {
  HierarchicalArbiter arbiter(4, 16);
  const std::array<std::uint32_t, 4> all = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};
  std::array<int, 64> served{};
  for (int i = 0; i < 64; ++i) {
    const auto choice = arbiter.Evaluate(all.data());
    ++served[choice.row * 16 + choice.input];
    arbiter.Commit(choice);
  }
  for (const int count : served) EXPECT_EQ(count, 1);
}

TEST(HierarchicalArbiter, MovesOnlyThePointersOfTheChoiceThatWasGranted) {
  HierarchicalArbiter arbiter(4, 16);
  const std::array<std::uint32_t, 4> requests = {0b11, 0b11, 0, 0};
  arbiter.Commit(arbiter.Evaluate(requests.data()));
  const auto second = arbiter.Evaluate(requests.data());
  EXPECT_EQ(second.row, 1);
  EXPECT_EQ(second.input, 0) << "the row that lost keeps its pointer";
  const auto unchanged = arbiter.Evaluate(requests.data());
  EXPECT_EQ(unchanged.row, second.row);
  EXPECT_EQ(unchanged.input, second.input);
}

TEST(HierarchicalArbiter, ChoosesNobodyWithoutARequest) {
  HierarchicalArbiter arbiter(4, 16);
  const std::array<std::uint32_t, 4> none{};
  EXPECT_EQ(arbiter.Evaluate(none.data()).row, -1);
}

}  // namespace
}  // namespace tilefly::golden
