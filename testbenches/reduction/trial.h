// SPDX-License-Identifier: Apache-2.0
// What is put to a combiner in one cycle, and where the words of a test come from.
#pragma once

#include <cstring>

#include "golden/reduction/arithmetic.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

using golden::Combined;
using golden::Operands;
using golden::Operation;

/// Operands and what is to be done with them.
struct Trial {
  Operation operation;
  int use = 3;
  Operands a{};
  Operands b{};
};

template <typename Lane>
Lane GetLane(const Operands& word, std::size_t lane) {
  Lane value;
  std::memcpy(&value, &word[lane * sizeof value], sizeof value);
  return value;
}
template <typename Lane>
void PutLane(Operands* word, std::size_t lane, Lane value) {
  std::memcpy(&(*word)[lane * sizeof value], &value, sizeof value);
}

/// Any operation, type, `last` and `use`, legal or not, with words in which lanes meet their like: equal values, equal
/// magnitudes, the ends of the type's range, zeros, infinities and NaNs of all kinds.
Trial AnyTrial(const Stimulus& random, Cycle number);

/// Floating SUM with any rounding, with or without flushing, in lanes that are hard (SumPair).
template <typename F>
Trial HardSums(const Stimulus& random, Cycle number);

/// Two numbers of a format, drawn from one of the strata: anything; exponents apart by -2 .. m + 3; ties and their
/// neighbours; cancellation of every number of bits; results around the smallest normal value; around the largest
/// finite one; zeros, infinities, NaNs.
template <typename Bits>
struct Pair {
  Bits a;
  Bits b;
};
template <typename F>
Pair<typename F::Bits> SumPair(const Stimulus& random, Cycle number, std::uint32_t lane);

}  // namespace tilefly::bench
