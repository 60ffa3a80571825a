// SPDX-License-Identifier: Apache-2.0
// The cycles of a quiet ack, as on the acks page, in every cycle-exact device: made, passed on, crossing, leaving.
#include <gtest/gtest.h>

#include <memory>

#include "cosim/lockstep/lockstep.h"
#include "testbenches/lockstep/ack_script.h"

namespace tilefly::cosim {
namespace {

class QuietAck : public ::testing::TestWithParam<Case> {};

TEST_P(QuietAck, OfADeliveredPacketIsOnTheLinkFifteenCyclesAfterItsLastWordIsRead) {
  const auto device = MakeAckScript(GetParam());
  if (!device) GTEST_SKIP() << GetParam().device << " of " << GetParam().profile->name << " was not built";
  const auto& [name, profile, near, far] = GetParam();
  for (int port = 0; port < profile->ports; ++port) device->SetMode(port, port == far);
  constexpr int kLength = 100;  // 4 words, 3 cells
  for (const int hop : {0, 1, 3, 5}) {
    const std::size_t before = device->acks().size();
    const Frame packet = PacketFrom(near, far, hop, kLength);
    device->Send(near, packet);
    device->Run(200);
    const Cycle at = device->take(far) + 2 + 3 + 15;
    ASSERT_EQ(device->acks().size(), before + 1) << "hop " << hop;
    const Ctrl& ack = device->ack(near, at);
    EXPECT_EQ(ack.ack_cells, 3);
    EXPECT_EQ(ack.ack_flow, packet.header.flow);
    EXPECT_EQ(ack.ack_port, near);
    EXPECT_EQ(ack.ack_hops, hop == 0 ? 0 : hop - 1);
    const std::uint32_t places = hop == 0 ? 0 : 63u << 6 * (hop - 1);
    EXPECT_EQ(ack.ack_path,
              (packet.header.path & ~places) | (static_cast<std::uint32_t>(near) * 0x0104'1041u & places));
    EXPECT_EQ(ack.ack_load, 0);
    EXPECT_FALSE(ack.ack_mark);
  }
  device->Send(near, PacketFrom(near, far, 6, kLength));
  device->Run(200);
  EXPECT_EQ(device->Count(far, Counter::kAcksMade), 4u);
  EXPECT_EQ(device->Count(far, Counter::kBadAcks), 1u);
  EXPECT_EQ(device->Count(near, Counter::kAcksIn), 0u);
}

TEST_P(QuietAck, PassedOnIsOnTheLinkNineteenCyclesAfterItCame) {
  const auto device = MakeAckScript(GetParam());
  if (!device) GTEST_SKIP() << GetParam().device << " of " << GetParam().profile->name << " was not built";
  const auto& [name, profile, near, far] = GetParam();
  for (int port = 0; port < profile->ports; ++port) device->SetMode(port, false);
  Ctrl ack;
  ack.ack_valid = ack.ack_mark = true;
  ack.ack_load = 1234;
  ack.ack_flow = 1023;
  ack.ack_cells = 89;
  for (int hops = 0; hops <= 5; ++hops) {
    ack.ack_hops = static_cast<std::uint8_t>(hops);
    ack.ack_port = static_cast<std::uint8_t>(hops == 0 ? near : far);
    ack.ack_path = static_cast<std::uint32_t>(hops == 0 ? 0 : near << 6 * (hops - 1));
    const Cycle at = device->SendAck(far, ack) + 19;
    device->Run(60);
    Ctrl expected = ack;
    expected.ack_load = 0;  // that of this output
    expected.ack_hops = static_cast<std::uint8_t>(hops == 0 ? 0 : hops - 1);
    ASSERT_EQ(device->acks().size(), static_cast<std::size_t>(hops) + 1);
    EXPECT_EQ(device->ack(near, at), expected) << "hops " << hops;
  }
  ack.ack_hops = 6;
  device->SendAck(far, ack);
  device->SetMode(near, true);  // an edge port takes acks of its flows, and shows them to who is behind it
  ack.ack_hops = 0;
  ack.ack_port = static_cast<std::uint8_t>(near);
  const Cycle at = device->SendAck(far, ack) + 19;
  device->SendAck(near, ack);  // nobody is behind an edge port
  device->Run(60);
  EXPECT_TRUE(device->ack(near, at).ack_valid);
  EXPECT_EQ(device->acks().size(), 7u);
  EXPECT_EQ(device->Count(near, Counter::kAcksIn), 1u);
  EXPECT_EQ(device->Count(near, Counter::kBadAcks), 1u);
  EXPECT_EQ(device->Count(far, Counter::kBadAcks), 1u);
  EXPECT_EQ(device->Count(far, Counter::kAcksMade), 0u);
}

/// All ports send an ack in every cycle, all for one: fifos of the ack crossbar overflow, and what is lost is the same.
void ExpectTheSameLosses(const Profile& profile, Cycle cycles) {
  std::unique_ptr<Device> rtl;
  try {
    rtl = MakeDevice("rtl", profile);
  } catch (const UsageError&) {
    if (bench::TierFromEnvironment() == bench::Tier::kFull) throw;
    GTEST_SKIP() << "rtl of " << profile.name << " was not built";
  }
  Lockstep lockstep(std::move(rtl), MakeDevice("golden", profile));
  Device::Inputs inputs;
  inputs.links.resize(static_cast<std::size_t>(profile.ports));
  inputs.link_up.assign(static_cast<std::size_t>(profile.ports), true);
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  inputs.cfg.valid = true;
  inputs.cfg.port = 127;
  inputs.cfg.space = static_cast<std::uint8_t>(CfgSpace::kPort);
  inputs.cfg.index = static_cast<std::uint16_t>(PortReg::kMode);
  inputs.cfg.data = mode.ToBits();
  lockstep.Step(inputs);
  inputs.cfg = Cfg{};
  std::int64_t sent = 0, arrived = 0;
  const Cycle settled = lockstep.cycle() + kRegistersStand;
  const Cycle end = settled + cycles;
  while (lockstep.cycle() < end + cycles) {
    const Cycle now = lockstep.cycle();
    for (std::size_t p = 0; p < inputs.links.size(); ++p) {
      Ctrl& ctrl = inputs.links[p].ctrl;
      ctrl.ack_valid = now >= settled && now < end;
      ctrl.ack_flow = static_cast<std::uint16_t>(now & 1023);
      ctrl.ack_load = static_cast<std::uint16_t>(p);
      ctrl.ack_port = 1;
      sent += ctrl.ack_valid;
    }
    ASSERT_NO_THROW(lockstep.Compare()) << "cycle " << now;
    for (const Link& link : lockstep.Outputs()) arrived += link.ctrl.ack_valid;
    lockstep.Step(inputs);
  }
  EXPECT_GT(arrived, cycles - 100);
  EXPECT_LT(arrived, sent * 9 / 10) << "nothing was lost";
}

TEST(AckCrossbar, LosesTheSameAcksInRtlAndGoldenWith8Ports) { ExpectTheSameLosses(kTile8, 9000); }

TEST(AckCrossbar, LosesTheSameAcksInRtlAndGoldenWith64Ports) { ExpectTheSameLosses(kRosetta64, 500); }

INSTANTIATE_TEST_SUITE_P(Devices, QuietAck, ::testing::ValuesIn(AckCases()), NameOfCase);

}  // namespace
}  // namespace tilefly::cosim
