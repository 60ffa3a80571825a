// SPDX-License-Identifier: Apache-2.0
// Books of links and channels against the plainest ones: a bit a cycle. Turns of short packets and launches.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "systemc/egress/link_ledger.h"
#include "systemc/reduction/lane_ledger.h"

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

/// Long packets were booked before; results of short operations are kind 0, CREDITs 1.
TEST(LinkLedger, AShortPacketWaitsForTheLongOneUnderWayAlone) {
  LinkLedger ledger;
  EXPECT_EQ(ledger.BookLong(0, 100, 130), 100);
  EXPECT_EQ(ledger.BookLong(0, 110, 130), 230);
  EXPECT_EQ(ledger.BookLong(0, 120, 130), 360);
  EXPECT_EQ(ledger.BookTurn(0, 0, 50, 18), 50);     // free
  EXPECT_EQ(ledger.BookTurn(0, 0, 101, 18), 230);   // behind the first
  EXPECT_EQ(ledger.BookTurn(0, 1, 102, 2), 230);    // of the other kind: it does not wait for kind 0
  EXPECT_EQ(ledger.BookTurn(0, 0, 103, 18), 360);   // the second goes between two of a kind
  EXPECT_EQ(ledger.BookLong(0, 400, 130), 528);     // behind 490, and behind what the three took: 18 + 2 + 18
  EXPECT_EQ(ledger.BookTurn(700, 0, 700, 18), 700);
}

LaneLedger::Turn Stream(Cycle start, RedCandidate candidate) { return {start, start + 130, candidate, true}; }
LaneLedger::Turn Short(Cycle start) { return {start, start + 18, RedCandidate::kShortUp, false}; }

Cycle BookOf(LaneLedger* lane, const LaneLedger::Turn& turn) {
  const Cycle start = lane->Free(turn);
  lane->Book(0, turn.From(start));
  return start;
}

TEST(LaneLedger, ShortOperationsTakeTurnsWithStreams) {
  LaneLedger lane;
  EXPECT_EQ(BookOf(&lane, Stream(100, RedCandidate::kUp0)), 100);
  EXPECT_EQ(BookOf(&lane, Stream(110, RedCandidate::kUp1)), 230);
  EXPECT_EQ(BookOf(&lane, Stream(120, RedCandidate::kUp0)), 360);
  EXPECT_EQ(BookOf(&lane, Short(101)), 230);  // the second stream goes back to 248, the third to 378
  EXPECT_EQ(BookOf(&lane, Short(102)), 378);  // a stream between two short ones; the third goes back to 396
  EXPECT_EQ(BookOf(&lane, Stream(130, RedCandidate::kUp1)), 526);
  EXPECT_EQ(BookOf(&lane, Short(60)), 60);    // in the time before
  EXPECT_EQ(BookOf(&lane, Stream(0, RedCandidate::kUp0)), 656);   // no gap of its length before
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
