// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/trial.h"

#include <algorithm>
#include <vector>

#include "golden/reduction/float_format.h"

namespace tilefly::bench {
namespace {

using golden::Bfloat16;
using golden::Float16;
using golden::Float32;
using golden::Float64;

/// Magnitudes at the borders of what the page tells apart.
template <typename F>
const std::vector<typename F::Bits>& Borders() {
  using Bits = typename F::Bits;
  constexpr Bits kOne = static_cast<Bits>(F::kInfinity >> 1 & ~(F::kLowestNormal - 1));
  static const std::vector<Bits> borders = {0,
                                            1,
                                            2,
                                            F::kLowestNormal - 1,
                                            F::kLowestNormal,
                                            F::kLowestNormal + 1,
                                            kOne - 1,
                                            kOne,
                                            kOne + 1,
                                            F::kInfinity - 1,
                                            F::kInfinity,
                                            F::kInfinity + 1,
                                            F::kNan - 1,
                                            F::kNan,
                                            F::kNan + 1,
                                            static_cast<Bits>(F::kSign - 1)};
  return borders;
}

template <typename Bits>
const std::vector<Bits>& IntegerBorders() {
  constexpr Bits kTop = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  static const std::vector<Bits> borders = {0, 1, 2, kTop - 2,
                                            kTop - 1};  // with the top bit flipped: the negative ones
  return borders;
}

/// The draws of one lane's pair.
template <typename F>
class PairDraw {
 public:
  using Bits = typename F::Bits;
  PairDraw(const Stimulus& random, Cycle number, std::uint32_t lane)
      : bits_(random.Bits("pair", number, lane)), more_(random.Bits("more of the pair", number, lane)) {}

  /// Uniform in [low, high], from bits that no other draw takes.
  int Between(int low, int high) {
    const auto count = static_cast<std::uint64_t>(high - low + 1);
    const auto drawn = static_cast<int>(more_ % count);
    more_ /= count;
    return low + drawn;
  }
  Bits AnyBits(int which) const {
    return static_cast<Bits>(Mix64(bits_ + static_cast<std::uint64_t>(which) * kOddStep));
  }
  /// A fraction: any, or one with a run of ones or zeros at an end.
  Bits Fraction(int which) {
    const Bits any = AnyBits(which) & (F::kLowestNormal - 1);
    const Bits run = static_cast<Bits>((Bits{1} << Between(0, F::kFraction)) - 1);
    switch (Between(0, 5)) {
      case 0:
        return run;
      case 1:
        return F::kLowestNormal - 1 - run;
      case 2:
        return any & static_cast<Bits>(~run);
      default:
        return any;
    }
  }
  static Bits Make(bool negative, int exponent, Bits fraction) {
    const int most = (F::kInfinity >> F::kFraction) - 1;
    return static_cast<Bits>((negative ? F::kSign : 0) |
                             (static_cast<Bits>(std::clamp(exponent, 0, most)) << F::kFraction) | fraction);
  }
  bool Coin() { return Between(0, 1) != 0; }

 private:
  std::uint64_t bits_;
  std::uint64_t more_;
};

template <typename F>
Pair<typename F::Bits> Ties(PairDraw<F>* draw, int exponent) {
  using Bits = typename F::Bits;
  const Bits a = draw->Make(draw->Coin(), exponent, draw->Fraction(0));
  // Half a step of a, or of the step below, and its neighbours.
  const int apart = F::kFraction + draw->Between(0, 2);
  const int neighbour = draw->Between(-1, 1);
  const Bits b = draw->Make(draw->Coin(), exponent - apart, draw->Coin() ? 0 : F::kLowestNormal >> 1);
  return {a, static_cast<Bits>(exponent > apart ? b + neighbour : b)};
}

template <typename F>
Pair<typename F::Bits> Cancelling(PairDraw<F>* draw, int exponent) {
  using Bits = typename F::Bits;
  const Bits a = draw->Make(draw->Coin(), exponent, draw->Fraction(0));
  const Bits changed = static_cast<Bits>((Bits{1} << draw->Between(0, F::kFraction)) - 1) & draw->AnyBits(1);
  const Bits near = static_cast<Bits>(a ^ F::kSign ^ changed);
  return {a, draw->Between(0, 3) == 0 && exponent > 1 ? static_cast<Bits>(near - F::kLowestNormal) : near};
}

template <typename Bits, typename Border>
void FewValues(const Stimulus& random, Cycle number, const Border& borders, Operands* word,
               const char* purpose) {
  constexpr Bits kTop = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  for (std::uint32_t i = 0; i < word->size() / sizeof(Bits); ++i) {
    const std::uint64_t drawn = random.Bits(purpose, number, i);
    const Bits value = borders[(drawn >> 1) % borders.size()];
    PutLane<Bits>(word, i, static_cast<Bits>(drawn & 1 ? value ^ kTop : value));
  }
}

/// Lanes of the type's borders in both words.
template <typename Bits, typename Border>
void FillBorders(const Stimulus& random, Cycle number, const Border& borders, Trial* trial) {
  FewValues<Bits>(random, number, borders, &trial->a, "border of a");
  FewValues<Bits>(random, number, borders, &trial->b, "border of b");
}

template <typename F>
void FillSums(const Stimulus& random, Cycle number, Trial* trial) {
  for (std::uint32_t i = 0; i < trial->a.size() / sizeof(typename F::Bits); ++i) {
    const auto pair = SumPair<F>(random, number, i);
    PutLane(&trial->a, i, pair.a);
    PutLane(&trial->b, i, pair.b);
  }
}

template <typename F>
void FillFloats(const Stimulus& random, Cycle number, bool at_borders, Trial* trial) {
  if (at_borders) {
    FillBorders<typename F::Bits>(random, number, Borders<F>(), trial);
  } else {
    FillSums<F>(random, number, trial);
  }
}

template <typename Bits>
void FillIntegers(const Stimulus& random, Cycle number, bool at_borders, Trial* trial) {
  if (at_borders) FillBorders<Bits>(random, number, IntegerBorders<Bits>(), trial);
}

/// Lanes whose values bear on each other: borders of the type, or the two of a sum.
void FillRelated(const Stimulus& random, Cycle number, bool at_borders, Trial* trial) {
  switch (trial->operation.type) {
    case RedType::kInt16:
      return FillIntegers<std::uint16_t>(random, number, at_borders, trial);
    case RedType::kInt32:
      return FillIntegers<std::uint32_t>(random, number, at_borders, trial);
    case RedType::kInt64:
      return FillIntegers<std::uint64_t>(random, number, at_borders, trial);
    case RedType::kFloat16:
      return FillFloats<Float16>(random, number, at_borders, trial);
    case RedType::kBfloat16:
      return FillFloats<Bfloat16>(random, number, at_borders, trial);
    case RedType::kFloat32:
      return FillFloats<Float32>(random, number, at_borders, trial);
    case RedType::kFloat64:
      return FillFloats<Float64>(random, number, at_borders, trial);
  }
}

}  // namespace

template <typename F>
Pair<typename F::Bits> SumPair(const Stimulus& random, Cycle number, std::uint32_t lane) {
  using Bits = typename F::Bits;
  PairDraw<F> draw(random, number, lane);
  constexpr int kMost = (F::kInfinity >> F::kFraction) - 1;
  const int stratum = draw.Between(0, 6);
  const int exponent = draw.Between(0, kMost);
  switch (stratum) {
    case 0:
      return {draw.AnyBits(0), draw.AnyBits(1)};
    case 1: {
      const Bits a = draw.Make(draw.Coin(), exponent, draw.Fraction(0));
      return {a, draw.Make(draw.Coin(), exponent - draw.Between(-2, F::kFraction + 3), draw.Fraction(1))};
    }
    case 2:
      return Ties<F>(&draw, exponent);
    case 3:
      return Cancelling<F>(&draw, exponent);
    case 4:
      return {draw.Make(draw.Coin(), draw.Between(0, 3), draw.Fraction(0)),
              draw.Make(draw.Coin(), draw.Between(0, 3), draw.Fraction(1))};
    case 5: {
      const bool negative = draw.Coin();
      return {draw.Make(negative, kMost - draw.Between(0, 1), draw.Fraction(0)),
              draw.Make(negative, kMost - draw.Between(0, F::kFraction + 3), draw.Fraction(1))};
    }
    default: {
      const auto& borders = Borders<F>();
      const auto border = [&] {
        const Bits value = borders[static_cast<std::size_t>(draw.Between(0, static_cast<int>(borders.size()) - 1))];
        return static_cast<Bits>(draw.Coin() ? value | F::kSign : value);
      };
      const Bits a = border();
      return {a, border()};
    }
  }
}

template <typename F>
Trial HardSums(const Stimulus& random, Cycle number) {
  Trial trial;
  trial.operation.type = sizeof(typename F::Bits) == 8   ? RedType::kFloat64
                         : sizeof(typename F::Bits) == 4 ? RedType::kFloat32
                         : F::kFraction == 10            ? RedType::kFloat16
                                                         : RedType::kBfloat16;
  trial.operation.rnd = static_cast<RedRnd>(random.Below(4, "rounding", number));
  trial.operation.ftz = random.Chance(64, "flush", number);
  FillSums<F>(random, number, &trial);
  return trial;
}

Trial AnyTrial(const Stimulus& random, Cycle number) {
  Trial trial;
  trial.operation.op =
      random.Chance(64, "sum", number) ? RedOp::kSum : static_cast<RedOp>(random.Below(16, "operation", number));
  trial.operation.type = static_cast<RedType>(random.Below(8, "type", number));
  trial.operation.rnd = static_cast<RedRnd>(random.Below(4, "rounding", number));
  trial.operation.ftz = random.Chance(128, "flush", number);
  trial.operation.last =
      static_cast<std::uint8_t>(random.Chance(96, "whole word", number) ? 31 : random.Below(32, "last", number));
  trial.use = random.Chance(192, "both", number) ? 3 : random.Between(0, 3, "use", number);
  for (std::uint32_t i = 0; i < 4; ++i) {
    PutLane(&trial.a, i, random.Bits("a", number, i));
    PutLane(&trial.b, i, random.Bits("b", number, i));
  }
  const int meeting = random.Between(0, 3, "meeting", number);
  if (meeting > 0) FillRelated(random, number, meeting == 1, &trial);
  for (std::size_t i = 0; i < trial.a.size(); ++i) {  // some bytes of the one are those of the other
    if (random.Chance(meeting == 3 ? 64 : 0, "the same", number, static_cast<std::uint32_t>(i / 2)))
      trial.b[i] = trial.a[i];
  }
  return trial;
}

template Pair<std::uint16_t> SumPair<Float16>(const Stimulus&, Cycle, std::uint32_t);
template Pair<std::uint16_t> SumPair<Bfloat16>(const Stimulus&, Cycle, std::uint32_t);
template Pair<std::uint32_t> SumPair<Float32>(const Stimulus&, Cycle, std::uint32_t);
template Pair<std::uint64_t> SumPair<Float64>(const Stimulus&, Cycle, std::uint32_t);
template Trial HardSums<Float16>(const Stimulus&, Cycle);
template Trial HardSums<Bfloat16>(const Stimulus&, Cycle);
template Trial HardSums<Float32>(const Stimulus&, Cycle);
template Trial HardSums<Float64>(const Stimulus&, Cycle);

}  // namespace tilefly::bench
