// SPDX-License-Identifier: Apache-2.0
// Where fields of the register bus's words lie, as numbers: software has them, too, so that profiles/registers.yaml may
// add fields but move none.
#include <gtest/gtest.h>

#include "generated/registers.h"

namespace tilefly::golden {
namespace {

TEST(RegisterWords, FieldsLieWhereSoftwareHasThem) {
  EXPECT_EQ(PortPause::Of(0xABC, 0xDEF, true).ToBits(), 0x1'0DEF'0ABC);
  EXPECT_EQ(OwnAddress::Of(0x15, 0x1A5).ToBits(), 0x1A5 << 5 | 0x15);
  EXPECT_EQ(SwitchSize::Of(0x2A5, 0x2B).ToBits(), 0x2B << 10 | 0x2A5);
  EXPECT_EQ(MacKey::Of(0x1234'5678'9ABC, true).ToBits(), 0x1'1234'5678'9ABC);
  EXPECT_EQ(VlmapIndex::Of(1, 2, 0xD, 5).ToBits(), 5 << 8 | 0xD << 4 | 2 << 2 | 1);
  EXPECT_EQ(CreditLane::Of(0xABC, 0xDEF).ToBits(), 0xDEFABC);
  EXPECT_EQ(DtableEntry::Of(0xABC, 5).ToBits(), 0x5ABC);
  EXPECT_EQ(ClassIndex::Of(2, 5).ToBits(), 8 * 5 + 2);
  EXPECT_EQ(ClassMaximum::Of(0xABCD, 0x1234'5678).ToBits(), 0x1234'5678'ABCD);
  EXPECT_EQ(ClassShare::Of(0xABCD, 0x1234, true).ToBits(), 0x1'1234'ABCD);
  EXPECT_EQ(ClassRouting::Of(5, true).ToBits(), 0xD);
  EXPECT_EQ(GroupIndex::Of(8, 5).ToBits(), 16 * 5 + 8);
  EXPECT_EQ(GroupTree::Of(true, false, 0x2A, true, 0x1234'5678).ToBits(), 0x1234'5678'0000'01A9);
  EXPECT_EQ(GroupStatus::Of(5, true, 0xA, 6, 0x1234, 0x89AB'CDEF).ToBits(), 0x89AB'CDEF'0123'46AD);
  EXPECT_EQ(GroupPeer::Of(0xABCDE, true, 0xD, 5, 2, true).ToBits(),
            0xABCDEu | 1u << 20 | 0xDu << 21 | 5u << 25 | 2u << 28 | 1u << 30);
  EXPECT_EQ(SwitchLength::FromBits(0x1121'1451'1111'1231).nonmin_far[1], 5);
  EXPECT_EQ(SwitchBias::FromBits(std::uint64_t{300} << 36).adaptive[3], 300);
  EXPECT_EQ(PortEthHi::FromBits(0x1'0E0D'0C0B'0A09).bytes[5], 0x0E);
  EXPECT_EQ(static_cast<int>(TableReg::kCreditShared), 16);
  EXPECT_EQ(static_cast<int>(TableReg::kClassShared), 64);
  EXPECT_EQ(static_cast<int>(TableReg::kDtableSwap), 1024);
}

/// What is too large does not reach into the next field, and bits between fields are nobody's.
TEST(RegisterWords, FieldsStayApart) {
  EXPECT_EQ(CreditLane::Of(0x1001, 2).ToBits(), 0x2001);
  EXPECT_EQ(PortPause::FromBits(~std::uint64_t{0}).ToBits(), 0x1'0FFF'0FFF);
  EXPECT_EQ(SwitchLength().ToBits(), 0x1111'1111'1111'1111);
  for (const std::uint64_t bits : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x0123'4567'89AB'CDEF}}) {
    EXPECT_EQ(SwitchLength::FromBits(bits).ToBits(), bits);
  }
}

}  // namespace
}  // namespace tilefly::golden
