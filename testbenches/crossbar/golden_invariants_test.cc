// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/crossbar.md bite (XBAR-1 to XBAR-4).
#include <gtest/gtest.h>

#include "golden/crossbar/arbitrated_crossbar.h"
#include "golden/crossbar/column_channels.h"
#include "golden/crossbar/crossing_checker.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {
namespace {

using bench::BrokenIds;

TEST(CrossbarInvariants, TwoPacketsOnOneOutputBreakXbar1) {
  ColumnChannels columns;
  Audit audit;
  columns.Carry({10, 14, 2, 3, 0});
  columns.Carry({15, 15, 2, 3, 1});
  columns.Carry({12, 20, 2, 4, 2});
  columns.Check(&audit);
  EXPECT_EQ(BrokenIds(audit), "");
  EXPECT_GT(audit.judged(), 0);
  columns.Carry({15, 16, 2, 3, 5});
  columns.Check(&audit);
  EXPECT_EQ(BrokenIds(audit), "XBAR-1");
}

TEST(CrossbarInvariants, MoreThanAPairsRequestsInATurnFifoBreakXbar2) {
  const Geometry geometry(kTile8);
  TurnStage turn(kTile8, geometry);
  const int depth = kTile8.request_credits * kTile8.vls;
  Audit audit;
  for (int i = 0; i < depth; ++i) turn.Leave(1, 6, static_cast<std::uint32_t>(i));
  turn.Check(&audit);
  EXPECT_EQ(BrokenIds(audit), "") << "full to the last entry";
  turn.Leave(1, 6, 0);
  turn.Check(&audit);
  EXPECT_EQ(BrokenIds(audit), "XBAR-2");
}

TEST(CrossbarInvariants, AMessageThatOvertakesBreaksXbar3) {
  CrossingChecker books;
  Audit audit;
  books.Leave(100, 1, 6, 0);
  books.Leave(101, 1, 6, 1);
  books.Arrive(109, 1, 6, 1, &audit);
  EXPECT_EQ(BrokenIds(audit), "XBAR-3");
}

TEST(CrossbarInvariants, ALoneMessageInAnotherTimeThan8BreaksXbar4) {
  for (const Cycle crossing : {7, 8, 9}) {
    CrossingChecker books;
    Audit audit;
    books.Leave(100, 1, 6, 0);
    books.Arrive(100 + crossing, 1, 6, 0, &audit);
    EXPECT_EQ(BrokenIds(audit), crossing == 8 ? "" : "XBAR-4");
  }
}

TEST(CrossbarInvariants, AMessageThatMeetsAnotherMayTakeLongerButNotLess) {
  CrossingChecker books;
  Audit audit;
  books.Leave(100, 1, 6, 0);
  books.Leave(100, 2, 6, 1);
  books.Arrive(109, 1, 6, 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  books.Arrive(107, 2, 6, 1, &audit);
  EXPECT_EQ(BrokenIds(audit), "XBAR-4");
}

}  // namespace
}  // namespace tilefly::golden
