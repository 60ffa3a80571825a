// SPDX-License-Identifier: Apache-2.0
// Routing inside one golden input port: what leaves in the header, and when decisions are counted.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "golden/common/register_write.h"
#include "golden/link/check.h"
#include "golden/link/framer.h"
#include "golden/ports/input_port.h"
#include "golden/routing/draws.h"

namespace tilefly::golden {
namespace {

constexpr int kPort = 3;
constexpr Cycle kA0 = 60;
constexpr std::uint32_t kOwn = FabricAddress(3, 9, 0), kFar = FabricAddress(7, 2, 1);

Cfg Write(CfgSpace space, int index, std::uint64_t data) { return WriteRegister(kAllPorts, space, index, data); }

/// A port of switch kOwn that is sent one packet in cycle kA0, and grants it.
struct Rig {
  Rig() {
    PortMode mode;
    mode.enable = mode.cut_through = mode.credits = true;
    mode.std_format = false;
    mode.pclass = 1;
    writes = {Write(CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), SwitchAddress::OfPort(kOwn).ToBits()),
              Write(CfgSpace::kRouteGroup, 7, Bit(6)), Write(CfgSpace::kRouteGroup, 8, Bit(2)),
              Write(CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits())};
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = 100;
    header.src = FabricAddress(20, 1, 1);
    header.dst = kFar;
  }
  /// Sends it, and runs until it has left.
  void Run() {
    InputPort port(kTile8, kPort);
    std::vector<std::uint8_t> packet(static_cast<std::size_t>(16 + header.len));
    header.PackBytes(packet.data());
    for (Cycle now = 0; now < 200; ++now) {
      InputPort::Inputs inputs;
      if (now < static_cast<Cycle>(writes.size())) inputs.cfg = writes[static_cast<std::size_t>(now)];
      if (now >= kA0 && now < kA0 + 4) {
        inputs.word = WordOf(packet.data(), static_cast<int>(packet.size()), static_cast<int>(now - kA0));
        inputs.word.enh = true;
      }
      if (requested && now == kA0 + 41) inputs.grant = inputs.request_credit = {*requested, 0};
      const InputPort::Outputs& outputs = port.Step(now, inputs);
      if (outputs.request) requested = outputs.request->destination;
      if (outputs.cell && outputs.cell->cell.sop) left = Header::UnpackBytes(outputs.cell->cell.data.data());
      minimal.push_back(port.Counter(static_cast<int>(Counter::kRoutedMin)));
      nonminimal.push_back(port.Counter(static_cast<int>(Counter::kRoutedNonmin)));
      Audit audit;
      port.Check(now, &audit);
      ASSERT_EQ(audit.Message(), "");
    }
  }

  std::vector<Cfg> writes;
  Header header;
  std::optional<int> requested;
  std::optional<Header> left;
  std::vector<std::uint64_t> minimal, nonminimal;  ///< counters after each cycle
};

TEST(RoutedPacket, TakesTheWayAndItsPathIsThePortsThatItCameInBy) {
  for (int hop = 0; hop <= 7; ++hop) {
    Rig rig;
    rig.header.hop = static_cast<std::uint8_t>(hop);
    rig.header.path = 0x3fffffff;
    rig.header.mode = static_cast<std::uint8_t>(RouteMode::kMinHash);
    rig.Run();
    ASSERT_TRUE(rig.left);
    EXPECT_EQ(rig.requested, 6);
    Header expected = rig.header;
    expected.hop = static_cast<std::uint8_t>(hop + 1);
    if (hop >= 1 && hop <= 5)
      expected.path = (0x3fffffffu & ~(63u << 6 * (hop - 1))) | static_cast<unsigned>(kPort) << 6 * (hop - 1);
    EXPECT_EQ(*rig.left, expected) << "hop " << hop;
  }
}

TEST(RoutedPacket, LosesItsViaWhereItIsReachedAndNotInItsOwnSwitch) {
  for (const bool here : {false, true}) {
    Rig rig;
    rig.header.hop = 2;
    rig.header.via = kOwn >> 6;
    rig.header.via_valid = true;
    if (here) rig.header.dst = kOwn | 5;
    rig.Run();
    ASSERT_TRUE(rig.left);
    EXPECT_EQ(rig.requested, here ? 5 : 6);
    EXPECT_EQ(rig.left->via_valid, here) << "what is not routed keeps it";
    EXPECT_EQ(rig.left->via, kOwn >> 6);
  }
}

TEST(RoutedPacket, IsCountedWhereItDecidesAtTheEndOfThePipeline) {
  Rig rig;
  rig.Run();
  EXPECT_EQ(rig.minimal[kA0 + 17], 0u);
  EXPECT_EQ(rig.minimal[kA0 + 18], 1u);
  EXPECT_EQ(rig.minimal.back(), 1u);
  EXPECT_EQ(rig.nonminimal.back(), 0u);

  Rig away;  // towards group 8 only, by what the flow's hash draws of groups 0 to 15
  away.header.mode = static_cast<std::uint8_t>(RouteMode::kNminHash);
  away.writes.push_back(Write(CfgSpace::kSwitch, static_cast<int>(SwitchReg::kSize), 16));
  while (ChooseNumber(FlowHash(away.header.flow, away.header.src, away.header.dst) >> 16, 16) != 8) ++away.header.flow;
  away.Run();
  EXPECT_EQ(away.requested, 2);
  EXPECT_EQ(away.nonminimal[kA0 + 17], 0u);
  EXPECT_EQ(away.nonminimal[kA0 + 18], 1u);
  EXPECT_EQ(away.minimal.back(), 0u);
  ASSERT_TRUE(away.left);
  EXPECT_TRUE(away.left->via_valid);
  EXPECT_EQ(away.left->via, 8 << 5);
}

TEST(RoutedPacket, IsNotCountedWhereItDoesNotDecideNorWhenItIsDropped) {
  Rig later;
  later.header.hop = 3;
  later.Run();
  EXPECT_EQ(later.minimal.back(), 0u);

  Rig too_long;
  constexpr int kCells = 2;
  too_long.writes.push_back(Write(CfgSpace::kClass, static_cast<int>(ClassReg::kMtu), kCells));
  too_long.Run();
  EXPECT_FALSE(too_long.requested);
  EXPECT_EQ(too_long.minimal.back(), 0u);

  Rig full;  // a lossy class without any share
  full.writes.push_back(
      Write(CfgSpace::kClass, static_cast<int>(ClassReg::kShare), ClassShare::Of(0, 0, /*lossy=*/true).ToBits()));
  full.Run();
  EXPECT_FALSE(full.requested);
  EXPECT_EQ(full.minimal.back(), 0u);

  Rig accounted;  // with one
  accounted.writes.push_back(
      Write(CfgSpace::kClass, static_cast<int>(ClassReg::kShare), ClassShare::Of(100, 100, /*lossy=*/true).ToBits()));
  accounted.Run();
  EXPECT_EQ(accounted.minimal[kA0 + 17], 0u);
  EXPECT_EQ(accounted.minimal[kA0 + 18], 1u);
}

}  // namespace
}  // namespace tilefly::golden
