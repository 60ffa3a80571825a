// SPDX-License-Identifier: Apache-2.0
#include "golden/reduction/collect.h"

#include <algorithm>
#include <tuple>

#include "golden/reduction/repsum.h"

namespace tilefly::golden {
namespace {

constexpr std::uint32_t kMostContributions = (1u << 20) - 1;

/// Fields that all parts agree in.
auto Compared(const RedCollect& word) {
  return std::tie(word.action, word.ftz, word.rnd, word.ends, word.bytes, word.dtype, word.op, word.seq, word.count);
}

RepSum SumOf(const Operands& data, std::uint16_t rep) {
  RepSum sum;
  for (std::size_t i = 0; i < sum.t.size(); ++i) {
    for (int b = 8; b-- > 0;) sum.t[i] = sum.t[i] << 8 | data[8 * i + static_cast<std::size_t>(b)];
  }
  sum.m = static_cast<std::int8_t>(rep & 0xFF);
  sum.ovfl = static_cast<std::uint8_t>(rep >> 8 & 3);
  sum.low = static_cast<std::uint8_t>(rep >> 10 & 7);
  return sum;
}

void PutSum(const RepSum& sum, Operands* data, std::uint16_t* rep) {
  for (std::size_t i = 0; i < sum.t.size(); ++i) {
    for (std::size_t b = 0; b < 8; ++b) (*data)[8 * i + b] = static_cast<std::uint8_t>(sum.t[i] >> 8 * b);
  }
  *rep = static_cast<std::uint16_t>(sum.low << 10 | sum.ovfl << 8 | static_cast<std::uint8_t>(sum.m));
}

/// The operation of word `k` of a launch whose parts are `word`.
Operation OperationOf(const RedCollect& word, int k) {
  Operation operation;
  operation.op = static_cast<RedOp>(word.op);
  operation.type = static_cast<RedType>(word.dtype);
  operation.rnd = static_cast<RedRnd>(word.rnd);
  operation.ftz = word.ftz;
  const int left = word.bytes - kOperandBytes * k;
  operation.last = static_cast<std::uint8_t>(left >= 1 && left < kOperandBytes ? left - 1 : kOperandBytes - 1);
  return operation;
}

Operands WordAt(const std::vector<std::uint8_t>& data, int k) {
  Operands word{};
  const auto from = std::min(data.size(), static_cast<std::size_t>(k) * kOperandBytes);
  const auto to = std::min(data.size(), from + kOperandBytes);
  std::copy(data.begin() + static_cast<std::ptrdiff_t>(from), data.begin() + static_cast<std::ptrdiff_t>(to),
            word.begin());
  return word;
}

std::uint8_t Greater(std::uint8_t code, RedRc other) { return std::max(code, static_cast<std::uint8_t>(other)); }

bool HasOperands(const RedCollect& part) { return part.full && part.bytes > 0; }

}  // namespace

/// Merges the fields of a part, which comes with or without operands, into those of a word.
void Collector::Merge(const RedCollect& from, bool operands, RedCollect* into) const {
  if (!into->meta_valid) {
    const bool used = into->used;
    const std::uint16_t rep = into->rep;
    *into = from;
    into->meta_valid = true;
    into->used = used;
    into->rep = rep;
    return;
  }
  into->mismatch = into->mismatch || from.mismatch || Compared(*into) != Compared(from);
  into->code = std::max(into->code, from.code);
  into->full = into->full || from.full;
  into->contributions += from.contributions;
  if (into->contributions > kMostContributions) {
    into->contributions &= kMostContributions;
    const bool combines = operands && into->used && static_cast<RedAction>(into->action) == RedAction::kReduce;
    if (small_ && combines) into->code = Greater(into->code, RedRc::kTooMany);
  }
}

void Collector::AddPart(int port, const RedPart& part) {
  Half& half = halves_[port < ports_ / 2 ? 0 : 1];
  Merge(part.record, HasOperands(part.record), &half.word);
  if (!HasOperands(part.record)) return;
  operands_ |= Bit(port);
  Combine(half.word, part.data, part.record, &half);
  half.word.used = true;
}

/// Data of a part or of a half ring, which come beside its fields, meet those of `into`.
void Collector::Combine(const RedCollect& word, const std::vector<std::uint8_t>& from, const RedCollect& part,
                        Half* into) const {
  if (from.empty()) return;  // packets carry none
  const int words = CeilDiv(part.bytes, kOperandBytes);
  const RedCollect fields = word;  // the step writes codes
  if (into->data.size() < static_cast<std::size_t>(words) * kOperandBytes) {
    into->data.resize(static_cast<std::size_t>(words) * kOperandBytes);
  }
  for (int k = 0; k < words; ++k) Step(k, fields, WordAt(from, k), part, into);
}

/// Word `k`. Whether operands have come before is the same for all words of parts that agree.
void Collector::Step(int k, const RedCollect& fields, const Operands& own, const RedCollect& part, Half* into) const {
  const Operands came = WordAt(into->data, k);
  Operands y = own;
  if (static_cast<RedAction>(fields.action) == RedAction::kRepsum) {
    const RepSum sum = Add(into->word.used ? 3 : 2, SumOf(came, into->word.rep), SumOf(own, part.rep));
    PutSum(sum, &y, &into->word.rep);
  } else if (combines_) {
    const Combined combined = golden::Combine(OperationOf(fields, k), into->word.used ? 3 : 2, came, own);
    y = combined.y;
    if (small_) into->word.code = Greater(into->word.code, small::CodeOf(combined.flags));
  } else {
    into->word.rep = part.rep;
  }
  std::copy(y.begin(), y.end(), into->data.begin() + static_cast<std::ptrdiff_t>(k) * kOperandBytes);
}

Collected Collector::CombineHalves() {
  Collected collected;
  collected.operands = operands_;
  for (std::size_t h = 0; h < 2; ++h) collected.halves[h] = halves_[h].word.used;
  Half& first = halves_[0];
  const Half& second = halves_[1];
  if (second.word.meta_valid) Merge(second.word, second.word.used, &first.word);
  if (second.word.used) {
    Combine(first.word, second.data, second.word, &first);
    first.word.used = true;
  }
  collected.word = first.word;
  collected.data = std::move(first.data);
  if (!collected.data.empty()) collected.data.resize(collected.word.bytes);
  return collected;
}

}  // namespace tilefly::golden
