// SPDX-License-Identifier: Apache-2.0
// What the check of stimuli takes for a write against the rule of registers (docs/blocks/reduction-trees.md,
// Registers).
#include "testbenches/reduction/register_rule.h"

#include <gtest/gtest.h>

#include "golden/common/register_write.h"
#include "testbenches/reduction/golden_ring.h"
#include "testbenches/reduction/ring_peers.h"

namespace tilefly::bench {
namespace {

Cfg WriteOfTree(int group) {
  return golden::WriteRegister(golden::kAllPorts, CfgSpace::kRed, golden::IndexOf(group, RedReg::kTree), 0);
}

TEST(RegisterRule, IsBrokenFromAPacketsFirstWordToItsReport) {
  const golden::GoldenRing ring(kTile8);
  const golden::Cfu& cfu = ring.reductions().cfu();
  RegisterRule rule;
  EXPECT_EQ(rule.Judge(100, WriteOfTree(3), cfu), "");
  rule.Begins(3);
  EXPECT_NE(rule.Judge(100, WriteOfTree(3), cfu), "");
  EXPECT_EQ(rule.Judge(100, WriteOfTree(4), cfu), "") << "another group";
  EXPECT_EQ(rule.Judge(100, golden::ReadRegister(0, CfgSpace::kRed, golden::IndexOf(3, RedReg::kStatus)), cfu), "");
  EXPECT_EQ(rule.Judge(100, golden::WriteRegister(0, CfgSpace::kPort, golden::IndexOf(3, RedReg::kTree), 1), cfu), "")
      << "a register of another space";
  rule.Begins(3);
  rule.Ends(110, 3);
  EXPECT_NE(rule.Judge(120, WriteOfTree(3), cfu), "") << "another packet comes";
  rule.Ends(120, 3);
  EXPECT_NE(rule.Judge(120, WriteOfTree(3), cfu), "");
  EXPECT_NE(rule.Judge(121, WriteOfTree(3), cfu), "") << "its report stands";
  EXPECT_EQ(rule.Judge(122, WriteOfTree(3), cfu), "");
  rule.Begins(golden::kRedGroups);
  EXPECT_EQ(rule.Judge(130, WriteOfTree(golden::kRedGroups), cfu), "") << "no such group";
}

/// A barrier of one child goes up, and down to it.
TEST(RegisterRule, IsBrokenUntilALaunchIsOver) {
  constexpr Cycle kEnds = 50, kLaunched = kEnds + 2;
  golden::GoldenRing ring(kTile8);
  RingTree tree;
  tree.group = 3;
  tree.children = 1;
  std::vector<Cfg> writes = tree.Writes(kTile8.ports);
  writes.push_back(golden::WriteRegister(0, CfgSpace::kPort, static_cast<int>(PortReg::kMode), 1));
  Red red;
  red.what = static_cast<std::uint8_t>(RedWhat::kShort);
  red.group = 3;
  red.empty = true;
  std::vector<std::uint8_t> frame(static_cast<std::size_t>(golden::RedFrame::LengthOf(kTile8, 0)));
  red.PackBytes(frame.data());
  const RegisterRule rule;
  const golden::Cfu& cfu = ring.reductions().cfu();
  for (Cycle now = 0; now <= kLaunched + kTile8.red_home; ++now) {
    const bool breaks = now >= kLaunched && now < kLaunched + kTile8.red_home;
    EXPECT_EQ(rule.Judge(now, WriteOfTree(3), cfu) != "", breaks) << "cycle " << now;
    golden::GoldenRing::Inputs inputs;
    if (now < static_cast<Cycle>(writes.size())) inputs.write = writes[static_cast<std::size_t>(now)];
    if (now == kEnds - 1) inputs.begins.push_back({0, &frame});
    if (now == kEnds) inputs.ends.push_back({0, true});
    EXPECT_EQ(ring.Step(now, inputs).observed.cfu.launch_valid, now == kLaunched) << "cycle " << now;
  }
}

}  // namespace
}  // namespace tilefly::bench
