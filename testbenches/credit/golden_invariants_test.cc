// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/credit.md bite (CRED-1, CRED-2, CRED-3), and those of docs/blocks/link_retry.md that speak
// of credits (LSV-1, LSV-2).
#include <gtest/gtest.h>

#include "golden/credit/credit_checker.h"
#include "golden/credit/healing_checker.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {
namespace {

using bench::BrokenIds;

TEST(CreditInvariants, ACellThatNobodyHasBreaksCred1) {
  const CreditTable table(kTile8);
  CreditSender sender;
  CreditChecker books;
  sender.Grant(3, 10, table);
  books.Granted(3, 10);
  books.Freed(3, 10);
  Audit audit;
  books.Check(sender, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  sender.Return(3, 4, table);  // and six stay out, which the receiver has reported
  books.Home(3, 10);
  books.Check(sender, &audit);
  EXPECT_EQ(BrokenIds(audit), "CRED-1");
}

TEST(CreditInvariants, AGrantAboveTheCapBreaksCred2) {
  const CreditTable table(kTile8);
  CreditSender sender;
  Audit audit;
  sender.Grant(5, kTile8.credit_cap_cells, table);
  sender.Check(0, table, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  sender.Grant(5, 1, table);
  sender.Check(0, table, &audit);
  EXPECT_EQ(BrokenIds(audit), "CRED-2");
}

TEST(CreditInvariants, MoreThanTheSharedPartBreaksCred2) {
  const CreditTable table(kTile8);
  CreditSender sender;
  Audit audit;
  for (int v = 0; v < 3; ++v) sender.Grant(v, kTile8.credit_reserve_cells + kTile8.credit_shared_cells / 2, table);
  sender.Check(0, table, &audit);
  EXPECT_EQ(BrokenIds(audit), "CRED-2");
}

TEST(CreditInvariants, RegistersThatAllowMoreAndWereNotToldBreakCred2) {
  CreditTable table(kTile8);
  CreditSender sender;
  sender.Grant(1, 100, table);
  table.reserve[1] = 0;
  Audit audit;
  sender.Check(0, table, &audit);
  EXPECT_EQ(BrokenIds(audit), "CRED-2");
  sender.Rebase(table);
  Audit after;
  sender.Check(0, table, &after);
  EXPECT_EQ(BrokenIds(after), "");
}

TEST(CreditInvariants, ACellThatIsOutAfterTheDrainBreaksCred3) {
  const CreditTable table(kTile8);
  CreditSender sender;
  Audit audit;
  CreditChecker::CheckHome(sender, 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  sender.Grant(15, 1, table);
  CreditChecker::CheckHome(sender, 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "CRED-3");
}

TEST(CreditInvariants, AGrantOfARetryPortAboveTheCapBreaksCred2) {
  const CreditTable table(kTile8);
  CreditSender sender;
  Audit audit;
  sender.Grant(5, kTile8.credit_cap_cells + 1, table);  // by a replay
  sender.CheckGranted(0, -1, table, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  sender.CheckGranted(0, 5, table, &audit);
  EXPECT_EQ(BrokenIds(audit), "CRED-2");
}

/// A link of two retry ports of which one packet of 10 cells on lane 3 is on the wire.
struct PacketOnTheWire {
  PacketOnTheWire() {
    credits.Grant(3, 10, table);
    sends.Granted(3, 10);
    books.Granted(3, 10);
    sends.Taken(3, 10);
    books.Taken(3, 10);
    sends.Started(&credits, 3, 10, false, table);
    books.Started(3, 10, false);
  }
  std::string Broken() const {
    Audit audit;
    books.Check(credits, sends, returner, receives, &audit);
    return BrokenIds(audit);
  }
  const CreditTable table{kTile8};
  CreditSender credits;
  SenderHealing sends{kTile8.vls};
  CreditReturner returner;
  ReceiverHealing receives{kTile8.vls};
  HealingChecker books;
};

TEST(CreditInvariants, AnAttemptThatIsNotChargedBreaksLsv1) {
  PacketOnTheWire link;
  EXPECT_EQ(link.Broken(), "");
  link.sends.Started(&link.credits, 3, 10, false, link.table);
  link.books.Started(3, 10, true);
  EXPECT_EQ(link.Broken(), "LSV-1");
}

TEST(CreditInvariants, CellsThatAreHealedThoughTheyAreNotLostBreakLsv1) {
  PacketOnTheWire link;
  const auto judged = link.receives.Stamp(&link.returner, {3, 10});
  EXPECT_EQ(judged.healed, 10);
  link.books.Healed(3, judged.healed);
  EXPECT_EQ(link.Broken(), "LSV-1");
}

TEST(CreditInvariants, ATakenPacketThatTheCountMissesBreaksLsv2) {
  PacketOnTheWire link;
  link.receives.Taken(3, 10);
  link.books.Arrived(3, 10, true);
  EXPECT_EQ(link.Broken(), "");
  link.books.Arrived(3, 1, false);
  EXPECT_EQ(link.Broken(), "LSV-1 LSV-2");
}

}  // namespace
}  // namespace tilefly::golden
