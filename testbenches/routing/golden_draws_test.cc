// SPDX-License-Identifier: Apache-2.0
// The draws of routing are even, and differ from port to port, packet to packet, flow to flow.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

#include "golden/routing/draws.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::golden {
namespace {

/// Chi-squared statistic of counts that should be equal, per degree of freedom: about 1.
template <typename Counts>
double Unevenness(const Counts& counts) {
  double sum = 0;
  for (const int count : counts) sum += count;
  const double mean = sum / static_cast<double>(counts.size());
  double squares = 0;
  for (const int count : counts) squares += (count - mean) * (count - mean) / mean;
  return squares / static_cast<double>(counts.size() - 1);
}

TEST(Draws, ChooseIsTheBitOfThePagesNumber) {
  const bench::Stimulus random(1);
  for (int i = 0; i < 2000; ++i) {
    const PortMask mask =
        random.Bits("mask", i) & random.Bits("and", i) & (i % 3 == 0 ? random.Bits("and too", i) : ~PortMask{0});
    if (mask == 0) continue;
    const unsigned byte = random.Bits("byte", i) & 255;
    std::vector<int> ports;
    ForEachBit(mask, [&](int port) { ports.push_back(port); });
    ASSERT_EQ(ChoosePort(byte | 0xab00, mask), ports[byte * ports.size() >> 8]) << std::hex << mask << " " << byte;
  }
}

TEST(Draws, SpreadOverPortsAndTargetsEvenly) {
  constexpr int kPackets = 64000;
  constexpr PortMask kPorts = 0xf0f0;
  for (const std::uint32_t seed : {0u, 1u, 2u, 0x80000000u}) {
    for (const int port : {0, 1, 63}) {
      std::array<std::array<int, 16>, 6> counts{};
      std::array<int, 64> pairs{};
      for (std::uint32_t k = 0; k < kPackets; ++k) {
        const Draws draws(Scramble(seed), FabricAddress(3, 9, port), k);
        for (int i = 0; i < 2; ++i) {
          ++counts[i][ChoosePort(draws.minimal_port(i), kPorts)];
          ++counts[2 + i][ChoosePort(draws.nonminimal_port(i), kPorts)];
          ++counts[4 + i][ChooseNumber(draws.target(i), 16)];
        }
        ++pairs[8 * (draws.minimal_port(0) >> 5 & 7) + (draws.minimal_port(1) >> 5 & 7)];
      }
      for (int i = 0; i < 4; ++i) {
        std::array<int, 8> of_mask{};
        for (int n = 0; n < 8; ++n) of_mask[n] = counts[i][NthBit(kPorts, n)];
        EXPECT_LT(Unevenness(of_mask), 4) << "seed " << seed << ", port " << port << ", candidate " << i;
      }
      EXPECT_LT(Unevenness(counts[4]), 3) << "seed " << seed << ", port " << port;
      EXPECT_LT(Unevenness(counts[5]), 3) << "seed " << seed << ", port " << port;
      EXPECT_LT(Unevenness(pairs), 2) << "seed " << seed << ", port " << port;
    }
  }
}

TEST(Draws, OfPortsAndSwitchesAreUnrelated) {
  std::set<std::uint32_t> first;
  for (int group = 0; group < 8; ++group) {
    for (int number = 0; number < 8; ++number) {
      for (int port = 0; port < 64; ++port)
        first.insert(Draws(Scramble(7), FabricAddress(group, number, port), 0).ports);
    }
  }
  EXPECT_GE(first.size(), 8u * 8 * 64 - 4);  // of 2^32 values two may meet
}

TEST(Draws, FlowsOfAPairSpreadAndSwitchesInARowDoNotChooseAlike) {
  std::array<int, 8> here{};
  std::array<int, 64> both{};
  constexpr int kSources = 16;
  for (std::uint32_t source = 0; source < kSources; ++source) {
    for (std::uint32_t flow = 0; flow < 1024; ++flow) {
      const std::uint32_t hash = FlowHash(flow, FabricAddress(1, 2, static_cast<int>(source)), FabricAddress(30, 1, 5));
      const int one = ChoosePort(HashIn(1, 2, hash), 0xff), other = ChoosePort(HashIn(1, 3, hash), 0xff);
      ++here[one];
      ++both[8 * one + other];
    }
  }
  EXPECT_LT(Unevenness(here), 4);
  EXPECT_LT(Unevenness(both), 2);
}

}  // namespace
}  // namespace tilefly::golden
