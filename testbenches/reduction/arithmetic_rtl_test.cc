// SPDX-License-Identifier: Apache-2.0
// tilefly_combine and tilefly_repsum against golden in every cycle (docs/blocks/arithmetic.md: ARITH-1 to ARITH-4).
#include <gtest/gtest.h>

#include <bitset>

#include "Vrtl_combine.h"
#include "Vrtl_repsum.h"
#include "testbenches/reduction/pipe_bench.h"
#include "testbenches/reduction/rep_summands.h"

namespace tilefly::bench {
namespace {

/// Something that has many kinds: a bin for how many of them were seen.
template <std::size_t kKinds>
class KindsSeen {
 public:
  KindsSeen(Comparison* run, const char* name) : run_(*run), bin_(run->AddBin(name, kKinds)) {}
  void Count(std::size_t kind) {
    run_.Hit(bin_, !seen_.test(kind));
    seen_.set(kind);
  }

 private:
  Comparison& run_;
  Bin bin_;
  std::bitset<kKinds> seen_;
};

class CombineBins {
 public:
  explicit CombineBins(Comparison* run)
      : run_(*run),
        pairs_(run, "operation and type, legal and not"),
        lasts_(run, "last byte"),
        uses_(run, "use"),
        flags_{run->AddBin("inexact", 100), run->AddBin("overflow", 20), run->AddBin("invalid", 100),
               run->AddBin("int_overflow", 50)},
        gap_(run->AddBin("a word enters an idle pipeline", 20)),
        full_(run->AddBin("words in all stages", 500)) {}

  /// A word enters in cycle `now`.
  void Count(Cycle now, const Trial& trial, const Combined& result) {
    uses_.Count(static_cast<std::size_t>(trial.use));
    run_.Hit(gap_, now - before_ > golden::kCombineCycles);
    in_a_row_ = now == before_ + 1 ? in_a_row_ + 1 : 1;
    run_.Hit(full_, in_a_row_ >= golden::kCombineCycles);
    before_ = now;
    if (trial.use != 3) return;
    pairs_.Count(static_cast<std::size_t>(trial.operation.op) * 8 + static_cast<std::size_t>(trial.operation.type));
    lasts_.Count(trial.operation.last);
    for (std::size_t i = 0; i < flags_.size(); ++i) run_.Hit(flags_[i], result.flags >> i & 1);
  }

 private:
  Comparison& run_;
  KindsSeen<128> pairs_;
  KindsSeen<32> lasts_;
  KindsSeen<4> uses_;
  std::array<Bin, 4> flags_;
  Bin gap_, full_;
  Cycle before_ = 0;
  int in_a_row_ = 0;
};

void CompareCombine(PowerUp power_up, double of_tier, bool rests = false) {
  Comparison run(of_tier, power_up);
  PipeBench<Vrtl_combine, Combined> bench(&run, rests);
  CombineBins bins(&run);
  while (run.Next()) {
    const Cycle now = run.cycle();
    const Trial trial = AnyTrial(run.stimulus(), now);  // in cycles without a word too: nobody may look
    const bool valid = run.stimulus().Spell("valid", now);
    bench.Drive(valid, trial);
    const Combined result = golden::Combine(trial.operation, trial.use, trial.a, trial.b);
    if (valid) {
      golden::Audit audit;
      golden::CheckCombined(trial.operation, trial.use, trial.a, trial.b, result, &audit);
      run.Check(audit);
      bins.Count(now, trial, result);
      const Operation& operation = trial.operation;
      run.Event("enters: op, type, use, last",
                {static_cast<int>(operation.op), static_cast<int>(operation.type), trial.use, operation.last});
    }
    bench.Step(result);
  }
}

TEST(Combine, EqualsGoldenInEveryCycle) { CompareCombine(kZeros, 1); }

TEST(Combine, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareCombine(power_up, 0.05); });
}

TEST(Combine, MayBeLeftUnevaluatedWhileItIsIdle) { CompareCombine(kZeros, 0.5, true); }

TEST(Combine, AResetLosesWhatIsInside) {
  Comparison run({1, 25, 200});
  PipeBench<Vrtl_combine, Combined> bench(&run);
  const Bin inside = run.AddBin("a word is inside at a reset", 5);
  while (run.Next()) {
    const Cycle now = run.cycle();
    if (now % 20 == 19) {
      run.Hit(inside, bench.combiner().Next() != kNever);
      bench.Reset();
      continue;
    }
    const Trial trial = AnyTrial(run.stimulus(), now);
    bench.Drive(now % 20 > 3 && run.stimulus().Chance(200, "valid", now), trial);
    bench.Step(golden::Combine(trial.operation, trial.use, trial.a, trial.b));
  }
}

/// Two partial sums: of doubles, as a tree has them, or any bits that a host might send.
RepTrial AnyRepTrial(const Stimulus& random, Cycle now) {
  RepTrial trial;
  trial.use = random.Chance(192, "both", now) ? 3 : random.Between(0, 3, "use", now);
  if (random.Chance(96, "any", now)) {
    trial.a = AnyRepSum(random, now, 0);
    trial.b = AnyRepSum(random, now, 1);
    return trial;
  }
  const std::vector<double> summands = SummandsOf(random, now);
  trial.a = trial.b = golden::FromDouble(summands.front());
  for (std::size_t i = 1; i < std::min<std::size_t>(summands.size(), 12); ++i) {
    golden::RepSum& half = i % 2 != 0 ? trial.b : trial.a;
    half = golden::Add(half, golden::FromDouble(summands[i]));
  }
  return trial;
}

void CompareRepSum(PowerUp power_up, double of_tier, bool rests = false) {
  Comparison run(of_tier, power_up);
  PipeBench<Vrtl_repsum, golden::RepSum> bench(&run, rests);
  KindsSeen<4> uses(&run, "use");
  KindsSeen<10> shifts(&run, "windows apart by -4 bins or more .. 4 or more, and special values");
  KindsSeen<6> lows(&run, "lowest bin");
  const Bin wrapped = run.AddBin("a bin wraps", 20);
  while (run.Next()) {
    const Cycle now = run.cycle();
    const RepTrial trial = AnyRepTrial(run.stimulus(), now);
    const bool valid = run.stimulus().Spell("valid", now);
    bench.Drive(valid, trial);
    const golden::RepSum sum = golden::Add(trial.use, trial.a, trial.b);
    if (valid) {
      uses.Count(static_cast<std::size_t>(trial.use));
      run.Event("enters: use, m of a, m of b", {trial.use, trial.a.m, trial.b.m});
    }
    if (valid && trial.use == 3) {
      const bool special = sum.m > golden::RepSum::kHighestM;
      shifts.Count(special ? 9 : static_cast<std::size_t>(std::clamp(trial.a.m - trial.b.m, -4, 4) + 4));
      lows.Count(sum.low);
      run.Hit(wrapped, sum.ovfl != 0 && trial.a.ovfl == 0 && trial.b.ovfl == 0);
    }
    bench.Step(sum);
  }
}

TEST(RepSum, EqualsGoldenInEveryCycle) { CompareRepSum(kZeros, 1); }

TEST(RepSum, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareRepSum(power_up, 0.05); });
}

TEST(RepSum, MayBeLeftUnevaluatedWhileItIsIdle) { CompareRepSum(kZeros, 0.5, true); }

}  // namespace
}  // namespace tilefly::bench
