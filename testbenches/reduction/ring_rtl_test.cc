// SPDX-License-Identifier: Apache-2.0
// The reduction ring of RTL against golden's (docs/blocks/reduction.md, reduction-trees.md): ports, combiners, half
// rings, CFU and row R, from the words of taken packets to the cells of results.
#include <gtest/gtest.h>

#include "testbenches/reduction/any_peers.h"
#include "testbenches/reduction/ring_edges.h"
#include "testbenches/reduction/ring_harness.h"
#include "testbenches/reduction/segments_from.h"
#include "testbenches/reduction/stream_peers.h"
#include "testbenches/reduction/tree_peers.h"

namespace tilefly::bench {
namespace {

using Harness = RingHarness<Vrtl_red_tile_tile8, Vrtl_red_cfu_tile8>;

constexpr Cycle kDrain = 3000;
constexpr Cycle kSettled = 5000;  ///< longer than a packet of a failed group waits at a slow port

/// In the runs from edges.
void BeginFromEdge(const Comparison& run, Harness* harness) {
  if (run.power_up().edge == 0) return;
  harness->BeginCounts(CountersOf, FailsOf);
  harness->BeginSegments(FirstSegment(run), [](auto* model, std::size_t slot, std::uint16_t first) {
    SetSegments(model, slot, first);
  });
}

/// Reads of counters and of STATUS, now and then.
Cfg RandomRead(const Profile& profile, const Stimulus& random, Cycle now) {
  if (!random.Chance(24, "read", now)) return {};
  const bool status = random.Chance(128, "read: status", now);
  const auto port = static_cast<int>(random.Below(static_cast<std::uint64_t>(profile.ports), "read: port", now));
  const auto which = static_cast<int>(random.Below(golden::kRedGroups, "read: which", now));
  const int index = status ? golden::IndexOf(which, RedReg::kStatus) : static_cast<int>(Counter::kRxRed) + which % 4;
  return golden::ReadRegister(port, status ? CfgSpace::kRed : CfgSpace::kCounter, index);
}

/// What the register bus carries in this cycle: the oldest of `writes`, which it takes, else a read; nothing at the
/// run's end.
Cfg NextAccess(const Comparison& run, std::deque<Cfg>* writes) {
  if (writes->empty()) return run.draining() ? Cfg{} : RandomRead(kTile8, run.stimulus(), run.cycle());
  const Cfg write = writes->front();
  writes->pop_front();
  return write;
}

/// Trees whose peers keep the protocol, but for a share of episodes with a mishap. Returns how many segments left with a
/// number that had wrapped.
int CompareTrees(double mishaps, double of_tier, PowerUp power_up, bool shown = false) {
  Comparison run({of_tier, 25, 0, kDrain, power_up, shown});
  const Harness* ring = nullptr;
  const auto idle = [&ring](int group) { return ring != nullptr && ring->IsSilent(group); };
  TreePeers peers(&run, kTile8, {8, mishaps, kSettled, idle});
  RingBins bins(&run, kTile8, mishaps > 0 ? RingBins::Packets::kMishaps : RingBins::Packets::kRight);
  SegmentsFrom numbered(&peers, FirstSegment(run));
  Harness harness(&run, kTile8, &numbered, &bins);
  ring = &harness;
  BeginFromEdge(run, &harness);
  const std::vector<Cfg> registers = peers.Writes();
  const auto written = static_cast<Cycle>(registers.size());
  std::deque<Cfg> writes(registers.begin(), registers.end());
  while (run.Next()) {
    const Cycle now = run.cycle();
    for (const Cfg& write : peers.TakeRewrites()) writes.push_back(write);
    Harness::Stimuli stimuli;
    stimuli.cfg = NextAccess(run, &writes);
    if (now == written + golden::kWriteLatency) peers.Begin();
    stimuli.arrivals = !run.draining();
    stimuli.eager = run.draining();
    harness.Step(stimuli);
    run.DrainUntil(harness.Settled(now));
  }
  return numbered.wrapped();
}

/// Waves of the block are of this one: what it is there for.
TEST(Ring, EqualsGoldenInEveryCycleWith8Ports) { CompareTrees(0, 5, kZeros, true); }

TEST(Trees, EqualGoldenInEveryCycleWith8Ports) { CompareTrees(0.5, 15, kZeros); }

TEST(Trees, EqualGoldenFromTheEdgesOfLongLivedState) {
  int wrapped = 0;
  FromEdges([&](PowerUp power_up) { wrapped += CompareTrees(0.5, 0.5, power_up); });
  if (!Failed()) EXPECT_GE(wrapped, 10) << "segments whose number has wrapped";
}

TEST(Ring, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareTrees(0.3, 0.3, power_up); });
}

/// Segments without data, whose results are packets of one cell, until nothing more fits into the fifos.
TEST(Ring, PilesUpResultsUntilTheirRoomIsTaken) {
  constexpr Cycle kLocked = 1000, kPilesUp = 50'000;
  Comparison run(Comparison::Options{1, 0, kPilesUp + 10'000});
  const Bin taken = run.AddBin("no room for a result", 1000);
  StreamPeers::Vector vector;
  vector.segments = 360;
  vector.operands = [](int, int) { return std::vector<std::uint8_t>(); };
  StreamPeers peers(kTile8, 3, vector);
  Harness harness(&run, kTile8, &peers, nullptr);
  const std::vector<Cfg> registers = peers.Writes();
  const auto written = static_cast<Cycle>(registers.size());
  std::deque<Cfg> writes(registers.begin(), registers.end());
  while (run.Next()) {
    Harness::Stimuli stimuli;
    stimuli.cfg = NextAccess(run, &writes);
    if (run.cycle() == written + golden::kWriteLatency) peers.Begin(run.cycle());
    stimuli.eager = true;
    stimuli.credits_only = run.cycle() > kLocked && run.cycle() < kPilesUp;
    harness.Step(stimuli);
    const int room = harness.golden().reductions().cfu().room(0, RedLane::kD);
    run.Hit(taken, stimuli.credits_only && room < kTile8.red_cells);
  }
  EXPECT_TRUE(Failed() || peers.done());
  EXPECT_EQ(peers.complaint(), "");
}

/// Links that work in an epoch.
golden::PortMask DrawLinks(const Comparison& run, Cycle epoch) {
  golden::PortMask links_up = golden::Bit(kTile8.ports) - 1;
  for (int p = 0; p < kTile8.ports; ++p) {
    if (run.stimulus().Chance(3, "link down", epoch, static_cast<std::uint32_t>(p))) links_up &= ~golden::Bit(p);
  }
  return links_up;
}

/// Links that go down, trees that are made anew, and packets that keep no rule.
void CompareAny(double of_tier, PowerUp power_up) {
  constexpr Cycle kPhase = 8192;         ///< then the groups that are silent become others
  constexpr Cycle kQuiet = 2048;         ///< the end of a phase: nothing comes
  constexpr Cycle kSilent = kQuiet / 2;  ///< no link changes and no time is over: trees are written
  constexpr Cycle kWrites = 128;         ///< until the trees of all groups are written
  constexpr Cycle kEpoch = 256;          ///< of links
  Comparison run({of_tier, 25, 0, kDrain, power_up});
  AnyPeers peers(kTile8, run.stimulus());
  RingBins bins(&run, kTile8, RingBins::Packets::kAny);
  SegmentsFrom numbered(&peers, FirstSegment(run));
  Harness harness(&run, kTile8, &numbered, &bins);
  BeginFromEdge(run, &harness);
  std::deque<Cfg> writes;
  Cycle written = 0;  ///< the last write was on the bus
  golden::PortMask links_up = 0;
  for (int p = 0; p < kTile8.ports; ++p) {
    writes.push_back(golden::WriteRegister(p, CfgSpace::kPort, static_cast<int>(PortReg::kMode), 1));
  }
  while (run.Next()) {
    const Cycle now = run.cycle();
    const Cycle left = kPhase - now % kPhase;
    const bool over_soon = harness.golden().reductions().cfu().Next() <= harness.first() + now + kWrites;
    if (now == 0 || (left == kSilent && !over_soon)) {
      for (int g = 0; g < golden::kRedGroups; ++g) {
        if (!harness.golden().reductions().cfu().IsSilent(harness.first() + now, g)) continue;
        for (const Cfg& write : peers.Draw(now, g).Writes(kTile8.ports)) writes.push_back(write);
      }
    }
    Harness::Stimuli stimuli;
    stimuli.cfg = NextAccess(run, &writes);
    if (stimuli.cfg.valid && !stimuli.cfg.read) written = now;
    const bool known = writes.empty() && now > written + golden::kWriteLatency;
    stimuli.arrivals = known && left > kQuiet && !run.draining();
    stimuli.eager = left <= kQuiet || run.draining();
    if (now % kEpoch == 0 && left > kSilent) links_up = DrawLinks(run, now / kEpoch);
    if (!run.draining()) stimuli.links_up = links_up;
    harness.Step(stimuli);
    run.DrainUntil(harness.Settled(now));
  }
}

TEST(Failures, EqualGoldenInEveryCycleWhateverComes) { CompareAny(8, kZeros); }

TEST(Failures, EqualGoldenFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { CompareAny(0.3, power_up); });
}

TEST(Failures, EqualGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareAny(0.3, power_up); });
}

}  // namespace
}  // namespace tilefly::bench
