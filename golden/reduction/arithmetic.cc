// SPDX-License-Identifier: Apache-2.0
#include "golden/reduction/arithmetic.h"

#include <algorithm>
#include <type_traits>

#include "golden/reduction/float_sum.h"

namespace tilefly::golden {
namespace {

/// Two's complement, with what FloatFormat has of the order.
template <typename BitsT>
struct Integer {
  using Bits = BitsT;
  static constexpr bool kFloat = false;
};

template <typename F>
using Lanes = std::array<typename F::Bits, kOperandBytes / sizeof(typename F::Bits)>;

/// How an operation chooses between two values.
struct Choice {
  bool greatest;
  bool nan_wins;
};

constexpr Choice ChoiceOf(RedOp op, std::size_t record) {
  const bool odd = record % 2 != 0;
  switch (op) {
    case RedOp::kMax:
    case RedOp::kMaxloc:
      return {true, true};
    case RedOp::kMinmaxloc:
      return {odd, true};
    case RedOp::kMinnum:
      return {false, false};
    case RedOp::kMaxnum:
      return {true, false};
    case RedOp::kMinmaxnumloc:
      return {odd, false};
    default:  // MIN, MINLOC
      return {false, true};
  }
}

/// Where a value stands in the order of all. The patterns of NaNs leave the lowest and the highest number free.
template <typename F>
auto RankOf(typename F::Bits bits, Choice choice) {
  using Rank = std::make_signed_t<typename F::Bits>;
  if constexpr (F::kFloat) {
    using Limits = std::numeric_limits<Rank>;
    if (F::IsNan(bits)) return choice.greatest == choice.nan_wins ? Limits::max() : Limits::min();
    return static_cast<Rank>(F::IsNegative(bits) ? bits ^ (F::kSign - 1) : bits);
  } else {
    return static_cast<Rank>(bits);
  }
}

template <typename F>
typename F::Bits Canonical(typename F::Bits bits) {
  if constexpr (F::kFloat) return F::IsNan(bits) ? F::kNan : bits;
  return bits;
}

template <typename F>
std::uint8_t InvalidOf([[maybe_unused]] typename F::Bits a, [[maybe_unused]] typename F::Bits b) {
  if constexpr (F::kFloat) {
    if (F::IsSignalling(a) || F::IsSignalling(b)) return kInvalidFlag;
  }
  return 0;
}

template <typename F>
void Choose(RedOp op, const Lanes<F>& a, const Lanes<F>& b, Lanes<F>* y, std::uint8_t* flags) {
  const Choice choice = ChoiceOf(op, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto of_a = RankOf<F>(a[i], choice), of_b = RankOf<F>(b[i], choice);
    (*y)[i] = Canonical<F>((choice.greatest ? of_a > of_b : of_a < of_b) ? a[i] : b[i]);
    *flags |= InvalidOf<F>(a[i], b[i]);
  }
}

template <typename F>
void ChooseRecords(RedOp op, const Lanes<F>& a, const Lanes<F>& b, Lanes<F>* y, std::uint8_t* flags) {
  for (std::size_t i = 0; i < a.size(); i += 2) {
    const Choice choice = ChoiceOf(op, i / 2);
    const auto of_a = RankOf<F>(a[i], choice), of_b = RankOf<F>(b[i], choice);
    const bool from_a = of_a == of_b ? a[i + 1] < b[i + 1] : choice.greatest ? of_a > of_b : of_a < of_b;
    (*y)[i] = Canonical<F>(from_a ? a[i] : b[i]);
    (*y)[i + 1] = from_a ? a[i + 1] : b[i + 1];
    *flags |= InvalidOf<F>(a[i], b[i]);
  }
}

/// Sums to nearest of words in which all are finite; false: some sum is not.
template <typename F, typename T>
bool SumFinite(const Lanes<F>& a, const Lanes<F>& b, Lanes<F>* y, std::uint8_t* flags) {
  bool finite = true, inexact = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const ExactSum<T> exact(BitCast<T>(a[i]), BitCast<T>(b[i]));
    finite &= std::fabs(exact.sum) <= std::numeric_limits<T>::max();
    inexact |= exact.error != 0;
    (*y)[i] = BitCast<typename F::Bits>(exact.sum);
  }
  if (finite && inexact) *flags |= kInexactFlag;
  return finite;
}

template <typename F>
void Sum(const Operation& operation, const Lanes<F>& a, const Lanes<F>& b, Lanes<F>* y, std::uint8_t* flags) {
  using Bits = typename F::Bits;
  if constexpr (F::kFloat) {
    if constexpr (sizeof(Bits) > 2) {  // the ring's own sums
      using T = std::conditional_t<sizeof(Bits) == 4, float, double>;
      if (operation.rnd == RedRnd::kNearest && !operation.ftz && SumFinite<F, T>(a, b, y, flags)) return;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
      (*y)[i] = SumLane<F>(a[i], b[i], operation.rnd, operation.ftz, flags);
    }
  } else {
    Bits wrong = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Bits sum = static_cast<Bits>(a[i] + b[i]);
      wrong |= (a[i] ^ sum) & (b[i] ^ sum);
      (*y)[i] = sum;
    }
    if (static_cast<std::make_signed_t<Bits>>(wrong) < 0) *flags |= kIntOverflowFlag;
  }
}

template <typename F>
Combined CombineLanes(const Operation& operation, const Operands& first, const Operands& second) {
  const auto a = BitCast<Lanes<F>>(first), b = BitCast<Lanes<F>>(second);
  Lanes<F> y;
  std::uint8_t flags = 0;
  if (operation.op == RedOp::kSum) {
    Sum<F>(operation, a, b, &y, &flags);
  } else if (HasRecords(operation.op)) {
    ChooseRecords<F>(operation.op, a, b, &y, &flags);
  } else {
    Choose<F>(operation.op, a, b, &y, &flags);
  }
  return {BitCast<Operands>(y), flags};
}

Combined CombineBits(RedOp op, const Operands& a, const Operands& b) {
  Combined result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result.y[i] = op == RedOp::kAnd ? a[i] & b[i] : op == RedOp::kOr ? a[i] | b[i] : a[i] ^ b[i];
  }
  return result;
}

/// The first `bytes`, and zeros: lanes of zeros give zeros without a flag, whatever the operation.
Operands Cut(const Operands& word, int bytes) {
  Operands cut = word;
  std::fill(cut.begin() + bytes, cut.end(), std::uint8_t{0});
  return cut;
}

Combined CombineWhole(const Operation& operation, const Operands& a, const Operands& b) {
  if (operation.op >= RedOp::kAnd && operation.op <= RedOp::kXor) return CombineBits(operation.op, a, b);
  switch (operation.type) {
    case RedType::kInt16:
      return CombineLanes<Integer<std::uint16_t>>(operation, a, b);
    case RedType::kInt32:
      return CombineLanes<Integer<std::uint32_t>>(operation, a, b);
    case RedType::kInt64:
      return CombineLanes<Integer<std::uint64_t>>(operation, a, b);
    case RedType::kFloat16:
      return CombineLanes<Float16>(operation, a, b);
    case RedType::kBfloat16:
      return CombineLanes<Bfloat16>(operation, a, b);
    case RedType::kFloat32:
      return CombineLanes<Float32>(operation, a, b);
    case RedType::kFloat64:
      return CombineLanes<Float64>(operation, a, b);
  }
  return {};
}

}  // namespace

Combined Combine(const Operation& operation, const Operands& a, const Operands& b) {
  if (!IsLegal(operation.op, operation.type)) return {};
  const int unit = UnitBytes(operation.op, operation.type);
  const int bytes = (operation.last + 1) / unit * unit;
  if (bytes == kOperandBytes) return CombineWhole(operation, a, b);
  return CombineWhole(operation, Cut(a, bytes), Cut(b, bytes));
}

Combined Combine(const Operation& operation, int use, const Operands& a, const Operands& b) {
  if (use == 3) return Combine(operation, a, b);
  return {use == 0 ? Operands{} : Cut(use == 1 ? a : b, operation.last + 1), 0};
}

}  // namespace tilefly::golden
