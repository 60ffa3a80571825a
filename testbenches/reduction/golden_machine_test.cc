// SPDX-License-Identifier: Apache-2.0
// Golden's arithmetic against the machine's (docs/blocks/arithmetic.md, Tests).
#include <gtest/gtest.h>

#include <bitset>
#include <set>

#include "golden/reduction/float_format.h"
#include "testbenches/reduction/short_pairs.h"

namespace tilefly::bench {
namespace {

std::string Hex(const Combined& result) {
  std::string text;
  char digits[4];
  for (auto byte = result.y.rbegin(); byte != result.y.rend(); ++byte) {
    std::snprintf(digits, sizeof digits, "%02x", *byte);
    text += digits;
  }
  return text + ", flags " + std::to_string(result.flags);
}

/// False, with a failure: golden gives something else.
bool Equal(const Trial& trial, const Combined& expected) {
  const Combined result = golden::Combine(trial.operation, trial.use, trial.a, trial.b);
  if (result == expected) return true;
  ADD_FAILURE() << ToString(trial.operation.op) << ' ' << ToString(trial.operation.type) << ' '
                << ToString(trial.operation.rnd) << ", ftz " << trial.operation.ftz << ", last "
                << int{trial.operation.last} << ", use " << trial.use << "\n  a       " << Hex({trial.a, 0})
                << "\n  b       " << Hex({trial.b, 0}) << "\n  golden  " << Hex(result) << "\n  machine "
                << Hex(expected);
  return false;
}

Stimulus OwnStimulus() { return Stimulus(SeedOf(RootSeed(), CurrentTest())); }

/// How often each flag was seen in results.
struct FlagsSeen {
  void Count(std::uint8_t flags) {
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] += flags >> i & 1;
    none += flags == 0;
  }
  std::array<std::int64_t, 4> seen{};
  std::int64_t none = 0;
};

TEST(Arithmetic, EqualsTheMachinesForEveryOperationTypeLastAndUse) {
  const Stimulus random = OwnStimulus();
  const Cycle words = 20 * CyclesOf(TierFromEnvironment());
  std::set<int> pairs, lasts;
  FlagsSeen flags;
  for (Cycle i = 0; i < words; ++i) {
    const Trial trial = AnyTrial(random, i);
    const Combined expected = MachineCombined(trial);
    ASSERT_TRUE(Equal(trial, expected)) << "word " << i;
    if (trial.use != 3) continue;
    flags.Count(expected.flags);
    pairs.insert(static_cast<int>(trial.operation.op) * 8 + static_cast<int>(trial.operation.type));
    lasts.insert(trial.operation.last);
  }
  EXPECT_EQ(pairs.size(), 128u) << "legal and illegal";
  EXPECT_EQ(lasts.size(), 32u);
  for (const std::int64_t seen : flags.seen) EXPECT_GT(seen, words / 1000);
}

template <typename M>
void CompareShortPairs() {
  for (const RedOp op : {RedOp::kSum, RedOp::kMin, RedOp::kMax}) {
    const ShortPairs<M> pairs(op, ShortPairsStride(TierFromEnvironment()));
    FlagsSeen flags;
    for (std::int64_t i = 0; i < pairs.words(); ++i) {
      const Trial trial = pairs.At(i);
      const Combined expected = pairs.Expected(trial);
      ASSERT_TRUE(Equal(trial, expected));
      flags.Count(expected.flags);
    }
    EXPECT_GT(flags.none, 0);
    EXPECT_GT(flags.seen[2], 0) << "invalid";
    if (op == RedOp::kSum) {
      EXPECT_GT(flags.seen[0], 0) << "inexact";
      EXPECT_GT(flags.seen[1], 0) << "overflow";
    }
  }
}

TEST(Arithmetic, Float16PairsEqualTheMachines) { CompareShortPairs<MachineFloat16>(); }

TEST(Arithmetic, Bfloat16PairsEqualTheMachines) { CompareShortPairs<MachineBfloat16>(); }

/// The two readings of short sums, with tables and with the machine's rounding modes, are one.
template <typename M, typename F>
void CompareReferences() {
  const ShortPairs<M> pairs(RedOp::kSum, 4096);
  const Stimulus random = OwnStimulus();
  for (Cycle i = 0; i < 20'000; ++i) {
    Trial trial = HardSums<F>(random, i);
    trial.operation.rnd = RedRnd::kNearest;
    trial.operation.ftz = false;
    ASSERT_EQ(Hex(pairs.Expected(trial)), Hex(MachineCombined(trial)));
  }
}

TEST(ShortPairs, AgreeWithTheMachinesRoundingModes) {
  CompareReferences<MachineFloat16, golden::Float16>();
  CompareReferences<MachineBfloat16, golden::Bfloat16>();
}

template <typename F>
void CompareHardSums() {
  const Stimulus random = OwnStimulus();
  const std::int64_t pairs = HardPairs(TierFromEnvironment());
  const auto lanes = static_cast<std::int64_t>(32 / sizeof(typename F::Bits));
  FlagsSeen flags;
  for (std::int64_t i = 0; i * lanes < pairs; ++i) {
    const Trial trial = HardSums<F>(random, i);
    const Combined expected = MachineCombined(trial);
    ASSERT_TRUE(Equal(trial, expected)) << "word " << i;
    flags.Count(expected.flags);
  }
  for (int flag = 0; flag < 3; ++flag) EXPECT_GT(flags.seen[static_cast<std::size_t>(flag)], pairs / lanes / 100);
}

TEST(Arithmetic, HardFloat16SumsEqualTheMachines) { CompareHardSums<golden::Float16>(); }

TEST(Arithmetic, HardBfloat16SumsEqualTheMachines) { CompareHardSums<golden::Bfloat16>(); }

TEST(Arithmetic, HardFloat32SumsEqualTheMachines) { CompareHardSums<golden::Float32>(); }

TEST(Arithmetic, HardFloat64SumsEqualTheMachines) { CompareHardSums<golden::Float64>(); }

/// What the operands of sums and the machine's results reach.
template <typename F>
class StrataSeen {
 public:
  /// Lane by lane, of a word of sums to nearest.
  void Count(const Trial& trial) {
    const Combined result = MachineCombined(trial);
    overflows_ += (result.flags & golden::kOverflowFlag) != 0;
    for (std::size_t i = 0; i < 32 / sizeof(Bits); ++i) {
      Count(GetLane<Bits>(trial.a, i), GetLane<Bits>(trial.b, i), GetLane<Bits>(result.y, i));
    }
  }
  void ExpectAll(int least) const {
    EXPECT_TRUE(apart_.all()) << apart_;
    EXPECT_TRUE(cancelled_.all()) << cancelled_;
    for (const int count : {ties_, smallest_, largest_, zero_, signalling_, overflows_}) EXPECT_GT(count, least);
  }

 private:
  using Bits = typename F::Bits;
  static int ExponentOf(Bits bits) { return static_cast<int>(F::Magnitude(bits) >> F::kFraction); }

  void Count(Bits a, Bits b, Bits y) {
    signalling_ += F::IsSignalling(a) || F::IsSignalling(b);
    if (!F::IsFinite(a) || !F::IsFinite(b)) return;
    const int of_a = ExponentOf(a), of_b = ExponentOf(b), of_y = ExponentOf(y);
    if (of_a - of_b >= -2 && of_a - of_b <= F::kFraction + 3) apart_.set(static_cast<std::size_t>(of_a - of_b + 2));
    const int lost = std::max(of_a, of_b) - of_y;
    if (of_y > 0 && lost >= 0 && lost <= F::kFraction) cancelled_.set(static_cast<std::size_t>(lost));
    zero_ += F::Magnitude(y) == 0;
    smallest_ += of_y <= 1 && F::Magnitude(y) != 0;
    largest_ += of_y == ExponentOf(F::kInfinity - 1);
    // What lies behind the last place of the larger is a one and zeros.
    const Bits smaller = F::Magnitude(of_a < of_b ? a : b);
    ties_ += std::min(of_a, of_b) > 0 && std::abs(of_a - of_b) == F::kFraction + 1 &&
             (smaller & (F::kLowestNormal - 1)) == 0;
  }

  std::bitset<F::kFraction + 6> apart_;      ///< exponents, by -2 .. m + 3
  std::bitset<F::kFraction + 1> cancelled_;  ///< bits at the top
  int ties_ = 0, smallest_ = 0, largest_ = 0, zero_ = 0, signalling_ = 0;
  int overflows_ = 0;  ///< words
};

template <typename F>
void ReachStrata() {
  const Stimulus random = OwnStimulus();
  StrataSeen<F> seen;
  for (Cycle i = 0; i < static_cast<Cycle>(10'000 * sizeof(typename F::Bits)); ++i) {
    Trial trial = HardSums<F>(random, i);
    trial.operation.rnd = RedRnd::kNearest;
    trial.operation.ftz = false;
    seen.Count(trial);
  }
  seen.ExpectAll(1000);
}

TEST(SumPairs, ReachEveryStratum) {
  ReachStrata<golden::Float16>();
  ReachStrata<golden::Bfloat16>();
  ReachStrata<golden::Float32>();
  ReachStrata<golden::Float64>();
}

}  // namespace
}  // namespace tilefly::bench
