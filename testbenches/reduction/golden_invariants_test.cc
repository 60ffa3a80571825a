// SPDX-License-Identifier: Apache-2.0
// The invariants of docs/blocks/arithmetic.md hold of golden (ARITH-1 to ARITH-4; ARITH-5: golden_repsum_test.cc), and
// their checks bite.
#include <gtest/gtest.h>

#include "golden/reduction/combiner_checker.h"
#include "testbenches/bench/bites.h"
#include "testbenches/bench/settings.h"
#include "testbenches/reduction/machine.h"

namespace tilefly::golden {
namespace {

using bench::AnyTrial;
using bench::BrokenIds;
using bench::GetLane;
using bench::PutLane;
using bench::Trial;

bench::Stimulus OwnStimulus() { return bench::Stimulus(bench::SeedOf(bench::RootSeed(), bench::CurrentTest())); }

/// A trial of two operands whose bytes are often those of NaNs.
Trial NanTrial(const bench::Stimulus& random, Cycle number) {
  Trial trial = AnyTrial(random, number);
  trial.use = 3;
  for (std::uint32_t byte = 1; byte < trial.a.size(); byte += 2) {
    if (random.Chance(64, "NaN of a", number, byte)) trial.a[byte] |= 0x7f;
    if (random.Chance(64, "NaN of b", number, byte)) trial.b[byte] |= 0x7f;
  }
  return trial;
}

/// NaNs among the values of a word; -1 when one is not `canonical`.
template <typename M>
int CountNans(const Operands& word, std::size_t step, typename M::Bits canonical) {
  int nans = 0;
  for (std::size_t i = 0; i < word.size() / sizeof canonical; i += step) {
    const auto bits = GetLane<typename M::Bits>(word, i);
    if (!std::isnan(bench::Decoded<M>(bits))) continue;
    if (bits != canonical) return -1;
    ++nans;
  }
  return nans;
}

int CountNans(const Operation& operation, const Operands& word) {
  const std::size_t step = HasRecords(operation.op) ? 2 : 1;
  switch (operation.type) {
    case RedType::kFloat16:
      return CountNans<bench::MachineFloat16>(word, step, 0x7e00);
    case RedType::kBfloat16:
      return CountNans<bench::MachineBfloat16>(word, step, 0x7fc0);
    case RedType::kFloat32:
      return CountNans<bench::MachineFloat32>(word, step, 0x7fc00000);
    case RedType::kFloat64:
      return CountNans<bench::MachineFloat64>(word, step, 0x7ff8000000000000);
    default:
      return 0;
  }
}

TEST(Combine, EveryNanIsTheCanonicalOne) {
  const bench::Stimulus random = OwnStimulus();
  Audit audit;
  int nans = 0;
  for (Cycle i = 0; i < 50'000; ++i) {
    const Trial trial = NanTrial(random, i);
    const Combined result = Combine(trial.operation, trial.a, trial.b);
    const int found = CountNans(trial.operation, result.y);
    ASSERT_GE(found, 0) << "word " << i;
    nans += found;
    CheckCombined(trial.operation, 3, trial.a, trial.b, result, &audit);
  }
  EXPECT_EQ(audit.Message(), "");
  EXPECT_GT(nans, 20'000);
}

TEST(Combine, OperandsMayChangePlaces) {
  const bench::Stimulus random = OwnStimulus();
  int differ = 0;
  for (Cycle i = 0; i < 50'000; ++i) {
    const Trial trial = NanTrial(random, i);
    const Combined result = Combine(trial.operation, trial.a, trial.b);
    const Combined other = Combine(trial.operation, trial.b, trial.a);
    ASSERT_EQ(result.y, other.y) << "word " << i << ", " << ToString(trial.operation.op) << ' '
                                 << ToString(trial.operation.type);
    ASSERT_EQ(result.flags, other.flags) << "word " << i;
    differ += trial.a != trial.b && result.y != Operands{};
  }
  EXPECT_GT(differ, 10'000);
}

TEST(ArithmeticInvariants, AResultThatComesLateBreaksArith1) {
  const auto broken = [](Cycle comes, int value) {
    CombinerChecker<Combined> books;
    Combined entered;
    entered.y[0] = 5;
    books.Entered(10, entered);
    Audit audit;
    for (Cycle now = 11; now <= 20; ++now) {
      Combined shown;
      shown.y[0] = static_cast<std::uint8_t>(value);
      books.Shown(now, now == comes, shown, &audit);
    }
    EXPECT_EQ(audit.judged(), 10);
    return BrokenIds(audit);
  };
  EXPECT_EQ(broken(16, 5), "");
  EXPECT_EQ(broken(17, 5), "ARITH-1");
  EXPECT_EQ(broken(15, 5), "ARITH-1");
  EXPECT_EQ(broken(kNever, 5), "ARITH-1");
  EXPECT_EQ(broken(16, 6), "ARITH-1") << "that of other operands";
}

/// What an audit says of a result of two words.
std::string Broken(const Operation& operation, const Operands& a, const Operands& b, const Combined& result,
                   int use = 3) {
  Audit audit;
  CheckCombined(operation, use, a, b, result, &audit);
  EXPECT_GT(audit.judged(), 0);
  return BrokenIds(audit);
}

TEST(ArithmeticInvariants, AByteBehindTheLastBreaksArith2) {
  Operands word;
  word.fill(7);
  Operation operation;
  operation.last = 10;
  Combined result = Combine(operation, 1, word, word);
  EXPECT_EQ(Broken(operation, word, word, result, 1), "");
  result.y[11] = 1;
  EXPECT_EQ(Broken(operation, word, word, result, 1), "ARITH-2");
  Combined sum = Combine(operation, word, word);
  EXPECT_EQ(Broken(operation, word, word, sum), "");
  sum.y[10] = 7;
  EXPECT_EQ(Broken(operation, word, word, sum), "ARITH-2 ARITH-4") << "half a lane";
  Combined nothing;
  EXPECT_EQ(Broken(operation, word, word, nothing, 0), "");
  nothing.y[0] = 1;
  EXPECT_EQ(Broken(operation, word, word, nothing, 0), "ARITH-2");
}

TEST(ArithmeticInvariants, AnotherNanBreaksArith3) {
  Operation operation;
  operation.type = RedType::kFloat32;
  Operands a{}, b{};
  PutLane<std::uint32_t>(&a, 3, 0xffc12345);
  Combined result = Combine(operation, a, b);
  EXPECT_EQ(Broken(operation, a, b, result), "");
  PutLane<std::uint32_t>(&result.y, 3, 0xffc12345);
  EXPECT_EQ(Broken(operation, a, b, result), "ARITH-3 ARITH-4");
  EXPECT_EQ(Broken(operation, a, b, {a, 0}, 1), "") << "a word that meets no other keeps its bits";
}

TEST(ArithmeticInvariants, AnOperandThatPrevailsBreaksArith4) {
  Operation operation;
  operation.op = RedOp::kMinloc;
  operation.type = RedType::kInt64;
  Operands a{}, b{};
  PutLane<std::uint64_t>(&a, 1, 9);  // of equal values the index of the first operand
  PutLane<std::uint64_t>(&b, 1, 4);
  EXPECT_EQ(Broken(operation, a, b, {b, 0}), "");
  EXPECT_EQ(Broken(operation, a, b, {a, 0}), "ARITH-4");
}

}  // namespace
}  // namespace tilefly::golden
