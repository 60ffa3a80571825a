// SPDX-License-Identifier: Apache-2.0
// Saturation of the golden switch: the figures that the design was chosen for, as shares of word slots (tests of equality
// within the window's granularity), and conservation after each run.
#include <gtest/gtest.h>

#include <string>

#include "testbenches/switch/packet_rig.h"

namespace tilefly::golden {
namespace {

constexpr Cycle kWarmUp = 20000;
constexpr Cycle kWindow = 60000;
constexpr Cycle kLongWindow = 600000;  // where few packets fit into the other

/// A generator that only these tests use: its sequence is part of their expected figures.
class Random {
 public:
  std::uint64_t operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }

 private:
  std::uint64_t state_ = 88172645463325252u;
};

/// Runs saturated sources; returns the rig at the window's end.
template <typename Destination>
std::unique_ptr<PacketRig> Saturate(int length, Destination destination, Cycle window = kWindow) {
  auto rig = std::make_unique<PacketRig>(kRosetta64);
  rig->set_source([=](int port) mutable { return PacketRig::Request{destination(port), length}; });
  rig->RunTo(kWarmUp);
  rig->ResetCounts();
  rig->RunTo(kWarmUp + window);
  return rig;
}

double Share(const PacketRig& rig, int port, Cycle window = kWindow) {
  return static_cast<double>(rig.words(port)) / static_cast<double>(window);
}

double MeanShare(const PacketRig& rig, Cycle window) {
  double sum = 0;
  for (int p = 0; p < kRosetta64.ports; ++p) sum += Share(rig, p, window);
  return sum / kRosetta64.ports;
}

void ExpectConservation(PacketRig* rig) {
  EXPECT_EQ(rig->drops(), 0u);
  rig->Drain();
  EXPECT_TRUE(rig->AllHome());
}

class Permutation : public testing::TestWithParam<int> {};

TEST_P(Permutation, FillsEveryOutput) {
  const int length = GetParam();
  const std::array<int (*)(int), 4> permutations = {
      [](int port) { return port; }, [](int port) { return (port + 16) % 64; }, [](int port) { return (5 * port + 3) % 64; },
      [](int port) { return 63 - port; }};
  for (const auto permutation : permutations) {
    const auto rig = Saturate(length, permutation);
    for (int p = 0; p < kRosetta64.ports; ++p) ASSERT_NEAR(Share(*rig, p), 1.0, 0.003) << length << " B, port " << p;
    ExpectConservation(rig.get());
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, Permutation, testing::Values(32, 64, 256, 1024, 4224),
                         [](const auto& info) { return std::to_string(info.param) + "Bytes"; });

struct UniformCase {
  int length;
  double share;
};
class Uniform : public testing::TestWithParam<UniformCase> {};

TEST_P(Uniform, ReachesTheShareOfTheDesign) {
  Random random;
  const Cycle window = GetParam().length > 1000 ? kLongWindow : kWindow;
  const auto rig = Saturate(
      GetParam().length, [random](int) mutable { return static_cast<int>(random() >> 20 & 63); }, window);
  EXPECT_NEAR(MeanShare(*rig, window), GetParam().share, 0.004);
  ExpectConservation(rig.get());
}
INSTANTIATE_TEST_SUITE_P(Sizes, Uniform,
                         testing::Values(UniformCase{32, 0.997}, UniformCase{64, 0.996}, UniformCase{256, 0.992},
                                         UniformCase{1024, 0.989}, UniformCase{4224, 0.946}),
                         [](const auto& info) { return std::to_string(info.param.length) + "Bytes"; });

TEST(Incast, FillsTheOutputFromOneRow) {
  for (const int length : {64, 256}) {
    const auto rig = Saturate(length, [](int port) { return port < 16 ? 7 : port; });
    EXPECT_NEAR(Share(*rig, 7), 1.0, 0.002) << length;
    ExpectConservation(rig.get());
  }
}

TEST(Incast, SharesTheOutputFairlyAmongTheInputsOfARow) {
  std::array<int, 64> sent{};
  PacketRig rig(kRosetta64);
  rig.set_source([&](int port) {
    ++sent[port];
    return PacketRig::Request{port < 16 ? 40 : port, 64};
  });
  rig.RunTo(kWarmUp + kWindow);
  for (int p = 1; p < 16; ++p) EXPECT_NEAR(sent[p], sent[0], 0.05 * sent[0]) << "input " << p;
}

TEST(SingleFlow, HasTheLinkForItself) {
  for (const int length : {32, 64, 256, 1024, 4224}) {
    PacketRig rig(kRosetta64);
    rig.set_source([&](int port) { return PacketRig::Request{56, length, 0, port == 19 ? 0 : kNever}; });
    rig.RunTo(2000);
    rig.ResetCounts();
    rig.RunTo(2000 + kWindow);
    EXPECT_NEAR(Share(rig, 56), 1.0, 0.003) << length;
    ExpectConservation(&rig);
  }
}

}  // namespace
}  // namespace tilefly::golden
