// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/arbiter.md bite (ARB-1, ARB-2, ARB-3).
#include <gtest/gtest.h>

#include "golden/arbiter/choice_checker.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {
namespace {

using bench::BrokenIds;

TEST(ArbiterInvariants, AGrantOfTwoOrOfNobodysRequestBreaksArb1) {
  for (const std::uint64_t grant : {0x3u, 0x8u}) {
    Audit audit;
    ChoiceChecker(4).Choose(0x7, grant, false, &audit);
    EXPECT_EQ(BrokenIds(audit), "ARB-1");
  }
}

TEST(ArbiterInvariants, NoGrantBreaksArb2) {
  Audit audit;
  ChoiceChecker(4).Choose(0x2, 0, false, &audit);
  EXPECT_EQ(BrokenIds(audit), "ARB-2");
}

TEST(ArbiterInvariants, TheFourthGrantToOthersBreaksArb3) {
  ChoiceChecker books(4);
  Audit audit;
  for (int i = 0; i < 3; ++i) books.Choose(0x3, 0x1, true, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  EXPECT_GT(audit.judged(), 0);
  books.Choose(0x3, 0x1, false, &audit);
  EXPECT_EQ(BrokenIds(audit), "") << "the choice was not used";
  books.Choose(0x3, 0x1, true, &audit);
  EXPECT_EQ(BrokenIds(audit), "ARB-3");
}

}  // namespace
}  // namespace tilefly::golden
