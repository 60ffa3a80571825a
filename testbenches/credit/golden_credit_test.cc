// SPDX-License-Identifier: Apache-2.0
// The statements of docs/blocks/credit.md, of the golden sender and returner.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "golden/credit/credit_returner.h"
#include "golden/credit/credit_sender.h"

namespace tilefly::golden {
namespace {

constexpr int kMtuCells = 89;

/// The page's sum, term by term.
bool LaneOkByThePage(const CreditSender& sender, const CreditTable& table, int v) {
  int sum = 0;
  for (int w = 0; w < kMaxLanes; ++w) {
    const int used = sender.used(w) + (w == v ? kMtuCells : 0);
    sum += std::max(0, used - table.reserve[w]);
  }
  return sender.used(v) + kMtuCells <= table.cap[v] && sum <= table.shared;
}

TEST(CreditSender, AgreesWithThePageUnderRandomGrantsAndReturns) {
  std::mt19937 random(3);
  CreditTable table(kRosetta64);
  for (int v = 0; v < kMaxLanes; ++v) table.reserve[v] = static_cast<std::uint16_t>(20 + 7 * v);
  CreditSender sender;
  std::array<std::uint16_t, kMaxLanes> received{};
  std::array<int, kMaxLanes> in_flight{};
  int refused = 0;
  for (int i = 0; i < 200000; ++i) {
    const int v = static_cast<int>(random() % kMaxLanes);
    ASSERT_EQ(sender.LaneOk(v, table, kMtuCells), LaneOkByThePage(sender, table, v));
    if (sender.LaneOk(v, table, kMtuCells)) {
      const int cells = 1 + static_cast<int>(random() % kMtuCells);
      sender.Grant(v, cells, table);
      in_flight[v] += cells;
    } else {
      ++refused;
    }
    const int w = static_cast<int>(random() % kMaxLanes);
    const int back = static_cast<int>(random() % (in_flight[w] + 1));
    in_flight[w] -= back;
    received[w] = static_cast<std::uint16_t>(received[w] + back);
    ASSERT_TRUE(sender.Return(w, received[w], table));
    ASSERT_EQ(sender.used(w), in_flight[w]);
  }
  EXPECT_GT(refused, 1000) << "the limits were not reached";
}

TEST(CreditSender, IgnoresAReturnOfMoreThanIsUsed) {
  const CreditTable table(kRosetta64);
  CreditSender sender;
  sender.Grant(3, 10, table);
  EXPECT_FALSE(sender.Return(3, 11, table));
  EXPECT_FALSE(sender.Return(3, 65535, table));
  EXPECT_EQ(sender.used(3), 10);
  EXPECT_TRUE(sender.Return(3, 10, table));
  EXPECT_TRUE(sender.AllHome());
}

TEST(CreditSender, RepairsALostReturnByTheNextOneAndTakesARepeatedOne) {
  const CreditTable table(kRosetta64);
  CreditSender sender;
  sender.Grant(0, 10, table);
  sender.Grant(0, 20, table);
  EXPECT_TRUE(sender.Return(0, 30, table));
  EXPECT_TRUE(sender.Return(0, 30, table));
  EXPECT_EQ(sender.used(0), 0);
}

TEST(CreditSender, JudgesAReturnOnTheStateBeforeTheGrantOfItsCycle) {
  const CreditTable table(kRosetta64);
  CreditSender sender;
  sender.Grant(0, 10, table);
  EXPECT_FALSE(sender.Return(0, 1, table, 10)) << "nothing was in flight before the grant";
  EXPECT_TRUE(sender.Return(0, 0, table, 10));
  EXPECT_EQ(sender.used(0), 10);
}

TEST(CreditReturner, ReportsPendingLanesInTurnWithWhatIsFreedSoFar) {
  CreditReturner returner;
  EXPECT_FALSE(returner.pending());
  returner.Free(2, 5);
  returner.Free(7, 1);
  returner.Free(2, 4);
  const auto first = returner.Decide(kMaxLanes);
  EXPECT_EQ(first.vl, 2);
  EXPECT_EQ(first.cells, 9);
  returner.Free(2, 1);  // in the cycle of its report: pending again
  const auto second = returner.Decide(kMaxLanes);
  EXPECT_EQ(second.vl, 7);
  const auto third = returner.Decide(kMaxLanes);
  EXPECT_EQ(third.vl, 2);
  EXPECT_EQ(third.cells, 10);
  EXPECT_FALSE(returner.pending());
}

}  // namespace
}  // namespace tilefly::golden
