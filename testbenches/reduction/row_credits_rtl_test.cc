// SPDX-License-Identifier: Apache-2.0
// As many CREDITs as can be on their way from their request into the output buffer (docs/blocks/reduction.md, Row R),
// RTL and golden in step: a port is a child in one slot and the parent in the other, and its output goes on after a
// long stop, when a CREDIT was asked for, both slots have one due, and both are about to be launched again.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "Vrtl_red_cfu_tile8.h"
#include "Vrtl_red_tile_tile8.h"
#include "golden/common/register_write.h"
#include "testbenches/reduction/ring_harness.h"

namespace tilefly::bench {
namespace {

constexpr int kPort = 0;  // child in slot 0, parent in slot 1
constexpr int kTag = 1;
constexpr int kSegments = 3;
constexpr Cycle kLocks = 200;    // the children's packets
constexpr Cycle kAnswers = 600;  // the parents'
constexpr Cycle kOthers = 1000;  // what goes up in slot 1
constexpr Cycle kSends = 2000;   // the port's own
constexpr Cycle kLastCycle = 3000;
constexpr Cycle kStopsBefore = 10;  // the output goes on so many cycles before the third launches

/// The port is child 0 of group 0, whose parent is port 1, and the parent of group 1, whose child is port 2.
RingTree TreeOf(int group) {
  RingTree tree;
  tree.group = group;
  tree.children = golden::Bit(group == 0 ? kPort : 2);
  tree.parent = group == 0 ? 1 : kPort;
  return tree;
}

/// Packets without data, each at its time.
class Peers final : public RingPeers {
 public:
  Peers() {
    for (int group = 0; group < 2; ++group) {
      const RingTree tree = TreeOf(group);
      Send(kLocks + 50 * group, golden::LowestBit(tree.children), Lock(RedWhat::kShort, group));
      Send(kAnswers + 50 * group, tree.parent, Lock(RedWhat::kShortResult, group));
    }
    for (int i = 0; i < kSegments; ++i) Send(kOthers, 2, Part(RedWhat::kSegment, 1, i));
    for (int i = 0; i < kSegments; ++i) {
      Send(kSends, kPort, Part(RedWhat::kSegment, 0, i));
      Send(kSends, kPort, Part(RedWhat::kResult, 1, i));
    }
  }
  std::optional<RedArrival> NextPacket(Cycle now, int port) override {
    std::deque<Item>& items = items_[port];
    if (items.empty() || items.front().first > now) return std::nullopt;
    RedArrival packet;
    packet.frame.resize(static_cast<std::size_t>(golden::RedFrame::LengthOf(kTile8, 0)));
    packet.header.kind = static_cast<std::uint8_t>(Kind::kRed);
    packet.header.an = true;
    packet.header.len = static_cast<std::uint16_t>(packet.frame.size());
    items.front().red.PackBytes(packet.frame.data());
    items.pop_front();
    return packet;
  }
  void Received(Cycle, const golden::GoldenRing::Outputs::Leaving& packet) override {
    const Red red = Red::UnpackBytes(packet.frame.data());
    if (packet.port == kPort && red.what == static_cast<std::uint8_t>(RedWhat::kCredit)) {
      credits[red.group].push_back(red.credit);
    }
  }

  std::map<int, std::vector<int>> credits;  ///< that the port sent, by group

 private:
  struct Item {
    Cycle first;
    Red red;
  };
  static Red Lock(RedWhat what, int group) {
    Red red;
    red.what = static_cast<std::uint8_t>(what);
    red.group = static_cast<std::uint8_t>(group);
    red.action = static_cast<std::uint8_t>(RedAction::kLock);
    red.empty = true;
    if (what == RedWhat::kShort) red.contributions = 1;
    if (what == RedWhat::kShortResult) red.tag = kTag;
    return red;
  }
  static Red Part(RedWhat what, int group, int number) {
    Red red;
    red.what = static_cast<std::uint8_t>(what);
    red.group = static_cast<std::uint8_t>(group);
    red.op = static_cast<std::uint8_t>(RedOp::kSum);
    red.dtype = static_cast<std::uint8_t>(RedType::kInt32);
    red.empty = true;
    red.wants = what == RedWhat::kSegment;
    red.seq = static_cast<std::uint16_t>(number);
    red.tag = kTag;
    return red;
  }
  void Send(Cycle first, int port, const Red& red) { items_[port].push_back({first, red}); }

  std::map<int, std::deque<Item>> items_;  ///< by port, in the order of their times
};

std::deque<Cfg> Writes() {
  std::deque<Cfg> writes;
  for (int p = 0; p < kTile8.ports; ++p) {
    writes.push_back(golden::WriteRegister(p, CfgSpace::kPort, static_cast<int>(PortReg::kMode), 1));
  }
  for (int group = 0; group < 2; ++group) {
    for (const Cfg& write : TreeOf(group).Writes(kTile8.ports)) writes.push_back(write);
  }
  return writes;
}

TEST(RowCredits, FiveOfAPortAreOnTheirWayIntoTheOutputBuffer) {
  Comparison run({1, 0, kLastCycle});
  Peers peers;
  RingHarness<Vrtl_red_tile_tile8, Vrtl_red_cfu_tile8> harness(&run, kTile8, &peers, nullptr);
  std::deque<Cfg> writes = Writes();
  std::optional<Cycle> first_launch;  // of the port's own segments
  int most = 0;
  while (run.Next()) {
    const Cycle now = run.cycle();
    RingHarness<Vrtl_red_tile_tile8, Vrtl_red_cfu_tile8>::Stimuli stimuli;
    stimuli.eager = true;
    if (!writes.empty()) {
      stimuli.cfg = writes.front();
      writes.pop_front();
    }
    const Cycle goes_on = first_launch ? *first_launch + 2 * kTile8.red_stream - kStopsBefore : kLastCycle;
    if (now >= kSends && now < goes_on) stimuli.stopped = golden::Bit(kPort);
    harness.Step(stimuli);
    const CfuObs launch = harness.observed_cfu();  // of this cycle
    if (launch.launch_valid && launch.launch_number == static_cast<std::uint8_t>(RedCandidate::kUp0) && !first_launch) {
      first_launch = now;
    }
    most = std::max(most, harness.CreditsKept(now, kPort));
  }
  EXPECT_EQ(most, 5);
  // The first launch in slot 1 has no CREDIT of its own: when it goes the second one counts too.
  EXPECT_EQ(peers.credits[0], (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(peers.credits[1], (std::vector<int>{2, 3}));
}

}  // namespace
}  // namespace tilefly::bench
