// SPDX-License-Identifier: Apache-2.0
#include "systemc/reduction/half_rings.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "golden/reduction/combiner.h"
#include "golden/reduction/repsum.h"

namespace tilefly::systemc {
namespace {

using golden::kOperandBytes;
using golden::Operands;

constexpr std::uint32_t kMostContributions = (1u << 20) - 1;

/// Fields in which all parts are to agree.
auto Compared(const RedCollect& word) {
  return std::tie(word.action, word.ftz, word.rnd, word.ends, word.bytes, word.dtype, word.op, word.seq, word.count);
}

/// Word `k` of `data`, zeros behind its end.
Operands WordAt(const std::vector<std::uint8_t>& data, std::size_t k) {
  Operands word{};
  const std::size_t from = std::min(data.size(), k * kOperandBytes);
  std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(from),
              std::min<std::size_t>(kOperandBytes, data.size() - from), word.begin());
  return word;
}

golden::Operation OperationOf(const RedCollect& word, int k) {
  const int left = word.bytes - kOperandBytes * k;
  golden::Operation operation;
  operation.op = static_cast<RedOp>(word.op);
  operation.type = static_cast<RedType>(word.dtype);
  operation.rnd = static_cast<RedRnd>(word.rnd);
  operation.ftz = word.ftz;
  operation.last = static_cast<std::uint8_t>(left >= 1 && left < kOperandBytes ? left - 1 : kOperandBytes - 1);
  return operation;
}

// `rep` of the collect word: {low 3, ovfl 2, m 8}.
constexpr int kOvflAt = 8;
constexpr int kLowAt = 10;

golden::RepSum SumOf(const Operands& bins, std::uint16_t rep) {
  golden::RepSum sum;
  std::memcpy(sum.t.data(), bins.data(), bins.size());  // the lowest byte first, as the machine has it
  sum.m = static_cast<std::int8_t>(rep & 0xFF);
  sum.ovfl = static_cast<std::uint8_t>(rep >> kOvflAt & 3);
  sum.low = static_cast<std::uint8_t>(rep >> kLowAt);
  return sum;
}

std::uint16_t RepOf(const golden::RepSum& sum) {
  return static_cast<std::uint16_t>(sum.low << kLowAt | sum.ovfl << kOvflAt | static_cast<std::uint8_t>(sum.m));
}

}  // namespace

void HalfRings::MergeFields(const RedCollect& from, bool operands, RedCollect* into) const {
  if (!into->meta_valid) {
    const bool used = into->used;
    const std::uint16_t rep = into->rep;
    *into = from;
    into->meta_valid = true;
    into->used = used;
    into->rep = rep;
    return;
  }
  into->mismatch |= from.mismatch || Compared(*into) != Compared(from);
  into->full |= from.full;
  into->code = std::max(into->code, from.code);
  const std::uint32_t contributions = into->contributions + from.contributions;
  into->contributions = contributions & kMostContributions;
  const bool combines = operands && into->used && static_cast<RedAction>(into->action) == RedAction::kReduce;
  if (contributions > kMostContributions && small_ && combines) {
    into->code = std::max(into->code, static_cast<std::uint8_t>(RedRc::kTooMany));
  }
}

void HalfRings::CombineData(const RedCollect& from, const std::vector<std::uint8_t>& data, Half* into) const {
  const RedCollect fields = into->word;  // a step writes codes
  const int use = into->word.used ? 3 : 2;
  const auto words = static_cast<std::size_t>(golden::CeilDiv(from.bytes, kOperandBytes));
  if (into->data.size() < words * kOperandBytes) into->data.resize(words * kOperandBytes);
  for (std::size_t k = 0; k < words; ++k) {
    const Operands came = WordAt(into->data, k);
    Operands y = WordAt(data, k);
    if (static_cast<RedAction>(fields.action) == RedAction::kRepsum) {
      const golden::RepSum sum = golden::Add(use, SumOf(came, into->word.rep), SumOf(y, from.rep));
      std::memcpy(y.data(), sum.t.data(), y.size());
      into->word.rep = RepOf(sum);
    } else if (combines_) {
      const golden::Combined combined = golden::Combine(OperationOf(fields, static_cast<int>(k)), use, came, y);
      y = combined.y;
      if (small_)
        into->word.code = std::max(into->word.code, static_cast<std::uint8_t>(golden::small::CodeOf(combined.flags)));
    } else {
      into->word.rep = from.rep;
    }
    std::copy(y.begin(), y.end(), into->data.begin() + static_cast<std::ptrdiff_t>(k * kOperandBytes));
  }
}

void HalfRings::Step(const RedCollect& fields, bool operands, const std::vector<std::uint8_t>& data, Half* into) const {
  MergeFields(fields, operands, &into->word);
  if (!operands) return;
  CombineData(fields, data, into);
  into->word.used = true;
}

Collection HalfRings::CombineHalves() {
  Half& first = halves_[0];
  const Half& second = halves_[1];
  if (second.word.meta_valid) Step(second.word, second.word.used, second.data, &first);
  if (first.word.used) first.data.resize(first.word.bytes);
  return {first.word, std::move(first.data)};
}

}  // namespace tilefly::systemc
