// SPDX-License-Identifier: Apache-2.0
// The golden switch steps only the cycles that it names: stepping every cycle gives the same result (law 4), and cycles that
// it does not name change nothing.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "testbenches/bench/settings.h"
#include "testbenches/switch/saturation.h"

namespace tilefly::golden {
namespace {

/// Everything about a packet that leaves.
using Leaving = std::tuple<Cycle, int, Payload, int, int, int>;

struct Case {
  std::string name;
  int length;
  int gap;  ///< mean time between a source's packets, cycles
  bool hot;
};

/// What leaves a switch when every port sends now and then; `observed`: every cycle is stepped.
std::vector<Leaving> LogOf(const Case& what, bool observed) {
  PacketRig rig(kRosetta64);
  SwitchObservation observation;
  if (observed) rig.device().Observe(&observation);
  std::vector<Leaving> log;
  rig.on_departure([&](const Departure& departure) {
    log.emplace_back(departure.take, departure.port, departure.payload, departure.header.vl(), departure.length, departure.format.words);
  });
  Random random(bench::SeedOf(bench::RootSeed(), what.name));
  // Drawn for each port apart: the order in which ports are asked is no part of the result.
  std::vector<Random> draws;
  for (int port = 0; port < kRosetta64.ports; ++port) draws.emplace_back(random() | 1);
  std::vector<Cycle> next(kRosetta64.ports, 100);
  rig.set_source([&](int port) {
    next[port] += draws[port].Below(2 * what.gap + 1);
    const int output = what.hot && draws[port].Below(3) != 0 ? 17 : draws[port].Below(64);
    return PacketRig::Request{output, what.length, draws[port].Below(8), next[port]};
  });
  rig.RunTo(30000);
  rig.Drain();
  EXPECT_TRUE(rig.AllHome());
  return log;
}

class Skipping : public testing::TestWithParam<Case> {};

TEST_P(Skipping, GivesTheSameAsSteppingEveryCycle) {
  const std::vector<Leaving> skipping = LogOf(GetParam(), false);
  const std::vector<Leaving> stepping = LogOf(GetParam(), true);
  EXPECT_GT(skipping.size(), 100u);
  ASSERT_EQ(skipping.size(), stepping.size());
  for (std::size_t i = 0; i < skipping.size(); ++i) ASSERT_EQ(skipping[i], stepping[i]) << "packet " << i;
}

INSTANTIATE_TEST_SUITE_P(Loads, Skipping,
                         testing::Values(Case{"Sparse", 64, 8000, false}, Case{"Light", 256, 200, false},
                                         Case{"Heavy", 64, 4, false}, Case{"Long", 4224, 160, false},
                                         Case{"HotSpot", 1024, 60, true}),
                         [](const auto& info) { return info.param.name; });

/// The state that a switch shows.
struct Levels {
  explicit Levels(const Switch& device) {
    for (int port = 0; port < device.profile().ports; ++port) {
      values.push_back(device.used(port));
      values.push_back(device.room(port));
      values.push_back(device.load(port));
      for (const Counter counter : kCounterValues) {
        values.push_back(static_cast<std::int64_t>(device.ReadCounter(port, static_cast<int>(counter))));
      }
    }
    values.push_back(static_cast<std::int64_t>(device.packets()));
  }
  std::vector<std::int64_t> values;
};

TEST(Quiescence, CyclesThatAreNotNamedChangeNothing) {
  PacketRig rig(kRosetta64);
  Random random;
  int checked = 0;
  for (int i = 0; i < 200; ++i) {
    rig.Send(random.Below(64), rig.cycle() + 1 + random.Below(20), {random.Below(64), 32 + random.Below(500)});
    const Cycle end = rig.cycle() + 20 + random.Below(200);
    while (rig.cycle() < end) {
      Switch& device = rig.device();
      if (device.NextActive() > rig.cycle() + 1) {
        // One that is stepped all the same puts nothing out and keeps what it shows.
        const Levels before(device);
        device.Step(rig.cycle());
        ASSERT_EQ(Levels(device).values, before.values) << "cycle " << rig.cycle();
        ASSERT_TRUE(device.output().links.packets.empty() && device.output().credits.empty() && device.output().drops.empty());
        ++checked;
      }
      rig.RunTo(rig.cycle() + 1);
    }
  }
  EXPECT_GT(checked, 1000);
  rig.Drain();
  EXPECT_TRUE(rig.AllHome());
}

}  // namespace
}  // namespace tilefly::golden
