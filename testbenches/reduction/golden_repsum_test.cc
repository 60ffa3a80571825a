// SPDX-License-Identifier: Apache-2.0
// The reproducible sum of golden against exact integers (docs/blocks/arithmetic.md, Reproducible sum: ARITH-5).
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "golden/reduction/combiner_checker.h"
#include "testbenches/bench/bites.h"
#include "testbenches/bench/settings.h"
#include "testbenches/reduction/exact_number.h"
#include "testbenches/reduction/rep_summands.h"
#include "testbenches/reduction/rep_windows.h"

namespace tilefly::golden {
namespace {

using bench::AnyRepSum;
using bench::ExactNumber;
using bench::SummandsOf;
using bench::SumOfWindows;

bench::Stimulus OwnStimulus() { return bench::Stimulus(bench::SeedOf(bench::RootSeed(), bench::CurrentTest())); }

std::string Text(const RepSum& sum) {
  char text[128];
  std::snprintf(text, sizeof text, "m %d t %llx %llx %llx %llx ovfl %d low %d", sum.m,
                static_cast<unsigned long long>(sum.t[3]), static_cast<unsigned long long>(sum.t[2]),
                static_cast<unsigned long long>(sum.t[1]), static_cast<unsigned long long>(sum.t[0]), sum.ovfl,
                sum.low);
  return text;
}

std::uint64_t BitsOf(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Adds them up in a random tree: any two of what there is, until one is left.
RepSum SumInTree(const bench::Stimulus& random, Cycle number, std::vector<RepSum> sums) {
  for (std::uint32_t step = 0; sums.size() > 1; ++step) {
    std::swap(sums[random.Below(sums.size(), "one", number, step)], sums.back());
    const RepSum one = sums.back();
    sums.pop_back();
    RepSum& other = sums[random.Below(sums.size(), "other", number, step)];
    other = Add(one, other);
  }
  return sums.front();
}

std::vector<RepSum> AllFrom(const std::vector<double>& values) {
  std::vector<RepSum> sums;
  std::transform(values.begin(), values.end(), std::back_inserter(sums), FromDouble);
  return sums;
}

Cycle SumsOf(bench::Tier tier) {
  return tier == bench::Tier::kQuick ? 5'000 : tier == bench::Tier::kCi ? 20'000 : 200'000;
}

TEST(ReproducibleSum, IsTheSameForAnyOrderAndTree) {
  const bench::Stimulus random = OwnStimulus();
  int cut = 0, whole = 0;
  for (Cycle i = 0; i < SumsOf(bench::TierFromEnvironment()); ++i) {
    std::vector<double> values = SummandsOf(random, i);
    values.push_back(0);  // with a second summand every partial sum has been added to
    const RepSum expected = SumOfWindows(values);
    const std::vector<RepSum> summands = AllFrom(values);
    for (int tree = 0; tree < 4; ++tree) {
      const RepSum sum = SumInTree(random, 4 * i + tree, summands);
      ASSERT_EQ(Text(sum), Text(expected)) << "sum " << i << " of " << values.size();
    }
    Audit audit;
    CheckReproducible(summands, expected, &audit);
    ASSERT_EQ(audit.Message(), "");
    ++(expected.low == 5 ? cut : whole);
  }
  EXPECT_GT(cut, 500);
  EXPECT_GT(whole, 500);
}

TEST(ReproducibleSum, IsExactAsLongAsNoBitsWereLostAndCloseAfterwards) {
  const bench::Stimulus random = OwnStimulus();
  int exact = 0, close = 0;
  for (Cycle i = 0; i < SumsOf(bench::TierFromEnvironment()); ++i) {
    std::vector<double> values = SummandsOf(random, i);
    values.push_back(0);
    ExactNumber number;
    for (const double value : values) number.Add(value);
    const RepSum sum = SumInTree(random, i, AllFrom(values));
    if (sum.low < 5) {
      ASSERT_EQ(BitsOf(ToDouble(sum)), BitsOf(number.Rounded())) << "sum " << i;
      ++exact;
      continue;
    }
    // The bins are what is left of the exact sum: what they lack is less than 2^-120 of the largest a summand.
    ExactNumber lost = number;
    for (int bin = 0; bin < 4; ++bin) {
      ExactNumber part;
      part.Add(static_cast<std::int64_t>(sum.t[static_cast<std::size_t>(bin)]), 40 * (sum.m - 3 + bin));
      lost.Add(part.Negated());
    }
    const double largest = std::fabs(*std::max_element(values.begin(), values.end(),
                                                       [](double a, double b) { return std::fabs(a) < std::fabs(b); }));
    const auto allowed = std::ldexp(static_cast<double>(values.size()), std::ilogb(largest) - 119);
    ASSERT_LE(std::fabs(lost.Rounded()), allowed) << "sum " << i;
    ++close;
  }
  EXPECT_GT(exact, 500);
  EXPECT_GT(close, 500);
}

TEST(ReproducibleSum, ADoubleComesBack) {
  const bench::Stimulus random = OwnStimulus();
  for (Cycle i = 0; i < 100'000; ++i) {
    const std::uint64_t any = random.Bits("double", i);
    const std::uint64_t bits = random.Chance(64, "subnormal", i) ? any & ~(std::uint64_t{0x7ff} << 52) : any;
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isnan(value)) continue;
    const double expected = value == 0 ? 0 : value;
    ASSERT_EQ(BitsOf(ToDouble(FromDouble(value))), BitsOf(expected)) << std::hex << bits;
  }
}

TEST(ReproducibleSum, BinsOfADoubleAreThoseOfThePage) {
  EXPECT_EQ(Text(FromDouble(1)), "m 0 t 1 0 0 0 ovfl 0 low 0");
  EXPECT_EQ(Text(FromDouble(-3)), "m 0 t fffffffffffffffd 0 0 0 ovfl 0 low 0");
  EXPECT_EQ(Text(FromDouble(0x1.8p-1)), "m -1 t c000000000 0 0 0 ovfl 0 low 0");
  EXPECT_EQ(Text(FromDouble(0x1.0000000000001p0)), "m 0 t 1 0 10000000 0 ovfl 0 low 0") << "2^-52 = 2^28 * 2^-80";
  EXPECT_EQ(Text(FromDouble(0x1.fffffffffffffp1023)), "m 25 t ffffff fffffff800 0 0 ovfl 0 low 0");
  EXPECT_EQ(Text(FromDouble(0x1p-1074)), "m -26 t 0 40 0 0 ovfl 0 low 0");
  EXPECT_EQ(Text(FromDouble(0)), "m -26 t 0 0 0 0 ovfl 0 low 0");
  EXPECT_EQ(Text(FromDouble(-0.0)), "m -26 t 0 0 0 0 ovfl 0 low 0");
  EXPECT_EQ(Text(FromDouble(HUGE_VAL)), "m 126 t 0 0 0 0 ovfl 0 low 0");
  EXPECT_EQ(Text(FromDouble(-HUGE_VAL)), "m 125 t 0 0 0 0 ovfl 0 low 0");
  EXPECT_EQ(Text(FromDouble(std::nan(""))), "m 127 t 0 0 0 0 ovfl 0 low 0");
}

TEST(ReproducibleSum, RoundsAnyBinsOnce) {
  const bench::Stimulus random = OwnStimulus();
  int subnormal = 0, infinite = 0, negative = 0;
  for (Cycle i = 0; i < SumsOf(bench::TierFromEnvironment()); ++i) {
    RepSum sum = AnyRepSum(random, i, 0);
    sum.m = static_cast<std::int8_t>(random.Between(-26, 25, "m", i));
    if (random.Chance(64, "at an end", i)) sum.m = random.Chance(128, "upper", i) ? 25 : -26;
    ExactNumber number;
    for (int bin = 0; bin < 4; ++bin) {
      number.Add(static_cast<std::int64_t>(sum.t[static_cast<std::size_t>(bin)]), 40 * (sum.m - 3 + bin));
    }
    const double expected = number.Rounded();
    ASSERT_EQ(BitsOf(ToDouble(sum)), BitsOf(expected)) << Text(sum);
    subnormal += expected != 0 && std::fabs(expected) < std::numeric_limits<double>::min();
    infinite += std::isinf(expected);
    negative += expected < 0;
  }
  for (const int count : {subnormal, infinite, negative}) EXPECT_GT(count, 20);
}

TEST(ReproducibleSum, SpecialValuesPrevail) {
  const RepSum number = FromDouble(-5), plus = FromDouble(HUGE_VAL), minus = FromDouble(-HUGE_VAL);
  const RepSum nan = FromDouble(std::nan(""));
  const auto expect = [](const RepSum& a, const RepSum& b, const RepSum& y) {
    EXPECT_EQ(Text(Add(a, b)), Text(y));
    EXPECT_EQ(Text(Add(b, a)), Text(y));
  };
  expect(number, plus, plus);
  expect(number, minus, minus);
  expect(plus, plus, plus);
  expect(minus, minus, minus);
  expect(plus, minus, nan);
  for (const RepSum& other : {number, plus, minus, nan}) expect(nan, other, nan);
  for (const int m : {26, 124, -27, -128}) {
    RepSum nonsense = number;
    nonsense.m = static_cast<std::int8_t>(m);
    expect(nonsense, number, nan);
    expect(nonsense, plus, nan);
    EXPECT_TRUE(std::isnan(ToDouble(nonsense))) << m;
  }
  EXPECT_EQ(BitsOf(ToDouble(nan)), 0x7ff8000000000000u);
  EXPECT_EQ(ToDouble(plus), HUGE_VAL);
  EXPECT_EQ(ToDouble(minus), -HUGE_VAL);
}

TEST(ReproducibleSum, SaysWhenABinWrapped) {
  RepSum most = FromDouble(1), one = FromDouble(1);
  most.t[3] = INT64_MAX;
  RepSum sum = Add(most, one);
  EXPECT_EQ(sum.ovfl, 1);
  EXPECT_EQ(sum.t[3], std::uint64_t{1} << 63);
  EXPECT_EQ(Add(sum, FromDouble(-1)).ovfl, 1) << "once wrapped";
  most.t[3] = INT64_MAX - 1;
  EXPECT_EQ(Add(most, one).ovfl, 0);
}

/// The bound of the page: 2^20 - 1 summands of the largest bins stay below 2^60.
TEST(ReproducibleSum, AsManySummandsAsAPacketCountsDoNotWrap) {
  constexpr int kMost = (1 << 20) - 1;
  const double largest = 0x1.fffffffffffffp39;  // all 40 bits of t[3]
  RepSum sum = FromDouble(largest);
  for (int i = 1; i < kMost; ++i) sum = Add(sum, FromDouble(largest));
  EXPECT_EQ(sum.ovfl, 0);
  EXPECT_LT(sum.t[3], std::uint64_t{1} << 60);
  EXPECT_GT(sum.t[3], std::uint64_t{1} << 59);
  EXPECT_EQ(ToDouble(sum), largest * kMost) << "rounded once, both";
}

TEST(ReproducibleSum, OneOperandIsUnchanged) {
  const bench::Stimulus random = OwnStimulus();
  for (Cycle i = 0; i < 1000; ++i) {
    const RepSum a = AnyRepSum(random, i, 0), b = AnyRepSum(random, i, 1);
    EXPECT_EQ(Text(Add(1, a, b)), Text(a));
    EXPECT_EQ(Text(Add(2, a, b)), Text(b));
    EXPECT_EQ(Text(Add(3, a, b)), Text(Add(a, b)));
    EXPECT_EQ(Text(Add(0, a, b)), Text(RepSum{}));
  }
}

TEST(ArithmeticInvariants, ABinThatIsLostBreaksArith5) {
  const std::vector<RepSum> summands = AllFrom({1, -0x1p-70, 0x1p-30, 3});
  RepSum sum = std::accumulate(summands.begin() + 1, summands.end(), summands.front(),
                               [](const RepSum& a, const RepSum& b) { return Add(a, b); });
  const auto broken = [&] {
    Audit audit;
    CheckReproducible(summands, sum, &audit);
    EXPECT_EQ(audit.judged(), 3);
    return bench::BrokenIds(audit);
  };
  EXPECT_EQ(broken(), "");
  const RepSum right = sum;
  sum.t[1] = 0;
  EXPECT_EQ(broken(), "ARITH-5");
  sum = right;
  sum.low = 0;
  EXPECT_EQ(broken(), "ARITH-5");
}

}  // namespace
}  // namespace tilefly::golden
