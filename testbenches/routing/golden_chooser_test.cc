// SPDX-License-Identifier: Apache-2.0
// What each mode chooses (docs/blocks/routing.md, Choice), in cases in which it alone chooses that.
#include <gtest/gtest.h>

#include <set>

#include "golden/routing/draws.h"
#include "testbenches/routing/chooser_rig.h"

namespace tilefly::golden {
namespace {

constexpr PortMask kMinimal = 0x0f, kDetour = 0xf0;
constexpr RouteMode kModes[] = {RouteMode::kAdaptive0, RouteMode::kAdaptive1, RouteMode::kAdaptive2,
                                RouteMode::kAdaptive3, RouteMode::kMinHash,   RouteMode::kNminHash,
                                RouteMode::kInOrder};

/// Four ports towards kFar, four others towards every other group; a seed and a flow for which all candidates of all
/// modes go by different ports.
struct Crossroads : ChooserRig {
  Crossroads() {
    AllGroups(kDetour);
    Group(kFarGroup, kMinimal);
    SetSize(RouteTables::kGroups, 0);
    for (std::uint32_t seed = 0; !Distinct(); ++seed) {
      Set(SwitchReg::kSeed, seed);
      header.flow = static_cast<std::uint16_t>(seed & 1023);
    }
  }
  /// Takes the candidates from the draws.
  bool Distinct() {
    const Draws draws = DrawsOf();
    const std::uint32_t flow_hash = FlowHash(header.flow, header.src, header.dst);
    const std::uint32_t hash = HashIn(kOwn.group, kOwn.number, flow_hash);
    for (int i = 0; i < 2; ++i) {
      minimal[i] = ChoosePort(draws.minimal_port(i), kMinimal);
      detour[i] = ChoosePort(draws.nonminimal_port(i), kDetour);
      via[i] = {ChooseNumber(draws.target(i), RouteTables::kGroups), 0};
    }
    by_hash = ChoosePort(hash, kMinimal);
    detour_by_hash = ChoosePort(hash, kDetour);
    via_by_hash = {ChooseNumber(flow_hash >> 16, RouteTables::kGroups), 0};
    in_order = ChoosePort(HashIn(kOwn.group, kOwn.number, FlowHash(0, header.src, header.dst)), kMinimal);
    PortMask ports = 0;
    for (const int port : {minimal[0], minimal[1], detour[0], detour[1], by_hash, detour_by_hash, in_order})
      ports |= Bit(port);
    bool targets = via[0] != via[1];
    for (const SwitchAddress target : {via[0], via[1], via_by_hash})
      targets &= target.group != kOwnGroup && target.group != kFarGroup;
    return targets && __builtin_popcountll(ports) == 7;
  }
  /// Loads of the four candidates.
  void LoadAll(int minimal0, int minimal1, int detour0, int detour1) {
    Load(minimal[0], minimal0);
    Load(minimal[1], minimal1);
    Load(detour[0], detour0);
    Load(detour[1], detour1);
  }
  int OutputOf(RouteMode mode) {
    Header with = header;
    with.mode = static_cast<std::uint8_t>(mode);
    return ChooserRig::OutputOf(with);
  }
  /// `mode` goes by `port`, and no other mode does.
  void ExpectAlone(RouteMode mode, int port) {
    for (const RouteMode other : kModes)
      EXPECT_EQ(OutputOf(other) == port, other == mode) << ToString(mode) << " and " << ToString(other);
  }

  Header header = HeaderTo(kFar, RouteMode::kAdaptive0);
  int minimal[2]{}, detour[2]{}, by_hash = 0, detour_by_hash = 0, in_order = 0;
  SwitchAddress via[2]{}, via_by_hash{};
};

TEST(Modes, TheBiasOfAnAdaptiveModeKeepsItAloneOnTheMinimalPath) {
  for (const int m : {0, 2, 3}) {
    Crossroads roads;
    roads.LoadAll(900, 800, 300, 400);
    roads.SetBias(m, 501);
    roads.ExpectAlone(kModes[m], roads.minimal[1]);
    roads.SetBias(m, 499);
    EXPECT_EQ(roads.OutputOf(kModes[m]), roads.detour[0]);
  }
}

TEST(Modes, Adaptive1AloneHasNoBiasAtTheFirstSwitch) {
  Crossroads roads;
  roads.LoadAll(500, 600, 400, 300);
  for (int m = 0; m < 4; ++m) roads.SetBias(m, 4095);
  roads.ExpectAlone(RouteMode::kAdaptive1, roads.detour[1]);
  EXPECT_EQ(roads.OutputOf(RouteMode::kAdaptive0), roads.minimal[0]);
}

TEST(Modes, Adaptive1AloneDecidesAgainAtTheSecondSwitchAndIsBiasedThere) {
  Crossroads roads;
  roads.header.hop = 1;
  roads.LoadAll(800, 900, 400, 300);
  roads.SetBias(1, 499);
  roads.ExpectAlone(RouteMode::kAdaptive1, roads.detour[1]);
  roads.SetBias(1, 501);
  for (const RouteMode mode :
       {RouteMode::kAdaptive0, RouteMode::kAdaptive1, RouteMode::kAdaptive2, RouteMode::kAdaptive3}) {
    EXPECT_EQ(roads.OutputOf(mode), roads.minimal[0]) << ToString(mode);
  }
}

TEST(Modes, TheHashesAndTheFlowChooseForTheOthersWhateverTheLoads) {
  Crossroads roads;
  for (int port = 0; port < kTile8.ports; ++port) roads.Load(port, port % 4 == 0 ? 0 : 4095);
  roads.ExpectAlone(RouteMode::kMinHash, roads.by_hash);
  roads.ExpectAlone(RouteMode::kNminHash, roads.detour_by_hash);
  roads.ExpectAlone(RouteMode::kInOrder, roads.in_order);
}

TEST(Modes, InOrderHasOnePathForAllFlowsOfAPairAndMinHashHasAll) {
  Crossroads roads;
  PortMask in_order = 0, hashed = 0;
  for (std::uint16_t flow = 0; flow < 64; ++flow) {
    roads.header.flow = flow;
    in_order |= Bit(roads.OutputOf(RouteMode::kInOrder));
    hashed |= Bit(roads.OutputOf(RouteMode::kMinHash));
  }
  EXPECT_EQ(in_order, Bit(roads.in_order));
  EXPECT_EQ(hashed, kMinimal);
}

TEST(Modes, Mode7WorksAsAdaptive0) {
  Crossroads roads;
  roads.LoadAll(500, 600, 300, 400);
  for (const int bias : {199, 201}) {
    roads.SetBias(0, static_cast<std::uint64_t>(bias));
    EXPECT_EQ(roads.OutputOf(static_cast<RouteMode>(7)), roads.OutputOf(RouteMode::kAdaptive0));
    EXPECT_EQ(roads.OutputOf(RouteMode::kAdaptive0), bias < 200 ? roads.detour[0] : roads.minimal[0]);
  }
}

TEST(Modes, ADetourIsWrittenIntoTheHeaderAndTheMinimalPathTakesItOut) {
  Crossroads roads;
  roads.header.via = 0x1234;
  roads.header.via_valid = true;
  roads.LoadAll(500, 600, 400, 300);
  Header header = roads.header;
  RouteChoice choice = roads.Choose(&header);
  EXPECT_TRUE(choice.decided && choice.nonminimal);
  EXPECT_EQ(header.via, roads.via[1].ToBits());
  EXPECT_TRUE(header.via_valid);

  roads.LoadAll(300, 300, 300, 300);
  header = roads.header;
  choice = roads.Choose(&header);
  EXPECT_TRUE(choice.decided && !choice.nonminimal);
  EXPECT_EQ(header.via, 0x1234);
  EXPECT_FALSE(header.via_valid);

  header = roads.header;
  header.mode = static_cast<std::uint8_t>(RouteMode::kNminHash);
  EXPECT_TRUE(roads.Choose(&header).nonminimal);
  EXPECT_EQ(header.via, roads.via_by_hash.ToBits());
}

TEST(Costs, TiesGoToTheFirstCandidate) {
  Crossroads roads;
  const auto chosen = [&] { return roads.OutputOf(RouteMode::kAdaptive0); };
  roads.LoadAll(7, 7, 7, 7);
  EXPECT_EQ(chosen(), roads.minimal[0]);
  roads.LoadAll(8, 7, 7, 7);
  EXPECT_EQ(chosen(), roads.minimal[1]);
  roads.LoadAll(8, 8, 7, 7);
  EXPECT_EQ(chosen(), roads.detour[0]);
  roads.LoadAll(8, 8, 8, 7);
  EXPECT_EQ(chosen(), roads.detour[1]);
}

TEST(Costs, NothingSaturates) {
  Crossroads roads;
  roads.Set(SwitchReg::kLength, ~std::uint64_t{0});
  roads.SetBias(0, 4095);
  roads.LoadAll(4095, 4095, 4095 - 272, 4095 - 274);  // 273 * 15 = 4095
  EXPECT_EQ(roads.OutputOf(RouteMode::kAdaptive0), roads.detour[1]);
  roads.LoadAll(4095, 4095, 4095 - 272, 4095 - 273);
  EXPECT_EQ(roads.OutputOf(RouteMode::kAdaptive0), roads.minimal[0]);
}

/// Candidates of each kind, destination and class of port, with a nibble of LENGTH of their own.
TEST(Costs, EveryNibbleOfLengthIsThatOfItsCase) {
  for (int nibble = 0; nibble < 16; ++nibble) {
    const bool nonminimal = (nibble & 8) != 0, local = (nibble & 4) != 0;
    const int pclass = nibble & 3;
    ChooserRig rig;
    rig.AllGroups(0x30);
    rig.AllNeighbours(0x30);
    rig.Group(kFarGroup, 0x03);
    rig.Neighbour(kNearSwitch, 0x03);
    rig.SetSize(500, 32);
    PortMode mode;
    mode.enable = true;
    mode.pclass = static_cast<std::uint8_t>(pclass);
    for (int port = 0; port < kTile8.ports; ++port) {
      const bool here = ((nonminimal ? 0x30 : 0x03) >> port & 1) != 0;
      rig.Load(port, 100);
      PortMode other = mode;
      other.pclass = static_cast<std::uint8_t>(pclass ^ 1);
      rig.Set(PortReg::kMode, (here ? mode : other).ToBits(), port);
    }
    const Header header = HeaderTo(local ? kNear : kFar, RouteMode::kAdaptive0);
    const auto nonminimal_taken = [&](std::uint64_t of_nibble) {
      const std::uint64_t twos = 0x2222'2222'2222'2222;  // all the others
      const std::uint64_t word = (twos & ~(std::uint64_t{15} << 4 * nibble)) | of_nibble << 4 * nibble;
      rig.Set(SwitchReg::kLength, word);
      Header copy = header;
      return rig.Choose(&copy).nonminimal;
    };
    EXPECT_EQ(nonminimal_taken(1), nonminimal) << nibble;
    EXPECT_EQ(nonminimal_taken(3), !nonminimal) << nibble;
  }
}

TEST(Candidates, ComeFromTheDrawsOfThePortsOwnCount) {
  Crossroads roads;
  for (std::uint32_t k = 0; k < 40; ++k) {
    const Draws draws = roads.DrawsOf(k);
    roads.LoadAll(0, 0, 0, 0);
    EXPECT_EQ(roads.ChooserRig::OutputOf(roads.header, k), ChoosePort(draws.minimal_port(0), kMinimal)) << k;
  }
  // Another port counts for itself.
  RouteChecker* unwatched = nullptr;
  Chooser chooser(roads.registers, roads.loads, unwatched);
  for (std::uint32_t k = 0; k < 40; ++k) {
    for (const int port : {1, 6}) {
      HeaderBits header(roads.header);
      const Draws draws(roads.registers.routes().scrambled_seed(), roads.registers.AddressOf(port), k);
      EXPECT_EQ(chooser.Choose(ChooserRig::kNow, port, &header).output, ChoosePort(draws.minimal_port(0), kMinimal));
    }
  }
}

TEST(Candidates, AreCountedForPacketsThatNeedNoneAndForThoseWithoutARoute) {
  Crossroads roads;
  roads.Group(8, 0);
  roads.Group(9, Bit(2));
  RouteChecker* unwatched = nullptr;
  Chooser chooser(roads.registers, roads.loads, unwatched);
  const Header before[] = {HeaderTo(FabricAddress(8, 0, 0), RouteMode::kAdaptive0),
                           HeaderTo(FabricAddress(9, 0, 0), RouteMode::kInOrder), HeaderTo(kFar, RouteMode::kMinHash),
                           HeaderTo(FabricAddress(9, 0, 0), RouteMode::kAdaptive2)};
  std::uint32_t k = 0;
  for (const Header& header : before) {
    HeaderBits bits(header);
    EXPECT_EQ(chooser.Choose(ChooserRig::kNow, ChooserRig::kPort, &bits).drop, k == 0 ? Drop::kNoRoute : Drop::kNone);
    ++k;
  }
  HeaderBits bits(roads.header);
  EXPECT_EQ(chooser.Choose(ChooserRig::kNow, ChooserRig::kPort, &bits).output,
            ChoosePort(roads.DrawsOf(k).minimal_port(0), kMinimal));
}

/// How often a detour is taken in 400 packets when it costs nothing and the minimal path much; and its targets.
struct Detours {
  Detours(ChooserRig* rig, const Header& header) {
    for (int port = 0; port < 4; ++port) rig->Load(port, 4000);
    for (std::uint32_t k = 0; k < 400; ++k) {
      Header copy = header;
      const RouteChoice choice = rig->Choose(&copy, k);
      if (!choice.nonminimal) continue;
      ++taken;
      groups.insert(choice.via.group);
      numbers.insert(choice.via.number);
      outputs |= Bit(choice.output);
    }
  }
  int taken = 0;
  std::set<int> groups, numbers;
  PortMask outputs = 0;
};

TEST(Candidates, NonMinimalTargetsAreGroupsBelowSizeButOwnAndDestination) {
  ChooserRig rig;
  rig.AllGroups(kDetour);
  rig.Group(kFarGroup, kMinimal);
  const Header header = HeaderTo(kFar, RouteMode::kAdaptive0);
  EXPECT_EQ(Detours(&rig, header).taken, 0) << "SIZE 0";
  rig.SetSize(1, 32);
  EXPECT_EQ(Detours(&rig, header).groups, std::set<int>({0}));
  rig.SetSize(10, 32);
  const Detours ten(&rig, header);
  EXPECT_EQ(ten.groups, std::set<int>({0, 1, 2, 4, 5, 6, 8, 9}));
  EXPECT_EQ(ten.numbers, std::set<int>({0}));
  EXPECT_EQ(ten.outputs, kDetour);
  rig.Group(5, 0);
  rig.Group(6, Bit(20));  // no such port
  EXPECT_EQ(Detours(&rig, header).groups, std::set<int>({0, 1, 2, 4, 8, 9}));
  rig.SetSize(1023, 0);
  EXPECT_LT(Detours(&rig, header).taken, 360) << "half of the targets name no group";
}

TEST(Candidates, NonMinimalTargetsInTheOwnGroupAreItsSwitches) {
  ChooserRig rig;
  rig.AllNeighbours(kDetour);
  rig.AllGroups(Bit(0));
  rig.Neighbour(kNearSwitch, kMinimal);
  const Header header = HeaderTo(kNear, RouteMode::kAdaptive0);
  rig.SetSize(512, 0);
  EXPECT_EQ(Detours(&rig, header).taken, 0);
  rig.SetSize(512, 12);
  const Detours twelve(&rig, header);
  EXPECT_EQ(twelve.groups, std::set<int>({kOwnGroup}));
  EXPECT_EQ(twelve.numbers, std::set<int>({0, 1, 2, 3, 5, 6, 7, 8, 10, 11}));
  rig.SetSize(512, 63);
  EXPECT_EQ(*Detours(&rig, header).numbers.rbegin(), 31);
}

TEST(Candidates, ADisabledPortIsNone) {
  ChooserRig rig;
  rig.Group(kFarGroup, 0b110);
  Header header = HeaderTo(kFar, RouteMode::kAdaptive0);
  rig.Set(PortReg::kMode, 0, 1);
  for (std::uint32_t k = 0; k < 20; ++k) EXPECT_EQ(rig.OutputOf(header, k), 2);
  rig.Set(PortReg::kMode, 0, 2);
  EXPECT_EQ(rig.Choose(&header).drop, Drop::kNoRoute);
}

TEST(Candidates, ADetourDoesNotHelpWhenThereIsNoMinimalPath) {
  ChooserRig rig;
  rig.AllGroups(kDetour);
  rig.Group(kFarGroup, 0);
  rig.SetSize(512, 32);
  for (const RouteMode mode : kModes) {
    Header header = HeaderTo(kFar, mode);
    EXPECT_EQ(rig.Choose(&header).drop, Drop::kNoRoute) << ToString(mode);
  }
}

}  // namespace
}  // namespace tilefly::golden
