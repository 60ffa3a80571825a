// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/routing.md bite (ROUTE-1 to ROUTE-3).
#include <gtest/gtest.h>

#include "golden/routing/load_checker.h"
#include "testbenches/bench/bites.h"
#include "testbenches/routing/chooser_rig.h"

namespace tilefly::golden {
namespace {

using bench::BrokenIds;

/// What the checker says of a packet that went on with `leaves`.
std::string Broken(const ChooserRig& rig, const Header& came, const Header& leaves, const RouteChoice& choice) {
  RouteChecker checker;
  checker.Routed(rig.registers, ChooserRig::kPort, HeaderBits(came), HeaderBits(leaves), choice);
  Audit audit;
  checker.Check(&audit);
  EXPECT_EQ(audit.judged(), 2);
  return BrokenIds(audit);
}

TEST(RoutingInvariants, APortThatDoesNotLeadToTheTargetBreaksRoute1) {
  ChooserRig rig;
  rig.Group(kFarGroup, 0b0011);
  rig.Group(100, 0b1100);
  const SwitchAddress via{100, 0};
  Header came = HeaderTo(kFar, RouteMode::kAdaptive0);
  Header leaves = came;
  EXPECT_EQ(Broken(rig, came, leaves, {Drop::kNone, 1, true, false, {0, 0}}), "");
  EXPECT_EQ(Broken(rig, came, leaves, {Drop::kNone, 2, true, false, {0, 0}}), "ROUTE-1");
  leaves.via_valid = true;
  leaves.via = static_cast<std::uint16_t>(via.ToBits());
  EXPECT_EQ(Broken(rig, came, leaves, {Drop::kNone, 2, true, true, via}), "");
  EXPECT_EQ(Broken(rig, came, leaves, {Drop::kNone, 1, true, true, via}), "ROUTE-1");
  rig.Set(PortReg::kMode, 0, 2);
  EXPECT_EQ(Broken(rig, came, leaves, {Drop::kNone, 2, true, true, via}), "ROUTE-1") << "not enabled";
}

TEST(RoutingInvariants, AViaFromNowhereBreaksRoute2) {
  ChooserRig rig;
  rig.AllGroups(Bit(1));
  Header came = HeaderTo(kFar, RouteMode::kAdaptive0, kFarSource);
  came.hop = 2;
  Header leaves = came;
  EXPECT_EQ(Broken(rig, came, leaves, {Drop::kNone, 1, false, false, {0, 0}}), "");
  leaves.via_valid = true;
  EXPECT_EQ(Broken(rig, came, leaves, {Drop::kNone, 1, false, true, {0, 0}}), "ROUTE-2");
  came.via_valid = true;
  came.via = leaves.via = static_cast<std::uint16_t>(SwitchAddress{100, 0}.ToBits());
  EXPECT_EQ(Broken(rig, came, leaves, {Drop::kNone, 1, false, false, {0, 0}}), "");
}

TEST(RoutingInvariants, ALoadThatIsNotThatOfTheEpochBreaksRoute3) {
  const Cycle epoch = kTile8.load_epoch_cycles;
  LoadRing ring(kTile8.ports, epoch, kTile8.neighbour_epochs);
  LoadChecker checker(kTile8);
  Audit audit;
  for (Cycle now = 0; now < 5 * epoch; ++now) {
    checker.Watch(now, ring);
    ring.Add(now, 3, 1);
    checker.Check(now, ring, &audit);
    ASSERT_EQ(BrokenIds(audit), "") << now;
  }
  EXPECT_GT(audit.judged(), 3 * epoch * kTile8.ports);
  const Cycle now = 5 * epoch;
  checker.Watch(now, ring);
  ring.Tell(now, 3, ring.Shown(now, 3) + 1);
  checker.Check(now, ring, &audit);
  EXPECT_EQ(BrokenIds(audit), "ROUTE-3");
  EXPECT_EQ(audit.broken().front().port, 3);
}

}  // namespace
}  // namespace tilefly::golden
