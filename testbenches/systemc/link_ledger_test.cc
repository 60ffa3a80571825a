// SPDX-License-Identifier: Apache-2.0
// Books of links and channels against the plainest ones: a bit a cycle.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "systemc/egress/link_ledger.h"

namespace tilefly::systemc {
namespace {

RC_GTEST_PROP(LinkLedger, TakesTheFirstFreeCycles, ()) {
  LinkLedger ledger;
  std::set<Cycle> busy;
  const auto bookings = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 60), rc::gen::inRange(1, 9)));
  for (const auto& [earliest, cycles] : bookings) {
    Cycle last = -1;
    int left = cycles;
    for (Cycle c = earliest; left > 0; ++c) {
      if (!busy.insert(c).second) continue;
      last = c;
      --left;
    }
    RC_ASSERT(ledger.Book(-1, earliest, cycles) == last + 1 - cycles);
  }
}

TEST(LinkLedger, ForgetsWhatIsPast) {
  LinkLedger ledger;
  EXPECT_EQ(ledger.Book(0, 10, 5), 10);
  EXPECT_EQ(ledger.Book(15, 10, 5), 10);  // nobody may ask for it any more; who does sees it free
  EXPECT_EQ(ledger.Book(14, 12, 1), 15);
}

TEST(ChannelLedger, AnOwnerGoesOnAndOthersWait) {
  ChannelLedger ledger;
  EXPECT_EQ(ledger.Book(0, 1, 100, 25), 100);
  EXPECT_EQ(ledger.Book(0, 1, 103, 25), 103);  // owns it till 128
  EXPECT_EQ(ledger.Book(0, 2, 110, 25), 128);  // till 153
  EXPECT_EQ(ledger.Book(0, 1, 120, 25), 120);  // what it holds beyond 128 comes after: 153 to 170
  EXPECT_EQ(ledger.Book(0, 3, 111, 25), 170);  // till 195
  EXPECT_EQ(ledger.Book(0, 4, 60, 25), 60);    // in the time before, for one who runs behind: till 85
  EXPECT_EQ(ledger.Book(0, 5, 80, 25), 85);    // till 100, and ten cycles more from 195 on
  EXPECT_EQ(ledger.Book(0, 6, 90, 25), 205);
}

}  // namespace
}  // namespace tilefly::systemc
