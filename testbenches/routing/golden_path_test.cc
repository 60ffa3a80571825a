// SPDX-License-Identifier: Apache-2.0
// Where a packet decides, when its via is reached, and what it follows in between (docs/blocks/routing.md, Which
// packets).
#include <gtest/gtest.h>

#include "testbenches/routing/chooser_rig.h"

namespace tilefly::golden {
namespace {

struct Rule {
  const char* what;
  RouteMode mode;
  int hop;
  std::uint32_t source;
  std::uint32_t destination;
  bool decides;
};

constexpr std::uint32_t kOtherOwnSource = FabricAddress(kOwnGroup, 30, 63);

constexpr Rule kRules[] = {
    {"at injection", RouteMode::kAdaptive0, 0, kOwnSource, kFar, true},
    {"at injection, hashed", RouteMode::kNminHash, 0, kOwnSource, kFar, true},
    {"at injection, in order", RouteMode::kInOrder, 0, kOwnSource, kNear, true},
    {"at injection, whatever the source says", RouteMode::kAdaptive3, 0, kFarSource, kFar, true},
    {"second switch, still in its group", RouteMode::kAdaptive1, 1, kOtherOwnSource, kFar, true},
    {"second switch, other mode", RouteMode::kAdaptive0, 1, kOtherOwnSource, kFar, false},
    {"second switch, mode 7", static_cast<RouteMode>(7), 1, kOtherOwnSource, kFar, false},
    {"second switch, hashed", RouteMode::kNminHash, 1, kOtherOwnSource, kFar, false},
    {"second switch, of another group", RouteMode::kAdaptive1, 1, kFarSource, kFar, false},
    {"second switch, to the own group", RouteMode::kAdaptive1, 1, kOtherOwnSource, kNear, false},
    {"third switch", RouteMode::kAdaptive1, 2, kOtherOwnSource, kFar, false},
};

TEST(Paths, APacketDecidesAtInjectionAndInAdaptive1OnceMore) {
  for (const Rule& rule : kRules) {
    ChooserRig rig;
    rig.AllGroups(Bit(1));
    rig.AllNeighbours(Bit(2));
    Header header = HeaderTo(rule.destination, rule.mode, rule.source);
    header.hop = static_cast<std::uint8_t>(rule.hop);
    EXPECT_EQ(rig.Choose(&header).decided, rule.decides) << rule.what;
  }
}

struct Arrival {
  const char* what;
  std::uint32_t source;
  SwitchAddress via;
  bool reached;
};

constexpr Arrival kArrivals[] = {
    {"group of the via, another switch", kFarSource, {kOwnGroup, 0}, true},
    {"the very switch", kFarSource, {kOwnGroup, kOwnSwitch}, true},
    {"another group", kFarSource, {kOwnGroup + 1, kOwnSwitch}, false},
    {"the source's own group, another switch", kOwnSource, {kOwnGroup, kNearSwitch}, false},
    {"the source's own group, its switch", kOwnSource, {kOwnGroup, kOwnSwitch}, true},
    {"another group, on the way out", kOwnSource, {kOwnGroup + 5, 0}, false},
};

TEST(Paths, AGroupIsEnoughForAViaUnlessItIsTheSourcesOwn) {
  for (const Arrival& arrival : kArrivals) {
    ChooserRig rig;
    rig.AllGroups(Bit(1));
    rig.AllNeighbours(Bit(2));
    rig.Group(kFarGroup, Bit(3));
    Header header = HeaderTo(kFar, RouteMode::kAdaptive0, arrival.source);
    header.hop = 2;
    header.via = static_cast<std::uint16_t>(arrival.via.ToBits());
    header.via_valid = true;
    const RouteChoice choice = rig.Choose(&header);
    EXPECT_EQ(header.via_valid, !arrival.reached) << arrival.what;
    EXPECT_EQ(choice.output, arrival.reached ? 3 : arrival.via.group == kOwnGroup ? 2 : 1) << arrival.what;
    EXPECT_EQ(header.via, arrival.via.ToBits()) << arrival.what;
    EXPECT_FALSE(choice.decided || choice.nonminimal) << arrival.what;
  }
}

TEST(Paths, AViaThatIsNotValidLeadsNowhere) {
  ChooserRig rig;
  rig.AllGroups(Bit(1));
  rig.Group(kFarGroup, Bit(3));
  Header header = HeaderTo(kFar, RouteMode::kAdaptive0, kFarSource);
  header.hop = 2;
  header.via = static_cast<std::uint16_t>(SwitchAddress{100, 1}.ToBits());
  EXPECT_EQ(rig.Choose(&header).output, 3);
  EXPECT_FALSE(header.via_valid);
}

TEST(Paths, TheWayToAViaHasNoRouteThoughTheDestinationHas) {
  ChooserRig rig;
  rig.Group(kFarGroup, Bit(3));
  Header header = HeaderTo(kFar, RouteMode::kMinHash, kFarSource);
  header.hop = 2;
  header.via = static_cast<std::uint16_t>(SwitchAddress{100, 1}.ToBits());
  header.via_valid = true;
  EXPECT_EQ(rig.Choose(&header).drop, Drop::kNoRoute);
}

TEST(Paths, OnTheWayToAViaTheLoadsOfItsPortsDecide) {
  for (const RouteMode mode : {RouteMode::kAdaptive0, RouteMode::kAdaptive3}) {
    ChooserRig rig;
    rig.Group(kFarGroup, Bit(3));
    rig.Group(100, 0x30);
    rig.SetSize(512, 32);
    Header header = HeaderTo(kFar, mode, kFarSource);
    header.hop = 2;
    header.via = static_cast<std::uint16_t>(SwitchAddress{100, 1}.ToBits());
    header.via_valid = true;
    for (const int busy : {4, 5}) {
      rig.Load(4, busy == 4 ? 9 : 0);
      rig.Load(5, busy == 5 ? 9 : 0);
      int other = 0;
      for (std::uint32_t k = 0; k < 100; ++k) other += rig.OutputOf(header, k) != busy;
      EXPECT_NEAR(other, 75, 15) << "one of two draws is enough";
      EXPECT_GT(100 - other, 10) << "both may draw the busy one";
    }
  }
}

TEST(Paths, TheSecondDecisionOfAdaptive1TurnsAwayAndTurnsBack) {
  ChooserRig rig;
  rig.AllGroups(0xf0);
  rig.Group(kFarGroup, 0x0f);
  rig.SetSize(512, 32);
  Header header = HeaderTo(kFar, RouteMode::kAdaptive1);
  header.hop = 1;
  header.via = static_cast<std::uint16_t>(SwitchAddress{100, 0}.ToBits());
  header.via_valid = true;  // by the first switch
  rig.SetBias(1, 4095);
  Header back = header;
  const RouteChoice turned_back = rig.Choose(&back);
  EXPECT_TRUE(turned_back.decided && !turned_back.nonminimal);
  EXPECT_FALSE(back.via_valid);
  EXPECT_LT(turned_back.output, 4);

  rig.SetBias(1, 0);
  for (int port = 0; port < 4; ++port) rig.Load(port, 5);
  Header away = HeaderTo(kFar, RouteMode::kAdaptive1);
  away.hop = 1;
  const RouteChoice turned_away = rig.Choose(&away);
  EXPECT_TRUE(turned_away.decided && turned_away.nonminimal && away.via_valid);
  EXPECT_GE(turned_away.output, 4);
}

/// The masks of equal switches are held once; what one writes is its own.
TEST(RouteTables, AreSharedUntilOneIsWritten) {
  RouteTables first, second;
  const SwitchAddress far{7, 0}, near{0, 4};
  first.Write(CfgSpace::kRouteGroup, far.group, 0b11);
  second.Share(first);
  EXPECT_EQ(second.Towards(far), 0b11u);
  second.Write(CfgSpace::kRouteSwitch, near.number, 0b100);
  EXPECT_EQ(first.Towards(near), 0u);
  EXPECT_EQ(second.Towards(near), 0b100u);
  first.Write(CfgSpace::kRouteGroup, far.group, 0b1000);
  EXPECT_EQ(second.Towards(far), 0b11u);
}

TEST(RouteTables, WritesBeyondThemChangeNothing) {
  RouteTables tables;
  tables.Write(CfgSpace::kRouteGroup, RouteTables::kGroups, ~std::uint64_t{0});
  tables.Write(CfgSpace::kRouteSwitch, RouteTables::kSwitches, ~std::uint64_t{0});
  for (const int index :
       {5, 256 + static_cast<int>(SwitchReg::kLength), 1024 + static_cast<int>(SwitchReg::kSize), 2047}) {
    tables.Write(CfgSpace::kSwitch, index, ~std::uint64_t{0});
  }
  for (int group = 0; group < RouteTables::kGroups; ++group) EXPECT_EQ(tables.Towards({group, 0}), 0u);
  for (int number = 0; number < RouteTables::kSwitches; ++number) EXPECT_EQ(tables.Towards({0, number}), 0u);
  EXPECT_EQ(tables.Links(true, true, 3), 1);
  EXPECT_EQ(tables.Targets(true), 0);
}

}  // namespace
}  // namespace tilefly::golden
