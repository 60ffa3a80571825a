// SPDX-License-Identifier: Apache-2.0
// tilefly_combine against the machine's arithmetic: all pairs of the short formats, hard sums of all
// (docs/blocks/arithmetic.md, Tests). Golden has no part in it but its delay of six cycles.
#include <gtest/gtest.h>

#include "Vrtl_combine.h"
#include "golden/reduction/float_format.h"
#include "testbenches/reduction/pipe_bench.h"
#include "testbenches/reduction/short_pairs.h"

namespace tilefly::bench {
namespace {

/// Puts `words` words of operation `op` to the RTL, one a cycle, and drains it. `make(i, &trial)` gives the i-th and
/// what comes of it.
template <typename Make>
void CompareWithMachine(RedOp op, std::int64_t words, Make&& make) {
  Comparison run({1, 25, words + golden::kCombineCycles + 1});
  PipeBench<Vrtl_combine, Combined> bench(&run);
  // Of words that are not summed only signalling NaNs have a flag.
  const std::int64_t sums = op == RedOp::kSum ? 20 : 0;
  const std::array<Bin, 3> flags = {run.AddBin("inexact", sums), run.AddBin("overflow", sums),
                                    run.AddBin("invalid", words / 500)};
  Trial trial;
  Combined result;
  while (run.Next()) {
    const bool valid = run.cycle() < words;
    if (valid) {
      result = make(run.cycle(), run.stimulus(), &trial);
      for (std::size_t i = 0; i < flags.size(); ++i) run.Hit(flags[i], result.flags >> i & 1);
    }
    bench.Drive(valid, trial);
    bench.Step(result);
  }
}

template <typename M>
void CompareShortPairs(RedOp op) {
  const ShortPairs<M> pairs(op, ShortPairsStride(TierFromEnvironment()));
  CompareWithMachine(op, pairs.words(), [&](std::int64_t i, const Stimulus&, Trial* trial) {
    *trial = pairs.At(i);
    return pairs.Expected(*trial);
  });
}

TEST(CombineOfAllPairs, Float16SumsEqualTheMachines) { CompareShortPairs<MachineFloat16>(RedOp::kSum); }
TEST(CombineOfAllPairs, Float16MinimaEqualTheMachines) { CompareShortPairs<MachineFloat16>(RedOp::kMin); }
TEST(CombineOfAllPairs, Float16MaximaEqualTheMachines) { CompareShortPairs<MachineFloat16>(RedOp::kMax); }
TEST(CombineOfAllPairs, Bfloat16SumsEqualTheMachines) { CompareShortPairs<MachineBfloat16>(RedOp::kSum); }
TEST(CombineOfAllPairs, Bfloat16MinimaEqualTheMachines) { CompareShortPairs<MachineBfloat16>(RedOp::kMin); }
TEST(CombineOfAllPairs, Bfloat16MaximaEqualTheMachines) { CompareShortPairs<MachineBfloat16>(RedOp::kMax); }

template <typename F>
void CompareHardSums() {
  const std::int64_t lanes = 32 / sizeof(typename F::Bits);
  CompareWithMachine(RedOp::kSum, HardPairs(TierFromEnvironment()) / lanes,
                     [](std::int64_t i, const Stimulus& random, Trial* trial) {
                       *trial = HardSums<F>(random, i);
                       return MachineCombined(*trial);
                     });
}

TEST(CombineOfHardSums, Float16EqualTheMachines) { CompareHardSums<golden::Float16>(); }
TEST(CombineOfHardSums, Bfloat16EqualTheMachines) { CompareHardSums<golden::Bfloat16>(); }
TEST(CombineOfHardSums, Float32EqualTheMachines) { CompareHardSums<golden::Float32>(); }
TEST(CombineOfHardSums, Float64EqualTheMachines) { CompareHardSums<golden::Float64>(); }

}  // namespace
}  // namespace tilefly::bench
