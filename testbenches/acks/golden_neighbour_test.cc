// SPDX-License-Identifier: Apache-2.0
// The load ring's neighbour loads in closed form against a list of all that was heard (docs/blocks/acks.md, Neighbour
// load), and what they do to routing.
#include <map>

#include "golden/routing/draws.h"
#include "golden/routing/load_ring.h"
#include "testbenches/acks/ack_rig.h"
#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::golden {
namespace {

constexpr int kEpochs = 16;

/// Own loads and neighbours' of one output, all written down.
class Heard {
 public:
  void Add(Cycle now, int cells) { own_[now] = (own_.empty() ? 0 : own_.rbegin()->second) + cells; }
  void Hear(Cycle now, int load) { neighbour_[now] = load; }
  /// L(kE) of the page.
  int Level(Cycle k, Cycle epoch) const {
    const Cycle last = k * epoch - 2;
    const auto own = own_.upper_bound(last);
    int load = own == own_.begin() ? 0 : std::prev(own)->second;
    const auto heard = neighbour_.upper_bound(last);
    if (heard != neighbour_.begin()) {
      const Cycle e = std::prev(heard)->first;
      if (k < (e + 2 + epoch - 1) / epoch + kEpochs) load += std::prev(heard)->second;
    }
    return std::min(4095, load);
  }
  int own() const { return own_.empty() ? 0 : own_.rbegin()->second; }

 private:
  std::map<Cycle, int> own_, neighbour_;
};

class Neighbours : public testing::TestWithParam<int> {};

TEST_P(Neighbours, EqualTheListOfAllThatWasHeard) {
  const Cycle epoch = GetParam();
  constexpr int kPorts = 8;
  const bench::Stimulus random(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  LoadRing ring(kPorts, epoch, kEpochs);
  std::vector<Heard> heard(kPorts);
  int shown = 0, expired = 0, at_the_limit = 0;
  const Cycle cycles = bench::CyclesOf(bench::TierFromEnvironment());
  for (Cycle now = 0; now < cycles; ++now) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      const int output = static_cast<int>(random.Below(kPorts, "output", now, i));
      const auto at = static_cast<std::size_t>(output);
      if (random.Chance(80, "ask", now, i)) {
        const Cycle k = (now + LoadRing::kAhead) / epoch - 1;
        const int level = k < 1 ? 0 : heard[at].Level(k, epoch);
        ASSERT_EQ(ring.Shown(now, output), level) << "cycle " << now << ", output " << output;
        shown += level > heard[at].own();
        expired += level == 0;
      }
      if (random.Chance(20, "add", now, i)) {
        const int cells = heard[at].own() > 200 ? -heard[at].own() : random.Between(1, 89, "cells", now, i);
        ring.Add(now, output, cells);
        heard[at].Add(now, cells);
      }
      // Silent for more than the 16 epochs now and then.
      if (!random.Chance(90, "talks", now / (24 * epoch), static_cast<std::uint32_t>(output)) ||
          !random.Chance(12, "hear", now, i)) {
        continue;
      }
      const int load = random.Between(0, 4095, "load", now, i);
      ring.Hear(now, output, load);
      heard[at].Hear(now, load);
      at_the_limit += (now + 2) % epoch <= 1;
    }
    if (now % 900 == 899) now += static_cast<Cycle>(random.Below(static_cast<std::uint64_t>(20 * epoch), "leap", now));
  }
  EXPECT_GT(shown, cycles / 100);
  EXPECT_GT(expired, 0);
  EXPECT_GT(at_the_limit, 5);
}

INSTANTIATE_TEST_SUITE_P(Epochs, Neighbours, testing::Values(12, 16, 32, 100),
                         [](const auto& info) { return "Of" + std::to_string(info.param) + "Cycles"; });

TEST(NeighbourLoad, CountsFor16EpochsFromTheFirstThatKnowsIt) {
  const Cycle epoch = kTile8.load_epoch_cycles;
  ASSERT_EQ(kTile8.neighbour_epochs, kEpochs);
  for (const Cycle late : {0, 1}) {
    LoadRing ring(kTile8.ports, epoch, kTile8.neighbour_epochs);
    ring.Hear(10 * epoch - 2 + late, 2, 77);
    const Cycle first = (11 + late) * epoch - LoadRing::kAhead;  // whose decisions see that sample
    EXPECT_EQ(ring.Shown(first - 1, 2), 0);
    EXPECT_EQ(ring.Shown(first, 2), 77);
    EXPECT_EQ(ring.Shown(first + 16 * epoch - 1, 2), 77);
    EXPECT_EQ(ring.Shown(first + 16 * epoch, 2), 0);
  }
}

/// Epochs of 32 cycles are 2^32 many after 2^37 cycles, and as many again at each multiple of it.
TEST(NeighbourLoad, CountsInARunOfAnyAge) {
  const Cycle epoch = kTile8.load_epoch_cycles;
  for (const Cycle edge : {Cycle{0}, Cycle{1} << 37, Cycle{1} << 47}) {
    LoadRing ring(8, epoch, kTile8.neighbour_epochs);
    const Cycle heard = edge == 0 ? 10 * epoch : edge - 10 * epoch;
    ring.Shown(heard - 20 * epoch < 0 ? 0 : heard - 20 * epoch, 3);
    ring.Hear(heard, 3, 77);
    int shown = 0;
    for (Cycle at = 1; at <= 40; ++at) shown += ring.Shown(heard + at * epoch, 3) == 77;
    EXPECT_EQ(shown, kTile8.neighbour_epochs) << edge;
  }
}

TEST(NeighbourLoad, SendsPacketsAnotherWayUntilItIsOld) {
  AckRig rig(kTile8, Bit(0));
  constexpr PortMask kWays = Bit(4) | Bit(5);
  rig.Write(WriteRegister(kAllPorts, CfgSpace::kRouteGroup, 7, kWays));
  rig.Settle();
  const Cycle epoch = kTile8.load_epoch_cycles;
  Ack ack;
  ack.load = 500;
  const Cycle heard = rig.now() + 4;
  rig.SendAck(4, ack);         // to port 0
  std::vector<Cycle> decided;  // by packet
  for (int i = 0; i < 1200; ++i) {
    Header header = HeaderFrom(AckRig::Own(0), FabricAddress(7, 1, 1), 0);
    if (i % 3 == 0) {
      rig.Send(0, header);
      decided.push_back(rig.now() + 16);
    }
    rig.Step();
  }
  rig.Drain();
  const Cycle first = (heard + 2 + epoch - 1) / epoch * epoch;  // sample that knows it; decisions see it an epoch later
  int before = 0, after = 0, forced = 0;  // that go that way, though the other one is a candidate; that have no other
  for (const Departure& departure : rig.departures) {
    const Draws draws(Scramble(0), AckRig::Own(0), departure.payload);
    const bool no_other =
        ChoosePort(draws.minimal_port(0), kWays) == 4 && ChoosePort(draws.minimal_port(1), kWays) == 4;
    const Cycle at = decided.at(departure.payload);
    const bool that_way = departure.port == 4 && !no_other;
    if (at < first + epoch) {
      before += that_way;
    } else if (at < first + epoch + kEpochs * epoch) {
      ASSERT_EQ(departure.port == 4, no_other) << "packet " << departure.payload;
      forced += no_other;
    } else {
      after += that_way;
    }
  }
  EXPECT_GT(before, 0);
  EXPECT_GT(forced, 10);
  EXPECT_GT(after, 20);
}

}  // namespace
}  // namespace tilefly::golden
