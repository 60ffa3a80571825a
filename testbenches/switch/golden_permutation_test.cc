// SPDX-License-Identifier: Apache-2.0
// Every permutation fills every output, at every size: random ones (1000 in the full tier), the bit patterns, and those that
// fill single turn tiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>

#include "testbenches/bench/settings.h"
#include "testbenches/switch/saturation.h"

namespace tilefly::golden {
namespace {

constexpr int kPorts = kRosetta64.ports;
constexpr double kLeast = 0.99;
using Permutation = std::array<int, kPorts>;

/// A window's granularity is a packet: 133 words at most.
Span SpanOf(int length) { return length > 1024 ? Span{3000, 60000} : length > 64 ? Span{2000, 15000} : Span{1000, 6000}; }

void ExpectFillsEveryOutput(const Permutation& permutation, int length, const std::string& name) {
  const Span span = SpanOf(length);
  const auto rig = Saturate(length, [&](int port) { return permutation[port]; }, span);
  for (int p = 0; p < kPorts; ++p) ASSERT_GE(Share(*rig, p, span), kLeast) << name << ", " << length << " B, output " << p;
  EXPECT_EQ(rig->drops(), 0u);
  rig->Drain();
  ASSERT_TRUE(rig->AllHome()) << name;
}

Permutation Of(const std::function<int(int)>& destination) {
  Permutation permutation;
  for (int port = 0; port < kPorts; ++port) permutation[port] = destination(port);
  Permutation sorted = permutation;
  std::sort(sorted.begin(), sorted.end());
  for (int port = 0; port < kPorts; ++port) EXPECT_EQ(sorted[port], port) << "this is no permutation";
  return permutation;
}

Permutation RandomOne(Random* random) {
  Permutation permutation;
  std::iota(permutation.begin(), permutation.end(), 0);
  for (int i = kPorts - 1; i > 0; --i) std::swap(permutation[i], permutation[random->Below(i + 1)]);
  return permutation;
}

class RandomPermutations : public testing::TestWithParam<int> {};

TEST_P(RandomPermutations, FillEveryOutput) {
  const bench::Tier tier = bench::TierFromEnvironment();
  Random random(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  // 20 tests of this kind.
  const int count = tier == bench::Tier::kFull ? 50 : tier == bench::Tier::kCi ? 3 : 1;
  for (int i = 0; i < count; ++i) {
    const Permutation permutation = RandomOne(&random);
    for (const int length : kSizes) ExpectFillsEveryOutput(permutation, length, "random permutation " + std::to_string(i));
    if (HasFatalFailure()) return;
  }
}
INSTANTIATE_TEST_SUITE_P(Twentieths, RandomPermutations, testing::Range(0, 20));

class Permutations : public testing::TestWithParam<int> {};

int ReverseBits(int port) {
  int reversed = 0;
  for (int bit = 0; bit < 6; ++bit) reversed |= (port >> bit & 1) << (5 - bit);
  return reversed;
}

TEST_P(Permutations, OfBitsFillEveryOutput) {
  ExpectFillsEveryOutput(Of([](int port) { return port; }), GetParam(), "identity");
  ExpectFillsEveryOutput(Of([](int port) { return ~port & 63; }), GetParam(), "bit complement");
  ExpectFillsEveryOutput(Of(ReverseBits), GetParam(), "bit reverse");
  ExpectFillsEveryOutput(Of([](int port) { return (port << 3 | port >> 3) & 63; }), GetParam(), "transpose");
  ExpectFillsEveryOutput(Of([](int port) { return (port << 1 | port >> 5) & 63; }), GetParam(), "shuffle");
  ExpectFillsEveryOutput(Of([](int port) { return (port & 30) | (port & 1) << 5 | port >> 5; }), GetParam(), "butterfly");
  ExpectFillsEveryOutput(Of([](int port) { return (port + 31) % 64; }), GetParam(), "tornado");
  ExpectFillsEveryOutput(Of([](int port) { return (5 * port + 3) % 64; }), GetParam(), "5 p + 3");
  for (const int by : {1, 16}) {
    ExpectFillsEveryOutput(Of([=](int port) { return (port + by) % 64; }), GetParam(), "shift " + std::to_string(by));
  }
  for (int bit = 0; bit < 6; ++bit) {
    ExpectFillsEveryOutput(Of([=](int port) { return port ^ 1 << bit; }), GetParam(), "exclusive or " + std::to_string(1 << bit));
  }
}

/// Eight inputs of a row to the eight outputs of one column, so that all outputs of one turn tile are in use; the row's
/// other eight to the next column. `offset` moves the columns.
TEST_P(Permutations, ThatFillOneTurnTileFillEveryOutput) {
  const Geometry geometry(kRosetta64);
  for (int offset = 0; offset < kRosetta64.cols; ++offset) {
    const Permutation permutation = Of([&](int port) {
      const int row = geometry.row[port];
      // Each offset also pairs inputs and outputs in its own way.
      const int input = (5 * geometry.input[port] + offset) % kRosetta64.row_in;
      const int col = (2 * row + offset + input / 8) % kRosetta64.cols;
      return geometry.port(input % 8 / 2, 2 * col + input % 2);
    });
    std::array<PortMask, 32> outputs{};
    for (int port = 0; port < kPorts; ++port) {
      outputs[geometry.TurnTile(port, permutation[port])] |= Bit(geometry.TurnOutput(permutation[port]));
    }
    ASSERT_EQ(std::count(outputs.begin(), outputs.end(), PortMask{0xFF}), 8) << "turn tiles in full use";
    ExpectFillsEveryOutput(permutation, GetParam(), "turn tile, offset " + std::to_string(offset));
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Permutations, testing::ValuesIn(kSizes),
                         [](const auto& info) { return std::to_string(info.param) + "Bytes"; });

}  // namespace
}  // namespace tilefly::golden
