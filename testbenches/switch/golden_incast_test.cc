// SPDX-License-Identifier: Apache-2.0
// Many inputs to one output: the output is full whatever inputs of a row send to it, the inputs share it fairly, and nobody
// starves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "testbenches/bench/settings.h"
#include "testbenches/switch/saturation.h"

namespace tilefly::golden {
namespace {

constexpr int kPorts = kRosetta64.ports;
constexpr int kRow = kRosetta64.row_in;

/// Words that left, by source and by lane.
struct Delivered {
  std::array<std::uint64_t, kPorts> from{};
  std::array<std::uint64_t, kMaxLanes> lane{};
  std::array<std::array<std::uint64_t, kMaxLanes>, kPorts> flow{};

  std::uint64_t Least(PortMask sources) const {
    std::uint64_t least = UINT64_MAX;
    ForEachBit(sources, [&](int port) { least = std::min(least, from[port]); });
    return least;
  }
  /// Words between the source that got most and the one that got least.
  std::uint64_t Difference(PortMask sources) const {
    std::uint64_t most = 0;
    ForEachBit(sources, [&](int port) { most = std::max(most, from[port]); });
    return most - Least(sources);
  }
  /// The same as a factor.
  double Spread(PortMask sources) const {
    const auto least = static_cast<double>(Least(sources));
    return least == 0 ? HUGE_VAL : 1 + static_cast<double>(Difference(sources)) / least;
  }
};

/// What leaves by the `hot` outputs in the window while `request(port)` is asked for every packet.
template <typename Request>
Delivered Measure(PortMask hot, const Span& span, Request request, PacketRig* rig) {
  Delivered delivered;
  rig->set_source(request);
  rig->RunTo(rig->cycle() + span.warm_up);
  rig->ResetCounts();
  rig->on_departure([&](const Departure& departure) {
    if ((hot >> departure.port & 1) == 0) return;
    delivered.from[departure.payload] += departure.format.words;
    delivered.lane[departure.header.vl()] += departure.format.words;
    delivered.flow[departure.payload][departure.header.vl()] += departure.format.words;
  });
  rig->RunTo(rig->cycle() + span.window);
  rig->on_departure(nullptr);
  return delivered;
}

class OneRow : public testing::TestWithParam<int> {};

TEST_P(OneRow, FillsAnOutputWithAnyNumberOfInputsAndSharesItFairly) {
  const int length = GetParam();
  const Span span = length > 256 ? Span{10000, 60000} : Span{3000, 15000};
  const int step = bench::TierFromEnvironment() == bench::Tier::kQuick ? 5 : 1;
  for (int inputs = 1; inputs <= kRow; inputs += step) {
    for (const int output : {7, 40}) {  // of the same row, and of another
      PacketRig rig(kRosetta64);
      const int row = inputs % kRosetta64.rows * kRow;
      const PortMask sources = ((PortMask{1} << inputs) - 1) << row;
      const Delivered delivered = Measure(Bit(output), span, [&](int port) {
        // The others keep their own outputs busy; the output's own input is silent unless it is one of the sources.
        if ((sources >> port & 1) != 0) return PacketRig::Request{output, length};
        return PacketRig::Request{port, length, 0, port == output ? kNever : 0};
      }, &rig);
      ASSERT_GE(Share(rig, output, span), 0.95) << inputs << " inputs of " << length << " B to output " << output;
      // They take turns: an owner of the channel keeps it for RUN_LIMIT_CELLS, and a packet is not cut.
      const int turn = CeilDiv(kRosetta64.run_limit_cells, CellsOf(length)) + 1;
      const int words = CeilDiv(length + 16, 32);
      ASSERT_LE(delivered.Difference(sources), static_cast<std::uint64_t>(turn * words)) << inputs << " inputs to " << output;
      rig.Drain();
      ASSERT_TRUE(rig.AllHome());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, OneRow, testing::ValuesIn(kSizes), [](const auto& info) { return std::to_string(info.param) + "Bytes"; });

class Hotspot : public testing::TestWithParam<int> {};

TEST_P(Hotspot, OfAllInputsIsFullAndFair) {
  const int length = GetParam();
  const Span span = {20000, length > 256 ? 400000 : 100000};
  PacketRig rig(kRosetta64);
  const Delivered delivered = Measure(Bit(21), span, [&](int) { return PacketRig::Request{21, length}; }, &rig);
  EXPECT_GE(Share(rig, 21, span), 0.99);
  EXPECT_LE(delivered.Spread(~PortMask{0}), 1.1);
  rig.Drain();
  EXPECT_TRUE(rig.AllHome());
}

/// Four outputs get three quarters of everything, on all lanes of the edge, with background for the others.
TEST_P(Hotspot, WithBackgroundStarvesNoInputAndNoLane) {
  const int length = GetParam();
  // A class has the output for 178 cells at a time: what an input gets evens out over many of its turns.
  const Span span = {40000, length > 1024 ? 8000000 : 1000000};
  constexpr std::array<int, 4> kHot = {3, 20, 41, 62};
  PacketRig rig(kRosetta64);
  Random random;
  const PortMask hot = Bit(3) | Bit(20) | Bit(41) | Bit(62);
  const Delivered delivered = Measure(hot, span, [&](int) {
    const int output = random.Below(4) != 0 ? kHot[random.Below(4)] : random.Below(kPorts);
    return PacketRig::Request{output, length, random.Below(kMaxClasses)};
  }, &rig);
  for (const int output : kHot) EXPECT_GE(Share(rig, output, span), 0.94) << "output " << output;
  EXPECT_LE(delivered.Spread(~PortMask{0}), 1.25);
  const auto lanes = std::minmax_element(delivered.lane.begin(), delivered.lane.begin() + kMaxClasses);
  EXPECT_LE(static_cast<double>(*lanes.second), 1.25 * static_cast<double>(*lanes.first));
  for (int port = 0; port < kPorts; ++port) {
    for (int lane = 0; lane < kMaxClasses; ++lane) ASSERT_GT(delivered.flow[port][lane], 0u) << "input " << port << ", lane " << lane;
  }
  rig.Drain();
  EXPECT_TRUE(rig.AllHome());
}

INSTANTIATE_TEST_SUITE_P(Sizes, Hotspot, testing::ValuesIn(kSizes), [](const auto& info) { return std::to_string(info.param) + "Bytes"; });

/// One input of a row against sixteen of another: rows take turns at an output, so a row gets half, and inside it everybody
/// the same.
TEST(UnevenRows, TakeTurnsAndStarveNobody) {
  constexpr PortMask kSources = Bit(5) | PortMask{0xFFFF} << kRow;
  PacketRig rig(kRosetta64);
  const Delivered delivered = Measure(Bit(50), {20000, 100000}, [&](int port) {
    return PacketRig::Request{50, 256, 0, (kSources >> port & 1) != 0 ? 0 : kNever};
  }, &rig);
  EXPECT_LE(delivered.Spread(PortMask{0xFFFF} << kRow), 1.05);
  EXPECT_NEAR(static_cast<double>(delivered.from[5]), 50000, 5000);  // its channel needs not change its owner
  EXPECT_NEAR(static_cast<double>(rig.words(50)), 100000, 1000);
}

/// A lane that sends little is not kept waiting by one that always has something.
TEST(Lanes, ASlowOneAmongFullOnesIsServed) {
  PacketRig rig(kRosetta64);
  std::array<int, kPorts> sent{};
  const Delivered delivered = Measure(Bit(9), {20000, 200000}, [&](int port) {
    return PacketRig::Request{9, 256, ++sent[port] % 50 == 0 ? 6 : 1};
  }, &rig);
  EXPECT_NEAR(static_cast<double>(delivered.lane[6]) / static_cast<double>(delivered.lane[1]), 1.0 / 49, 0.004);
}

}  // namespace
}  // namespace tilefly::golden
