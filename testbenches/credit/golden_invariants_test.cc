// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/credit.md bite (CRED-1, CRED-2, CRED-3).
#include <gtest/gtest.h>

#include "golden/credit/credit_checker.h"
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

}  // namespace
}  // namespace tilefly::golden
