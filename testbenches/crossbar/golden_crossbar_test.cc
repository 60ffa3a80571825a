// SPDX-License-Identifier: Apache-2.0
// The statements of docs/blocks/crossbar.md, of the golden crossbars, against fifos and arbiters written out.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <vector>

#include "golden/crossbar/arbitrated_crossbar.h"

namespace tilefly::golden {
namespace {

TEST(FifoArbiters, EqualFifosAndArbitersWrittenOut) {
  constexpr int kArbiters = 70;
  constexpr int kInputs = 16;
  std::mt19937 random(4);
  FifoArbiters arbiters(kArbiters, kInputs);
  std::vector<std::array<std::deque<std::uint32_t>, kInputs>> fifos(kArbiters);
  std::vector<int> pointer(kArbiters);
  std::uint32_t number = 0;
  std::size_t deepest = 0;
  for (int cycle = 0; cycle < 20000; ++cycle) {
    const bool burst = cycle % 1000 < 300;
    for (int n = burst ? 40 : static_cast<int>(random() % 3); n > 0; --n) {
      const int arbiter = static_cast<int>(burst ? random() % 8 : random() % kArbiters);
      const int input = static_cast<int>(random() % kInputs);
      arbiters.Insert(arbiter, input, number);
      fifos[arbiter][input].push_back(number++);
      deepest = std::max(deepest, fifos[arbiter][input].size());
    }
    std::map<int, std::uint32_t> winners;
    arbiters.Decide([&](int arbiter, std::uint32_t message) { winners[arbiter] = message; });
    for (int a = 0; a < kArbiters; ++a) {
      int winner = -1;
      for (int i = 0; i < kInputs && winner < 0; ++i) {
        if (!fifos[a][(pointer[a] + i) % kInputs].empty()) winner = (pointer[a] + i) % kInputs;
      }
      ASSERT_EQ(winners.count(a), winner >= 0 ? 1u : 0u);
      if (winner < 0) continue;
      ASSERT_EQ(winners[a], fifos[a][winner].front());
      fifos[a][winner].pop_front();
      pointer[a] = (winner + 1) % kInputs;
    }
  }
  EXPECT_GT(deepest, 10u);
}

/// Runs a crossbar until the message sent in cycle 100 arrives; the cycles that it took.
template <typename Crossbar>
Cycle CrossingOf(const Profile& profile, int source, int destination) {
  const Geometry geometry(profile);
  Crossbar crossbar(profile, geometry);
  crossbar.Leave(source, destination, 77);
  for (Cycle now = 100; now < 120; ++now) {
    crossbar.Arbitrate(now);
    Cycle arrived = 0;
    crossbar.Deliver(now, [&](std::uint32_t message) { arrived = message == 77 ? now : -1; });
    if (arrived != 0) return arrived - 100;
  }
  return -1;
}

TEST(ArbitratedCrossbar, TakesEightCyclesForALoneMessageBetweenAllPairs) {
  for (int source = 0; source < kRosetta64.ports; ++source) {
    for (int destination = 0; destination < kRosetta64.ports; ++destination) {
      ASSERT_EQ(CrossingOf<RequestCrossbar>(kRosetta64, source, destination), 8);
      ASSERT_EQ(CrossingOf<MergedCrossbar>(kRosetta64, source, destination), 8);
    }
  }
}

TEST(MergedCrossbar, DeliversOneACycleInOrderOfEachSource) {
  const Profile& profile = kRosetta64;
  const Geometry geometry(profile);
  MergedCrossbar crossbar(profile, geometry);
  std::vector<std::deque<std::uint32_t>> sent(profile.ports);
  constexpr int kEach = 20;
  int received = 0;
  for (Cycle now = 0; received < kEach * profile.ports && now < 10000; ++now) {
    for (std::uint32_t source = 0; now < kEach && source < static_cast<std::uint32_t>(profile.ports); ++source) {
      const std::uint32_t message = source << 16 | static_cast<std::uint32_t>(now);
      crossbar.Leave(static_cast<int>(source), 13, message);
      sent[source].push_back(message);
    }
    crossbar.Arbitrate(now);
    int arrivals = 0;
    crossbar.Deliver(now, [&](std::uint32_t message) {
      ++arrivals;
      ++received;
      const auto source = message >> 16;
      ASSERT_EQ(sent[source].front(), message);
      sent[source].pop_front();
    });
    ASSERT_LE(arrivals, 1);
  }
  EXPECT_EQ(received, kEach * profile.ports);
  EXPECT_FALSE(crossbar.active());
}

}  // namespace
}  // namespace tilefly::golden
