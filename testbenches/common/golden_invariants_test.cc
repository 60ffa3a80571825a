// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/common.md bite (FIFO-1, FIFO-2).
#include <gtest/gtest.h>

#include "golden/common/fifo_checker.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {
namespace {

using bench::BrokenIds;

TEST(FifoInvariants, PushIntoAFullFifoOrPopOfAnEmptyOneBreaksFifo1) {
  FifoChecker<int> books(1);
  Audit pop;
  books.Step(false, 0, true, 0, &pop);
  EXPECT_EQ(BrokenIds(pop), "FIFO-1");
  Audit push;
  books.Step(true, 1, false, 0, &push);
  books.Step(true, 2, true, 1, &push);
  EXPECT_EQ(BrokenIds(push), "") << "with a pop a full fifo takes a push";
  books.Step(true, 3, false, 2, &push);
  EXPECT_EQ(BrokenIds(push), "FIFO-1");
}

TEST(FifoInvariants, AnotherHeadThanTheOldestBreaksFifo2) {
  FifoChecker<int> books(2);
  Audit audit;
  books.Step(true, 1, false, 0, &audit);
  books.Step(true, 2, false, 1, &audit);
  books.Step(false, 0, true, 2, &audit);
  EXPECT_EQ(BrokenIds(audit), "FIFO-2");
}

}  // namespace
}  // namespace tilefly::golden
