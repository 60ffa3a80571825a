// SPDX-License-Identifier: Apache-2.0
// Saturation of the golden switch: the figures that the design was chosen for, as shares of word slots (tests of
// equality within the window's granularity), and conservation after each run.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "testbenches/switch/saturation.h"

namespace tilefly::golden {
namespace {

constexpr Span kSpan;
constexpr Span kLongSpan = {20000, 600000};  // where few packets fit into the other

double MeanShare(const PacketRig& rig, const Span& span) {
  double sum = 0;
  for (int p = 0; p < kRosetta64.ports; ++p) sum += Share(rig, p, span);
  return sum / kRosetta64.ports;
}

void ExpectConservation(PacketRig* rig) {
  EXPECT_EQ(rig->drops(), 0u);
  rig->Drain();
  EXPECT_TRUE(rig->AllHome());
}

struct UniformCase {
  int length;
  double share;
};
class Uniform : public testing::TestWithParam<UniformCase> {};

TEST_P(Uniform, ReachesTheShareOfTheDesign) {
  Random random;
  const Span& span = GetParam().length > 1000 ? kLongSpan : kSpan;
  const auto rig = Saturate(
      GetParam().length, [random](int) mutable { return static_cast<int>(random() >> 20 & 63); }, span);
  EXPECT_NEAR(MeanShare(*rig, span), GetParam().share, 0.004);
  EXPECT_GE(MeanShare(*rig, span), GetParam().length <= 1024 ? 0.97 : 0.94);
  for (int p = 0; p < kRosetta64.ports; ++p) EXPECT_GT(Share(*rig, p, span), 0.9) << "output " << p;
  ExpectConservation(rig.get());
}
INSTANTIATE_TEST_SUITE_P(Sizes, Uniform,
                         testing::Values(UniformCase{32, 0.997}, UniformCase{64, 0.996}, UniformCase{256, 0.992},
                                         UniformCase{1024, 0.989}, UniformCase{4224, 0.946}),
                         [](const auto& info) { return std::to_string(info.param.length) + "Bytes"; });

constexpr Span kShortSpan = {5000, 10000};

double ShareOfUniform(int length) {
  Random random;
  const auto rig = Saturate(
      length, [random](int) mutable { return static_cast<int>(random() >> 20 & 63); }, kShortSpan);
  return MeanShare(*rig, kShortSpan);
}

/// Frames of 33 to 48 B have two cells in two words: the crossbar is no faster than the link.
TEST(UniformBySize, FramesOfAsManyCellsAsWordsSaturateEarly) {
  EXPECT_NEAR(ShareOfUniform(33), 0.63, 0.03);
  EXPECT_EQ(ShareOfUniform(48), ShareOfUniform(33));
}

/// The other size classes with few words for a cell.
TEST(UniformBySize, OtherSmallFramesFillTheLinks) {
  for (const int length : {112, 144}) EXPECT_GE(ShareOfUniform(length), 0.95) << length;
}

/// Two inputs of different rows, one lane: an output takes their packets in turn, whatever they weigh.
TEST(RowsThatShareAnOutput, TakeTurnsByPacketsNotByWords) {
  constexpr int kShort = 3, kLong = 19, kOutput = 40, kShortBytes = 64, kLongBytes = 4224;
  PacketRig rig(kRosetta64);
  rig.set_source([](int port) {
    return PacketRig::Request{kOutput, port == kShort ? kShortBytes : kLongBytes, 0,
                              port == kShort || port == kLong ? 0 : kNever};
  });
  std::array<std::int64_t, 64> packets{};
  rig.on_departure([&](const Departure& departure) { ++packets[departure.payload]; });
  rig.RunTo(kSpan.warm_up);
  packets = {};
  rig.RunTo(kSpan.warm_up + kSpan.window);
  EXPECT_NEAR(static_cast<double>(packets[kShort]) / static_cast<double>(packets[kLong]), 1, 0.01);
  const auto words = [&](int port, int bytes) { return static_cast<double>(packets[port] * ((bytes + 16 + 31) / 32)); };
  const double of_short = words(kShort, kShortBytes);
  EXPECT_NEAR(of_short / (of_short + words(kLong, kLongBytes)), 0.022, 0.002);
}

TEST(SingleFlow, HasTheLinkForItself) {
  for (const int length : kSizes) {
    PacketRig rig(kRosetta64);
    rig.set_source([&](int port) { return PacketRig::Request{56, length, 0, port == 19 ? 0 : kNever}; });
    rig.RunTo(2000);
    rig.ResetCounts();
    rig.RunTo(2000 + kSpan.window);
    EXPECT_NEAR(Share(rig, 56), 1.0, 0.003) << length;
    ExpectConservation(&rig);
  }
}

/// Performance goldens: what these tests once measured, compared for equality, so that nothing gets slower unnoticed.
struct Golden {
  int length;
  std::uint64_t words;  ///< in 60,000 cycles, of output 40, from sixteen inputs of row 1
};
class SaturatedOutput : public testing::TestWithParam<Golden> {};

TEST_P(SaturatedOutput, CarriesExactlyTheWordsItDid) {
  const auto rig = Saturate(GetParam().length, [](int port) {
    return port >= 16 && port < 32 ? 40 : port == 40 ? -1 : port;
  });
  EXPECT_EQ(rig->words(40), GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SaturatedOutput,
                         testing::Values(Golden{32, 58182}, Golden{64, 60000}, Golden{256, 60003}, Golden{1024, 59994},
                                         Golden{4224, 59983}),
                         [](const auto& info) { return std::to_string(info.param.length) + "Bytes"; });

}  // namespace
}  // namespace tilefly::golden
