// SPDX-License-Identifier: Apache-2.0
// The examples of docs/blocks/arithmetic.md, row by row.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "golden/reduction/arithmetic.h"

namespace tilefly::golden {
namespace {

/// Flags as the page writes them: I invalid, O overflow, X inexact, W int_overflow.
std::uint8_t FlagsOf(const std::string& letters) {
  std::uint8_t flags = 0;
  for (const char letter : letters) {
    flags |= letter == 'I'   ? kInvalidFlag
             : letter == 'O' ? kOverflowFlag
             : letter == 'X' ? kInexactFlag
                             : kIntOverflowFlag;
  }
  return flags;
}

/// A word of these lanes, the lowest first, each of `bytes`, repeated to its end.
Operands WordOf(const std::vector<std::uint64_t>& lanes, int bytes) {
  Operands word;
  const auto size = static_cast<std::size_t>(bytes);
  for (std::size_t i = 0; i < word.size(); ++i) {
    word[i] = static_cast<std::uint8_t>(lanes[i / size % lanes.size()] >> 8 * (i % size));
  }
  return word;
}

/// combine(a, b), either way round, in all lanes of a word.
void Expect(const Operation& operation, const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b,
            const std::vector<std::uint64_t>& y, const std::string& flags) {
  const int bytes = LaneBytes(operation.type);
  const Combined expected = {WordOf(y, bytes), FlagsOf(flags)};
  for (const bool exchanged : {false, true}) {
    const Operands first = WordOf(a, bytes), second = WordOf(b, bytes);
    const Combined result = Combine(operation, exchanged ? second : first, exchanged ? first : second);
    EXPECT_EQ(result.y, expected.y) << ToString(operation.op) << ' ' << ToString(operation.type) << ' '
                                    << ToString(operation.rnd) << std::hex << ' ' << a[0] << ' ' << b[0];
    EXPECT_EQ(result.flags, expected.flags) << ToString(operation.op) << ' ' << ToString(operation.type) << ' '
                                            << ToString(operation.rnd) << std::hex << ' ' << a[0] << ' ' << b[0];
  }
}

struct Result {
  std::uint64_t y;
  const char* flags;
};
/// One row: the sum with each rounding.
struct SumExample {
  RedType type;
  std::uint64_t a, b;
  std::array<Result, 4> rounded;  ///< NEAREST, UP, DOWN, ZERO
};
const std::vector<SumExample> kSums = {
    {RedType::kFloat16, 0x3c00, 0x1000, {{{0x3c00, "X"}, {0x3c01, "X"}, {0x3c00, "X"}, {0x3c00, "X"}}}},
    {RedType::kFloat16, 0x3c01, 0x1000, {{{0x3c02, "X"}, {0x3c02, "X"}, {0x3c01, "X"}, {0x3c01, "X"}}}},
    {RedType::kFloat16, 0x7bff, 0x4c00, {{{0x7c00, "OX"}, {0x7c00, "OX"}, {0x7bff, "X"}, {0x7bff, "X"}}}},
    {RedType::kFloat16, 0x7bff, 0x4bff, {{{0x7bff, "X"}, {0x7c00, "OX"}, {0x7bff, "X"}, {0x7bff, "X"}}}},
    {RedType::kFloat16, 0x0001, 0x83ff, {{{0x83fe, ""}, {0x83fe, ""}, {0x83fe, ""}, {0x83fe, ""}}}},
    {RedType::kFloat16, 0x8000, 0x0000, {{{0x0000, ""}, {0x0000, ""}, {0x8000, ""}, {0x0000, ""}}}},
    {RedType::kFloat16, 0x7c00, 0xfc00, {{{0x7e00, "I"}, {0x7e00, "I"}, {0x7e00, "I"}, {0x7e00, "I"}}}},
    {RedType::kFloat16, 0x7d01, 0x3c00, {{{0x7e00, "I"}, {0x7e00, "I"}, {0x7e00, "I"}, {0x7e00, "I"}}}},
    {RedType::kBfloat16, 0x3f80, 0x3b80, {{{0x3f80, "X"}, {0x3f81, "X"}, {0x3f80, "X"}, {0x3f80, "X"}}}},
    {RedType::kBfloat16, 0x3f81, 0x3b80, {{{0x3f82, "X"}, {0x3f82, "X"}, {0x3f81, "X"}, {0x3f81, "X"}}}},
    {RedType::kBfloat16, 0x7f7f, 0x7f7f, {{{0x7f80, "OX"}, {0x7f80, "OX"}, {0x7f7f, "OX"}, {0x7f7f, "OX"}}}},
    {RedType::kBfloat16, 0x0080, 0x8001, {{{0x007f, ""}, {0x007f, ""}, {0x007f, ""}, {0x007f, ""}}}},
    {RedType::kFloat32,
     0x3f800000,
     0x33800000,
     {{{0x3f800000, "X"}, {0x3f800001, "X"}, {0x3f800000, "X"}, {0x3f800000, "X"}}}},
    {RedType::kFloat32,
     0x3f800001,
     0x33800000,
     {{{0x3f800002, "X"}, {0x3f800002, "X"}, {0x3f800001, "X"}, {0x3f800001, "X"}}}},
    {RedType::kFloat32,
     0x3f800000,
     0xbf7fffff,
     {{{0x33800000, ""}, {0x33800000, ""}, {0x33800000, ""}, {0x33800000, ""}}}},
    {RedType::kFloat32,
     0x00800000,
     0x80000001,
     {{{0x007fffff, ""}, {0x007fffff, ""}, {0x007fffff, ""}, {0x007fffff, ""}}}},
    {RedType::kFloat32,
     0x7f7fffff,
     0x73000000,
     {{{0x7f800000, "OX"}, {0x7f800000, "OX"}, {0x7f7fffff, "X"}, {0x7f7fffff, "X"}}}},
    {RedType::kFloat32,
     0x7f7fffff,
     0x72ffffff,
     {{{0x7f7fffff, "X"}, {0x7f800000, "OX"}, {0x7f7fffff, "X"}, {0x7f7fffff, "X"}}}},
    {RedType::kFloat32,
     0xffc12345,
     0x3f800000,
     {{{0x7fc00000, ""}, {0x7fc00000, ""}, {0x7fc00000, ""}, {0x7fc00000, ""}}}},
    {RedType::kFloat64,
     0x3ff0000000000000,
     0x3ca0000000000000,
     {{{0x3ff0000000000000, "X"}, {0x3ff0000000000001, "X"}, {0x3ff0000000000000, "X"}, {0x3ff0000000000000, "X"}}}},
    {RedType::kFloat64,
     0x3ff0000000000001,
     0x3ca0000000000000,
     {{{0x3ff0000000000002, "X"}, {0x3ff0000000000002, "X"}, {0x3ff0000000000001, "X"}, {0x3ff0000000000001, "X"}}}},
    {RedType::kFloat64,
     0x0010000000000000,
     0x8000000000000001,
     {{{0x000fffffffffffff, ""}, {0x000fffffffffffff, ""}, {0x000fffffffffffff, ""}, {0x000fffffffffffff, ""}}}},
    {RedType::kFloat64,
     0x7fefffffffffffff,
     0x7c90000000000000,
     {{{0x7ff0000000000000, "OX"}, {0x7ff0000000000000, "OX"}, {0x7fefffffffffffff, "X"}, {0x7fefffffffffffff, "X"}}}},
};

TEST(ArithmeticExamples, SumsWithEachRounding) {
  for (const SumExample& example : kSums) {
    for (const RedRnd rnd : kRedRndValues) {
      const Result& expected = example.rounded[static_cast<std::size_t>(rnd)];
      Expect({RedOp::kSum, example.type, rnd, false, 31}, {example.a}, {example.b}, {expected.y}, expected.flags);
    }
  }
}

TEST(ArithmeticExamples, FlushedSums) {
  const Operation flushing = {RedOp::kSum, RedType::kFloat32, RedRnd::kNearest, true, 31};
  Expect(flushing, {0x00000001}, {0x3f800000}, {0x3f800000}, "");
  Expect(flushing, {0x00800000}, {0x80800001}, {0x80000000}, "X");
  Expect({RedOp::kSum, RedType::kFloat32}, {0x00800000}, {0x80800001}, {0x80000001}, "");
}

TEST(ArithmeticExamples, OtherOperations) {
  Expect({RedOp::kSum, RedType::kInt16}, {0x7fff}, {0x0001}, {0x8000}, "W");
  Expect({RedOp::kMin, RedType::kInt32}, {0xffffffff}, {0x00000001}, {0xffffffff}, "");
  Expect({RedOp::kMax, RedType::kInt32}, {0xffffffff}, {0x00000001}, {0x00000001}, "");
  Expect({RedOp::kMin, RedType::kFloat32}, {0x80000000}, {0x00000000}, {0x80000000}, "");
  Expect({RedOp::kMax, RedType::kFloat32}, {0x80000000}, {0x00000000}, {0x00000000}, "");
  Expect({RedOp::kMin, RedType::kFloat32}, {0xffc00001}, {0xff800000}, {0x7fc00000}, "");
  Expect({RedOp::kMax, RedType::kFloat32}, {0xffc00001}, {0xff800000}, {0x7fc00000}, "");
  Expect({RedOp::kMinnum, RedType::kFloat32}, {0x7f800001}, {0x3f800000}, {0x3f800000}, "I");
}

TEST(ArithmeticExamples, Records) {
  Expect({RedOp::kMinloc, RedType::kInt32}, {5, 7}, {5, 3}, {5, 3}, "");
  Expect({RedOp::kMinloc, RedType::kFloat32}, {0x80000000, 9}, {0x00000000, 1}, {0x80000000, 9}, "");
  Expect({RedOp::kMaxloc, RedType::kFloat32}, {0x7f800000, 0}, {0xffc00000, 4}, {0x7fc00000, 4}, "");
  Expect({RedOp::kMinmaxloc, RedType::kInt64}, {1, 5, 1, 5}, {2, 4, 2, 4}, {1, 5, 2, 4}, "");
}

}  // namespace
}  // namespace tilefly::golden
