// SPDX-License-Identifier: Apache-2.0
// Routing leaves out ports that are down (docs/blocks/link_retry.md): what is chosen, against a naive chooser, and when
// inputs see a port as down.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "golden/routing/chooser.h"
#include "golden/routing/down_ports.h"
#include "golden/switch/switch.h"
#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"
#include "testbenches/routing/chooser_rig.h"
#include "testbenches/routing/naive_chooser.h"

namespace tilefly::golden {
namespace {

/// Random tables of a switch, in golden's registers and in the naive chooser.
class BothChoosers {
 public:
  BothChoosers(const Profile& profile, const bench::Stimulus& random, Cycle round)
      : rig(profile), profile_(profile), random_(random), round_(round) {
    const PortMask all = ~PortMask{0} >> (kMaxPorts - profile.ports);
    naive.own = {kOwn.group, kOwn.number};
    naive.enabled = all & ~(Mask("disabled", 0) & Mask("disabled", 1));
    naive.groups = random.Between(0, 520, "groups", round);
    naive.switches = random.Between(0, 40, "switches", round);
    naive.seed = static_cast<std::uint32_t>(random.Bits("seed", round));
    for (std::uint32_t g = 0; g < 512; ++g) naive.to_group[g] = Sparse("group", g);
    for (std::uint32_t s = 0; s < 32; ++s) naive.to_switch[s] = Sparse("switch", s);
    SwitchBias bias;
    for (std::uint32_t m = 0; m < 4; ++m) {
      naive.bias[m] = random.Between(0, 300, "bias", round, m);
      bias.adaptive[m] = static_cast<std::uint16_t>(naive.bias[m]);
    }
    std::uint64_t lengths = 0;
    for (std::uint32_t n = 0; n < 16; ++n) {
      naive.length[n] = random.Between(1, 5, "length", round, n);
      lengths |= static_cast<std::uint64_t>(naive.length[n]) << 4 * n;
    }
    for (int port = 0; port < profile.ports; ++port) {
      const auto index = static_cast<std::uint32_t>(port);
      naive.pclass.push_back(random.Between(0, 3, "pclass", round, index));
      naive.load.push_back(random.Between(0, 200, "load", round, index));
      PortMode mode;
      mode.enable = (naive.enabled & Bit(port)) != 0;
      mode.pclass = static_cast<std::uint8_t>(naive.pclass.back());
      rig.Set(PortReg::kMode, mode.ToBits(), port);
      rig.Load(port, naive.load.back());
    }
    rig.SetSize(naive.groups, naive.switches);
    rig.Set(SwitchReg::kSeed, naive.seed);
    rig.Set(SwitchReg::kBias, bias.ToBits());
    rig.Set(SwitchReg::kLength, lengths);
    for (int g = 0; g < 512; ++g) rig.Group(g, naive.to_group[static_cast<std::size_t>(g)]);
    for (int s = 0; s < 32; ++s) rig.Neighbour(s, naive.to_switch[static_cast<std::size_t>(s)]);
  }
  Header RandomHeader(Cycle at) const {
    Header header = HeaderTo(Address("dst", at), static_cast<RouteMode>(random_.Below(8, "mode", at)), Address("src", at));
    header.flow = static_cast<std::uint16_t>(random_.Below(1024, "flow", at));
    header.hop = static_cast<std::uint8_t>(random_.Below(4, "hop", at));
    header.ordered = random_.Chance(64, "ordered", at);
    header.via_valid = random_.Chance(100, "via valid", at);
    header.via = static_cast<std::uint16_t>(Address("via", at) >> kPortBits);
    return header;
  }
  /// Few or many ports.
  PortMask Mask(const char* purpose, std::uint32_t index) const { return random_.Bits(purpose, round_, index); }

  ChooserRig rig;
  NaiveChooser naive;

 private:
  PortMask Sparse(const char* purpose, std::uint32_t index) const {
    if (random_.Chance(20, "no way", round_, index)) return 0;
    const PortMask mask = Mask(purpose, index);
    return random_.Chance(128, "few ways", round_, index) ? mask & Mask("way", index) & Mask("way, too", index) : mask;
  }
  /// Half of them in the own group.
  std::uint32_t Address(const char* purpose, Cycle at) const {
    const auto bits = static_cast<std::uint32_t>(random_.Bits(purpose, at));
    const int group = (bits & 1) != 0 ? kOwnGroup : static_cast<int>(bits >> 1 & 511);
    return FabricAddress(group, static_cast<int>(bits >> 10 & 31), static_cast<int>(bits >> 15) % profile_.ports);
  }

  const Profile& profile_;
  const bench::Stimulus& random_;
  Cycle round_;
};

TEST(DownPorts, TheChoiceIsThatOfTheNaiveChooser) {
  const bench::Stimulus random(bench::SeedOf(bench::RootSeed(), "naive chooser"));
  std::map<std::string, int> seen;
  for (Cycle round = 0; round < 120; ++round) {
    BothChoosers both(round % 2 == 0 ? kTile8 : kRosetta64, random, round);
    RouteChecker* const watched = &both.rig.checker;
    Chooser chooser(both.rig.registers, both.rig.loads, watched);
    for (std::uint32_t k = 0; k < 200; ++k) {
      const Cycle at = 1000 * round + k;
      PortMask down = random.Bits("down", at) & random.Bits("down, too", at);
      if (random.Chance(100, "most down", at)) down |= random.Bits("most", at);
      if (random.Chance(60, "none down", at)) down = 0;
      both.naive.down = down;
      const Header came = both.RandomHeader(at);
      Header expected = came;
      HeaderBits bits(came);
      const NaiveChooser::Result naive = both.naive.Choose(&expected, ChooserRig::kPort, k);
      const RouteChoice choice = chooser.Choose(ChooserRig::kNow, ChooserRig::kPort, &bits, down);
      ASSERT_EQ(choice.drop == Drop::kNoRoute, naive.no_route) << at;
      ASSERT_EQ(choice.decided, naive.decided) << at;
      ++seen[naive.no_route ? "no route" : naive.nonminimal ? "non-minimal" : "minimal"];
      seen["gives up its via"] += naive.gave_up_via && !naive.no_route;
      if (naive.no_route) continue;
      ASSERT_EQ(choice.output, naive.port) << at;
      ASSERT_EQ(down >> choice.output & 1, 0u) << at;
      ASSERT_EQ(choice.nonminimal, naive.nonminimal) << at;
      ASSERT_TRUE(bits.Unpack() == expected) << at;
      if (choice.follows) ASSERT_EQ(choice.hash_output, naive.hash_port) << at;
    }
  }
  EXPECT_GT(seen["no route"], 500);
  EXPECT_GT(seen["non-minimal"], 500);
  EXPECT_GT(seen["minimal"], 500);
  EXPECT_GT(seen["gives up its via"], 100);
}

/// Masks after the events of every cycle, all written down.
TEST(DownPorts, AreShownOnceInAnEpochAsTheLoadsAre) {
  const bench::Stimulus random(bench::SeedOf(bench::RootSeed(), "down ports"));
  for (const Cycle epoch : {12, 16, 32, 100}) {
    DownPorts ports(epoch);
    std::vector<PortMask> history;  // after each cycle's events
    int shown = 0;
    for (Cycle now = 0; now < 20'000; ++now) {
      const Cycle decision = now + 12;
      const Cycle last = epoch * (decision / epoch - 1) - 2;  // whose events count
      const PortMask visible = decision < epoch || last < 0 ? 0 : history[static_cast<std::size_t>(last)];
      const bool quiet = random.Chance(128, "quiet", now / 1024);
      if (random.Chance(60, "ask", now)) {
        ASSERT_EQ(ports.Shown(now), visible) << "cycle " << now << ", epochs of " << epoch;
        shown += visible != 0;
      }
      PortMask mask = history.empty() ? 0 : history.back();
      if (quiet && now % 1024 == 0) mask = 0;
      if (!quiet && random.Chance(8, "change", now)) mask = random.Chance(128, "none", now) ? 0 : random.Bits("mask", now);
      ports.Set(now, mask);
      history.push_back(mask);
    }
    EXPECT_GT(shown, 500);
  }
}

/// A switch whose port 6 is a retry port. Packets for it come in at other ports, one a cycle.
class SwitchWithALink {
 public:
  static constexpr int kOutput = 6;

  explicit SwitchWithALink(int down) {
    PortMode mode;
    mode.enable = mode.credits = mode.cut_through = true;
    mode.std_format = false;
    Write(kAllPorts, PortReg::kMode, mode.ToBits());
    PortRetry retry;
    retry.down = static_cast<std::uint8_t>(down);
    Write(kOutput, PortReg::kRetry, retry.ToBits());
    mode.retry = true;
    Write(kOutput, PortReg::kMode, mode.ToBits());
    while (now < 20) switch_.Step(now++);
  }
  void LinkUp(bool up) { switch_.LinkUp(kOutput, up, now); }
  /// A packet with trigger `now`; then the cycle passes.
  void Step() {
    const int port = static_cast<int>(now % 5);  // a packet of 3 words every 5 cycles
    Header header = HeaderTo(FabricAddress(0, 0, kOutput), RouteMode::kMinHash);
    header.len = 64;
    switch_.Arrive(port, now, {true, HeaderBits(header), static_cast<Payload>(now)});
    switch_.Step(now++);
    for (const DropRecord& drop : switch_.output().drops) {
      if (drop.reason == Drop::kNoRoute) dropped.push_back(drop.payload);
    }
  }
  Switch& device() { return switch_; }

  Cycle now = 0;
  std::vector<Cycle> dropped;  ///< triggers of the packets that had no route

 private:
  void Write(int port, PortReg reg, std::uint64_t data) {
    switch_.Write(now, WriteRegister(port, CfgSpace::kPort, static_cast<int>(reg), data));
    switch_.Step(now++);
  }
  Switch switch_{kTile8};
};

/// down(o, c) of the page, for a link that is down from `from` to `to`, exclusive.
bool SeenDown(Cycle c, Cycle from, Cycle to) {
  constexpr Cycle kEpoch = 32;
  if (c < kEpoch) return false;
  const Cycle sample = kEpoch * (c / kEpoch - 1) - 2;
  return from <= sample && sample < to;
}

TEST(DownPorts, ASwitchDropsWhatGoesToAPortThatAllInputsSeeAsDown) {
  for (Cycle offset = 0; offset < 32; ++offset) {
    SwitchWithALink one(0);
    while (one.now < 64 + offset) one.Step();
    const Cycle from = one.now, to = from + 100;
    one.LinkUp(false);
    while (one.now < to) one.Step();
    one.LinkUp(true);
    while (one.now < to + 120) one.Step();
    std::vector<Cycle> expected;
    for (Cycle a = 20; a < one.now - 18; ++a) {
      if (SeenDown(a + 16, from, to)) expected.push_back(a);
    }
    // Packets that are taken back pass the pipeline a second time, and end there.
    std::vector<Cycle> first;
    for (const Cycle a : one.dropped) {
      if (SeenDown(a + 16, from, to)) first.push_back(a);
    }
    EXPECT_EQ(first, expected) << "offset " << offset;
    EXPECT_GT(one.dropped.size(), first.size()) << "no packet was taken back";
    EXPECT_EQ(std::set<Cycle>(one.dropped.begin(), one.dropped.end()).size(), one.dropped.size());
  }
}

TEST(DownPorts, InTheModeBlockAPortIsNeverDown) {
  SwitchWithALink one(1);
  one.LinkUp(false);
  while (one.now < 300) one.Step();
  EXPECT_TRUE(one.dropped.empty());
  EXPECT_EQ(one.device().load(SwitchWithALink::kOutput), 5 * kTile8.request_credits * CellsOf(64));
  for (int p = 0; p < 5; ++p) EXPECT_EQ(one.device().ReadCounter(p, static_cast<int>(Counter::kRerouted)), 0u);
}

}  // namespace
}  // namespace tilefly::golden
