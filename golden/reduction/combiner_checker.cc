// SPDX-License-Identifier: Apache-2.0
#include "golden/reduction/combiner_checker.h"

#include <algorithm>
#include <numeric>

#include "golden/reduction/float_format.h"

namespace tilefly::golden {
namespace {

/// Bytes of a word that may be other than zero.
int BytesInUse(const Operation& operation, int use) {
  const int bytes = operation.last + 1;
  if (use == 0 || (use == 3 && !IsLegal(operation.op, operation.type))) return 0;
  if (use != 3) return bytes;
  return bytes - bytes % UnitBytes(operation.op, operation.type);
}

template <typename F>
bool IsOtherNan(const Operands& word, std::size_t at) {
  typename F::Bits bits;
  std::memcpy(&bits, &word[at], sizeof bits);
  return F::IsNan(bits) && bits != F::kNan;
}

/// Whether the value at byte `at` is a NaN other than the canonical one.
bool IsOtherNan(RedType type, const Operands& word, std::size_t at) {
  switch (type) {
    case RedType::kFloat16:
      return IsOtherNan<Float16>(word, at);
    case RedType::kBfloat16:
      return IsOtherNan<Bfloat16>(word, at);
    case RedType::kFloat32:
      return IsOtherNan<Float32>(word, at);
    case RedType::kFloat64:
      return IsOtherNan<Float64>(word, at);
    default:
      return false;
  }
}

RepSum SumInPairs(std::vector<RepSum> sums) {
  while (sums.size() > 1) {
    for (std::size_t i = 0; 2 * i + 1 < sums.size(); ++i) sums[i] = Add(sums[2 * i], sums[2 * i + 1]);
    if (sums.size() % 2 != 0) sums[sums.size() / 2] = sums.back();
    sums.resize((sums.size() + 1) / 2);
  }
  return sums.front();
}

}  // namespace

void CheckCombined(const Operation& operation, int use, const Operands& a, const Operands& b, const Combined& result,
                   Audit* audit) {
  const int bytes = BytesInUse(operation, use);
  const auto wrong =
      std::find_if(result.y.begin() + bytes, result.y.end(), [](std::uint8_t byte) { return byte != 0; });
  audit->Require("ARITH-2", wrong == result.y.end(), 0, wrong - result.y.begin());
  if (use != 3) return;
  const int unit = UnitBytes(operation.op, operation.type);
  for (int at = 0; at < bytes; at += unit) {
    audit->Require("ARITH-3", !IsOtherNan(operation.type, result.y, static_cast<std::size_t>(at)), 0, at);
  }
  audit->Require("ARITH-4", Combine(operation, b, a) == result, 0, result.flags);
}

void CheckReproducible(const std::vector<RepSum>& summands, const RepSum& sum, Audit* audit) {
  const auto add = [](const RepSum& a, const RepSum& b) { return Add(a, b); };
  const auto in_order = [&](auto first, auto last) { return std::accumulate(first + 1, last, *first, add); };
  audit->Require("ARITH-5", in_order(summands.begin(), summands.end()) == sum, 0, sum.m);
  audit->Require("ARITH-5", in_order(summands.rbegin(), summands.rend()) == sum, 0, sum.m);
  audit->Require("ARITH-5", SumInPairs(summands) == sum, 0, sum.m);
}

}  // namespace tilefly::golden
