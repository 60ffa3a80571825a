// SPDX-License-Identifier: Apache-2.0
// Long vectors go through a switch at the rate of docs/blocks/reduction.md, Rate and deadlock, however many sources
// there are and whichever ports they are behind.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "testbenches/bench/settings.h"
#include "testbenches/reduction/stream_hosts.h"

namespace tilefly::golden {
namespace {

constexpr double kOfThePage = 128.0 / 132.0;  ///< words of data, of the words of a child's link
constexpr double kLeast = 0.95;
constexpr int kSegments = 48;

std::vector<std::uint8_t> Ones(int bytes) {
  constexpr std::int32_t kOne = 1;
  std::vector<std::uint8_t> data(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i + sizeof kOne <= data.size(); i += sizeof kOne) std::memcpy(&data[i], &kOne, sizeof kOne);
  return data;
}

/// Words of data of a child's results for each cycle of its link, from the middle of the vector to its end. All
/// elements of all results must be the number of children.
double Rate(const Profile& profile, PortMask children, int segments) {
  RedRig rig(profile, RedRig::Visits::kNeeded);
  rig.SetTree(0, {children, 0, -1, false, 0});
  const Red red = SegmentHeader(0, 0, 0, RedOp::kSum, RedType::kInt32, profile.red_bytes);
  const std::vector<std::uint8_t> data = Ones(profile.red_bytes);
  StreamHosts hosts(rig, 0, children, segments, red, [&](int, int) { return data; });
  EXPECT_GE(hosts.Lock(0, 0), 0);
  EXPECT_TRUE(hosts.Run(400 * segments + 5000));
  const auto results = rig.GotAt(LowestBit(children), RedWhat::kResult);
  EXPECT_EQ(results.size(), static_cast<std::size_t>(segments));
  const std::int32_t sources = __builtin_popcountll(children);
  for (const RedRig::Got& result : results) {
    for (std::size_t i = 0; i < result.data.size(); i += sizeof sources)
      EXPECT_EQ(std::memcmp(&result.data[i], &sources, sizeof sources), 0);
  }
  const std::size_t from = results.size() / 2;
  const Cycle cycles = results.back().take - results[from].take;
  return static_cast<double>(results.size() - 1 - from) * profile.red_words / static_cast<double>(cycles);
}

PortMask Drawn(int ports, int count, std::mt19937_64* random) {
  PortMask mask = 0;
  while (__builtin_popcountll(mask) < count) mask |= Bit(static_cast<int>((*random)() % static_cast<unsigned>(ports)));
  return mask;
}

/// So many ports from `first` on, `step` apart, around the switch.
PortMask Every(int ports, int count, int first, int step) {
  PortMask mask = 0;
  for (int i = 0; i < count; ++i) mask |= Bit((first + i * step) % ports);
  return mask;
}

TEST(Rate, IsThatOfThePageWithAnyNumberOfSourcesOnAnyPorts) {
  if (bench::TierFromEnvironment() == bench::Tier::kQuick) GTEST_SKIP() << "a minute with sanitizers: from tier ci on";
  std::mt19937_64 random(7);
  for (int count = 2; count <= kRosetta64.ports; ++count) {
    const std::vector<PortMask> sets = {Every(64, count, 0, 1), Every(64, count, 64 - count, 1),
                                        Every(64, count, 11, 27), Drawn(64, count, &random), Drawn(64, count, &random)};
    for (const PortMask children : sets) {
      ASSERT_EQ(__builtin_popcountll(children), count);
      const double rate = Rate(kRosetta64, children, kSegments);
      EXPECT_GE(rate, kLeast) << count << " sources";
      EXPECT_NEAR(rate, kOfThePage, 0.002) << count << " sources at " << std::hex << children;
    }
  }
}

TEST(Rate, IsTheSameInSmallSwitches) {
  for (PortMask children = 1; children < Bit(kTile8.ports); ++children) {
    if ((children & (children - 1)) != 0)
      EXPECT_NEAR(Rate(kTile8, children, kSegments), kOfThePage, 0.002) << std::hex << children;
  }
  std::mt19937_64 random(8);
  for (int count = 2; count <= kTile16.ports; ++count)
    EXPECT_NEAR(Rate(kTile16, Drawn(16, count, &random), kSegments), kOfThePage, 0.002) << count << " sources";
}

/// Credits count modulo 256.
TEST(Rate, HoldsBeyondTheWrapOfTheCredits) { EXPECT_NEAR(Rate(kTile8, 0b1001'0001, 600), kOfThePage, 0.002); }

}  // namespace
}  // namespace tilefly::golden
