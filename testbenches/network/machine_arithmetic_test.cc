// SPDX-License-Identifier: Apache-2.0
// The numbers of this machine that results are compared with are those of the arithmetic page: what combiners make of
// the same bytes.
#include "network/machine_arithmetic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tilefly::network {
namespace {

golden::Operands WordOf(const MachineArithmetic& arithmetic, const std::vector<Element>& elements) {
  std::vector<std::uint8_t> bytes;
  for (const Element& element : elements) arithmetic.Put(element, &bytes);
  golden::Operands word{};
  EXPECT_EQ(bytes.size(), word.size());
  std::copy(bytes.begin(), bytes.end(), word.begin());
  return word;
}

TEST(MachineArithmetic, MakesWhatCombinersMake) {
  std::mt19937_64 random(7);
  for (const RedOp op : kRedOpValues) {
    for (const RedType type : kRedTypeValues) {
      if (!golden::IsLegal(op, type)) continue;
      const MachineArithmetic arithmetic(op, type);
      const int count = golden::kOperandBytes / golden::UnitBytes(op, type);
      int changed = 0;
      for (int draw = 0; draw < 200; ++draw) {
        std::vector<Element> sum, other;
        for (int i = 0; i < count; ++i) sum.push_back(arithmetic.Drawn(random()));
        for (int summand = 0; summand < 4; ++summand) {  // sums of sums are rounded again
          other.clear();
          for (int i = 0; i < count; ++i) other.push_back(arithmetic.Drawn(random()));
          const golden::Operands before = WordOf(arithmetic, sum);
          const golden::Operands expected = golden::Combine({op, type}, before, WordOf(arithmetic, other)).y;
          for (int i = 0; i < count; ++i) sum[i] = arithmetic.Combined(sum[i], other[i], i);
          ASSERT_EQ(WordOf(arithmetic, sum), expected) << ToString(op) << " " << ToString(type);
          changed += expected != before;
        }
      }
      EXPECT_GT(changed, 100) << ToString(op) << " " << ToString(type);
    }
  }
}

/// Values that no draw makes: the ends of the narrow formats.
TEST(MachineArithmetic, RoundsAtTheEndsOfNarrowFormats) {
  for (const RedType type : {RedType::kFloat16, RedType::kBfloat16}) {
    const MachineArithmetic arithmetic(RedOp::kSum, type);
    const std::vector<double> values =
        type == RedType::kFloat16 ? std::vector<double>{65504, 16, 15.9921875, 0x1p-24, 0x1p-14, 0x1.8p-23, 1, -1}
                                  : std::vector<double>{0x1.fep127, 0x1p119, 0x1p118, 0x1p-133, 0x1p-126, 0x1p-8, 1};
    for (const double a : values) {
      for (const double b : values) {
        Element x, y;
        x.real = a;
        y.real = b;
        const std::vector<Element> as(16, x), bs(16, y);
        const golden::Operands expected =
            golden::Combine({RedOp::kSum, type}, WordOf(arithmetic, as), WordOf(arithmetic, bs)).y;
        EXPECT_EQ(WordOf(arithmetic, std::vector<Element>(16, arithmetic.Combined(x, y, 0))), expected)
            << ToString(type) << " " << a << " + " << b;
      }
    }
  }
}

}  // namespace
}  // namespace tilefly::network
