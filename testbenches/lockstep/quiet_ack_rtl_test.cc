// SPDX-License-Identifier: Apache-2.0
// The cycles of a quiet ack, as on the acks page, in every cycle-exact device: made, passed on, crossing, leaving.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/device_factory.h"
#include "cosim/errors.h"
#include "cosim/lockstep/lockstep.h"
#include "cosim/setup/frame.h"
#include "golden/common/register_write.h"
#include "testbenches/bench/settings.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kRegistersStand = 16;  // cycles after the last write

struct Case {
  std::string device;
  const Profile* profile;
  int near;  ///< port of this switch towards the source
  int far;   ///< towards the destination
};

/// A device with fabric links at all ports and what the test puts on them; keeps the acks that leave, and takes.
class AckScript {
 public:
  AckScript(const Case& one, std::unique_ptr<Device> device) : device_(std::move(device)) {
    const auto ports = static_cast<std::size_t>(one.profile->ports);
    inputs_.links.resize(ports);
    inputs_.link_up.assign(ports, true);
  }

  void SetMode(int port, bool edge) {
    PortMode mode;
    mode.std_format = false;
    mode.enable = mode.cut_through = mode.credits = true;
    mode.acks = edge;
    inputs_.cfg.valid = true;
    inputs_.cfg.port = static_cast<std::uint8_t>(port);
    inputs_.cfg.space = static_cast<std::uint8_t>(CfgSpace::kPort);
    inputs_.cfg.index = static_cast<std::uint16_t>(PortReg::kMode);
    inputs_.cfg.data = mode.ToBits();
    Step();
    inputs_.cfg = Cfg{};
    Run(kRegistersStand);
  }

  /// Puts a packet on the link, from this cycle on.
  void Send(int port, const Frame& frame) {
    Link& link = inputs_.links[static_cast<std::size_t>(port)];
    for (int k = 0; k < frame.words(); ++k) {
      link.word = MakeWord(frame, k);
      Step();
    }
    link.word = Word{};
  }

  /// Puts an ack on the link in this cycle; returns it.
  Cycle SendAck(int port, const Ctrl& ack) {
    Link& link = inputs_.links[static_cast<std::size_t>(port)];
    link.ctrl = ack;
    const Cycle cycle = device_->cycle();
    Step();
    link.ctrl = Ctrl{};
    return cycle;
  }

  std::uint64_t Count(int port, Counter counter) {
    inputs_.cfg = golden::ReadRegister(port, CfgSpace::kCounter, static_cast<int>(counter));
    Step();
    inputs_.cfg = Cfg{};
    Run(kRegistersStand);
    return device_->Counter(port, static_cast<int>(counter));
  }

  void Run(Cycle cycles) {
    for (Cycle end = device_->cycle() + cycles; device_->cycle() < end;) Step();
  }

  std::vector<std::pair<int, Cycle>> acks() const {
    std::vector<std::pair<int, Cycle>> all;
    for (const auto& [at, ctrl] : acks_) all.push_back(at);
    return all;
  }
  const Ctrl& ack(int port, Cycle cycle) const { return acks_.at({port, cycle}); }
  Cycle take(int port) const { return takes_.at(port); }

 private:
  void Step() {
    const Cycle now = device_->cycle();
    const std::vector<Link>& links = device_->Outputs();
    const Observation& observation = device_->Observe();
    for (std::size_t p = 0; p < links.size(); ++p) {
      const int port = static_cast<int>(p);
      if (links[p].ctrl.ack_valid) acks_[{port, now}] = links[p].ctrl;
      if (observation.ports[p].take_valid) takes_[port] = now - 1;
    }
    device_->Step(inputs_);
  }

  std::unique_ptr<Device> device_;
  Device::Inputs inputs_;
  std::map<std::pair<int, Cycle>, Ctrl> acks_;  ///< that left, by port and cycle
  std::map<int, Cycle> takes_;                  ///< latest, by port
};

class QuietAck : public ::testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<AckScript> Make() const {
    try {
      return std::make_unique<AckScript>(GetParam(), MakeDevice(GetParam().device, *GetParam().profile));
    } catch (const UsageError&) {
      if (bench::TierFromEnvironment() == bench::Tier::kFull) throw;
      return nullptr;  // this build has no model of it
    }
  }
};

/// A packet to `far` of the own switch (all registers are at reset: group 0, switch 0), which came `hop` switches far.
Frame PacketFrom(int src, int far, int hop, int length) {
  Frame frame;
  frame.enh = true;
  frame.header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  frame.header.len = static_cast<std::uint16_t>(length);
  frame.header.src = static_cast<std::uint32_t>(1 << 11 | src);
  frame.header.dst = static_cast<std::uint32_t>(far);
  frame.header.hop = static_cast<std::uint8_t>(hop);
  frame.header.flow = 0x155;
  frame.header.path = 0x2345'6789 & 0x3fff'ffff;
  frame.bytes.assign(static_cast<std::size_t>(length), 0x5a);
  Seal(&frame.bytes);
  return frame;
}

TEST_P(QuietAck, OfADeliveredPacketIsOnTheLinkFifteenCyclesAfterItsLastWordIsRead) {
  const auto device = Make();
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
  const auto device = Make();
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

INSTANTIATE_TEST_SUITE_P(Devices, QuietAck,
                         ::testing::Values(Case{"golden", &kRosetta64, 19, 56}, Case{"rtl", &kRosetta64, 19, 56},
                                           Case{"golden", &kTile8, 3, 6}, Case{"rtl", &kTile8, 3, 6},
                                           Case{"rtl-flat", &kTile8, 3, 6}),
                         [](const auto& info) {
                           return (info.param.device == "rtl-flat" ? "flat" : info.param.device) + "_" +
                                  info.param.profile->name;
                         });

}  // namespace
}  // namespace tilefly::cosim
