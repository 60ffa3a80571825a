// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/machine.h"

#include <cfenv>
#include <type_traits>

namespace tilefly::bench {
namespace {

constexpr std::uint8_t kInexact = 1, kOverflow = 2, kInvalid = 4, kIntOverflow = 8;

template <typename M>
bool Signalling(typename M::Bits bits) {
  return std::isnan(Decoded<M>(bits)) && (bits >> (M::kFraction - 1) & 1) == 0;
}

template <typename M>
typename M::Bits CanonicalNan() {
  return static_cast<typename M::Bits>(((typename M::Bits{1} << (M::kExponentBits + 1)) - 1) << (M::kFraction - 1));
}

/// The machine rounds like this as long as it lives.
class MachineRounding {
 public:
  explicit MachineRounding(RedRnd rnd) {
    constexpr std::array<int, 4> kModes = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    std::fesetround(kModes[static_cast<std::size_t>(rnd)]);
    std::feclearexcept(FE_ALL_EXCEPT);
  }
  ~MachineRounding() { std::fesetround(FE_TONEAREST); }
  MachineRounding(const MachineRounding&) = delete;
  MachineRounding& operator=(const MachineRounding&) = delete;
};

/// Not inlined: it must not be moved out of the life of a MachineRounding.
template <typename M>
[[gnu::noinline]] ShortResult ShortSumAsRounded(double a, double b) {
  return RoundedShortSum<M>(a, b);
}

template <typename M>
typename M::Bits ShortSum(double a, double b, RedRnd rnd, std::uint8_t* flags) {
  ShortResult sum;
  {
    const MachineRounding rounding(rnd);
    sum = ShortSumAsRounded<M>(a, b);
  }
  if (sum.inexact) *flags |= kInexact;
  if (std::fabs(sum.value) <= kLargestShort<M>) return Encoded<M>(sum.value);
  *flags |= kOverflow | kInexact;
  const bool negative = std::signbit(sum.value);
  const bool infinite = rnd == RedRnd::kNearest || rnd == (negative ? RedRnd::kDown : RedRnd::kUp);
  return Encoded<M>(std::copysign(infinite ? HUGE_VAL : kLargestShort<M>, sum.value));
}

template <typename M>
typename M::Bits OwnSum(typename M::Number a, typename M::Number b, RedRnd rnd, std::uint8_t* flags) {
  const volatile typename M::Number x = a, y = b;  // volatile: computed between the two calls, and nowhere else
  const MachineRounding rounding(rnd);
  const volatile typename M::Number sum = x + y;
  if (std::fetestexcept(FE_INEXACT)) *flags |= kInexact;
  if (std::fetestexcept(FE_OVERFLOW)) *flags |= kOverflow;
  if (std::fetestexcept(FE_INVALID)) *flags |= kInvalid;
  return Encoded<M>(sum);
}

template <typename M>
typename M::Bits Flushed(typename M::Bits bits, bool* changed) {
  const auto value = Decoded<M>(bits);
  if (std::isnan(value) || value == 0 || std::fabs(value) >= std::ldexp(1.0, M::kLowest)) return bits;
  *changed = true;
  return Encoded<M>(std::copysign(static_cast<typename M::Number>(0), value));
}

template <typename M>
typename M::Bits FloatSum(const Operation& operation, typename M::Bits a, typename M::Bits b, std::uint8_t* flags) {
  bool operand_changed = false;
  if (operation.ftz) {
    a = Flushed<M>(a, &operand_changed);
    b = Flushed<M>(b, &operand_changed);
  }
  if (Signalling<M>(a) || Signalling<M>(b)) *flags |= kInvalid;
  const auto x = Decoded<M>(a), y = Decoded<M>(b);
  typename M::Bits sum;
  if constexpr (M::kShort) {
    if (!std::isfinite(x + y)) {
      if (std::isnan(x + y) && !std::isnan(x) && !std::isnan(y)) *flags |= kInvalid;
      return std::isnan(x + y) ? CanonicalNan<M>() : Encoded<M>(x + y);
    }
    sum = ShortSum<M>(x, y, operation.rnd, flags);
  } else {
    sum = OwnSum<M>(x, y, operation.rnd, flags);
    if (std::isnan(Decoded<M>(sum))) return CanonicalNan<M>();
  }
  bool result_changed = false;
  if (operation.ftz) sum = Flushed<M>(sum, &result_changed);
  if (result_changed) *flags |= kInexact;
  return sum;
}

/// -1, 0, 1: a before, equal to, behind b in the order of numbers; -0 is before +0.
template <typename T>
int Compared(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a == 0 && b == 0) return static_cast<int>(std::signbit(b)) - static_cast<int>(std::signbit(a));
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/// Whether a wins (1) or b (-1), or they rank the same (0).
template <typename T>
int Contest(T a, T b, bool greatest, bool nan_wins) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) {
      const int nans = static_cast<int>(std::isnan(a)) - static_cast<int>(std::isnan(b));
      return nan_wins ? nans : -nans;
    }
  }
  return greatest ? Compared(a, b) : -Compared(a, b);
}

bool Greatest(RedOp op, std::size_t record) {
  const bool alternates = op == RedOp::kMinmaxloc || op == RedOp::kMinmaxnumloc;
  return alternates ? record % 2 == 1 : op == RedOp::kMax || op == RedOp::kMaxloc || op == RedOp::kMaxnum;
}
bool NanWins(RedOp op) { return op < RedOp::kMinnum; }

/// Integers of the machine.
template <typename T>
struct MachineInteger {
  using Bits = std::make_unsigned_t<T>;
};

template <typename M>
struct LaneRule {  // of floating-point formats
  using Bits = typename M::Bits;
  static auto Value(Bits bits) { return Decoded<M>(bits); }
  static Bits Written(Bits bits) { return std::isnan(Decoded<M>(bits)) ? CanonicalNan<M>() : bits; }
  static std::uint8_t Flags(Bits a, Bits b) { return Signalling<M>(a) || Signalling<M>(b) ? kInvalid : 0; }
  static Bits Sum(const Operation& operation, Bits a, Bits b, std::uint8_t* flags) {
    return FloatSum<M>(operation, a, b, flags);
  }
};
template <typename T>
struct LaneRule<MachineInteger<T>> {
  using Bits = std::make_unsigned_t<T>;
  static T Value(Bits bits) { return static_cast<T>(bits); }
  static Bits Written(Bits bits) { return bits; }
  static std::uint8_t Flags(Bits, Bits) { return 0; }
  static Bits Sum(const Operation&, Bits a, Bits b, std::uint8_t* flags) {
    T sum;
    if (__builtin_add_overflow(static_cast<T>(a), static_cast<T>(b), &sum)) *flags |= kIntOverflow;
    return static_cast<Bits>(sum);
  }
};

template <typename M>
Combined CombinedLanes(const Trial& trial) {
  using Rule = LaneRule<M>;
  using Bits = typename Rule::Bits;
  const Operation& operation = trial.operation;
  const RedOp op = operation.op;
  const bool records =
      op == RedOp::kMinloc || op == RedOp::kMaxloc || op == RedOp::kMinmaxloc || op == RedOp::kMinmaxnumloc;
  const std::size_t step = records ? 2 : 1;
  Combined result;
  for (std::size_t i = 0; (i + step) * sizeof(Bits) <= operation.last + 1u; i += step) {
    const auto a = GetLane<Bits>(trial.a, i), b = GetLane<Bits>(trial.b, i);
    Bits y;
    if (op == RedOp::kSum) {
      y = Rule::Sum(operation, a, b, &result.flags);
    } else if (op >= RedOp::kAnd && op <= RedOp::kXor) {
      y = op == RedOp::kAnd ? a & b : op == RedOp::kOr ? a | b : a ^ b;
    } else {
      int contest = Contest(Rule::Value(a), Rule::Value(b), Greatest(op, i / 2), NanWins(op));
      if (records) {
        const auto of_a = GetLane<Bits>(trial.a, i + 1), of_b = GetLane<Bits>(trial.b, i + 1);
        if (contest == 0) contest = of_a < of_b ? 1 : -1;
        PutLane<Bits>(&result.y, i + 1, contest > 0 ? of_a : of_b);
      }
      y = Rule::Written(contest > 0 ? a : b);
      result.flags |= Rule::Flags(a, b);
    }
    PutLane<Bits>(&result.y, i, y);
  }
  return result;
}

/// The page's table of operations, row by row.
bool Legal(RedOp op, bool floating) {
  switch (op) {
    case RedOp::kAnd:
    case RedOp::kOr:
    case RedOp::kXor:
      return !floating;
    case RedOp::kMinnum:
    case RedOp::kMaxnum:
    case RedOp::kMinmaxnumloc:
      return floating;
    default:
      return static_cast<int>(op) < 12;
  }
}

}  // namespace

Combined MachineCombined(const Trial& trial) {
  Combined result;
  if (trial.use != 3) {
    if (trial.use != 0)
      std::copy_n((trial.use == 1 ? trial.a : trial.b).begin(), trial.operation.last + 1, result.y.begin());
    return result;
  }
  const RedType type = trial.operation.type;
  if (!Legal(trial.operation.op, type >= RedType::kFloat16)) return result;
  switch (type) {
    case RedType::kInt16:
      return CombinedLanes<MachineInteger<std::int16_t>>(trial);
    case RedType::kInt32:
      return CombinedLanes<MachineInteger<std::int32_t>>(trial);
    case RedType::kInt64:
      return CombinedLanes<MachineInteger<std::int64_t>>(trial);
    case RedType::kFloat16:
      return CombinedLanes<MachineFloat16>(trial);
    case RedType::kBfloat16:
      return CombinedLanes<MachineBfloat16>(trial);
    case RedType::kFloat32:
      return CombinedLanes<MachineFloat32>(trial);
    case RedType::kFloat64:
      return CombinedLanes<MachineFloat64>(trial);
  }
  return result;
}

}  // namespace tilefly::bench
