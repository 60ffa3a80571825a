// SPDX-License-Identifier: Apache-2.0
// The cycles in which an ack sees the requests of its output, as on the page of flow channels ("Meter at the output"), in
// every cycle-exact device.
#include <gtest/gtest.h>

#include "testbenches/lockstep/ack_script.h"

namespace tilefly::cosim {
namespace {

constexpr int kLength = 100;            // 4 words, 3 cells
constexpr Cycle kTakeToAck = 2 + 3;     // from the take of a packet of 4 words to its ack's event
constexpr Cycle kAckToLink = 15;

class QuietMark : public ::testing::TestWithParam<Case> {};

/// Of two packets the first one's ack is made beside the second one's request, which is granted as soon as it is there: the
/// ack is marked in the one cycle that the request is in the store, and that is the cycle of the grant.
TEST_P(QuietMark, SeesARequestInTheCycleOfItsGrantAlone) {
  const auto device = MakeAckScript(GetParam());
  if (!device) GTEST_SKIP() << GetParam().device << " of " << GetParam().profile->name << " was not built";
  const auto& [name, profile, near, far] = GetParam();
  const int other = near - 1;
  for (int port = 0; port < profile->ports; ++port) device->SetMode(port, port == far, port == far);
  device->SetMark(far, 1, 4095, 1000);
  int marked = 0, early = 0, late = 0;
  for (Cycle apart = 10; apart < 80; ++apart) {
    const Cycle begin = device->cycle() + 1;
    device->SendAt(begin, near, PacketFrom(near, far, 1, kLength));
    device->SendAt(begin + apart, other, PacketFrom(other, far, 1, kLength));
    device->Run(300);
    const std::vector<Cycle>& takes = device->takes(far);
    const Cycle made = takes[takes.size() - 2] + kTakeToAck;
    const Cycle granted = device->grants(far).back();
    const Ctrl& ack = device->ack(near, made + kAckToLink);
    ASSERT_TRUE(ack.ack_valid);
    EXPECT_EQ(ack.ack_mark, made == granted) << "ack of cycle " << made << ", grant of cycle " << granted;
    EXPECT_FALSE(device->ack(other, takes.back() + kTakeToAck + kAckToLink).ack_mark) << "nothing waits any more";
    marked += ack.ack_mark;
    early += made < granted;
    late += made > granted;
  }
  EXPECT_EQ(marked, 1);
  EXPECT_GT(early, 10);
  EXPECT_GT(late, 10);
  EXPECT_EQ(device->Count(far, Counter::kMarksMade), 1u);
}

/// Fields of the ack of a port with flow channels, and of one without.
TEST_P(QuietMark, CarriesWhatThePageSays) {
  const auto device = MakeAckScript(GetParam());
  if (!device) GTEST_SKIP() << GetParam().device << " of " << GetParam().profile->name << " was not built";
  const auto& [name, profile, near, far] = GetParam();
  for (int port = 0; port < profile->ports; ++port) device->SetMode(port, port == far, port == far);
  device->SetMark(far, 0, 4095, 1001);  // marks every ack
  const auto ack_of = [&, near = near, far = far](const Frame& packet) {
    device->Send(near, packet);
    device->Run(200);
    return device->ack(near, device->take(far) + kTakeToAck + kAckToLink);
  };
  Frame packet = PacketFrom(near, far, 0, kLength);
  packet.header.tc = 5;
  const Cycle epoch = profile->flow_epoch_cycles;
  device->Run(epoch - device->cycle() % epoch);
  const std::uint32_t source = packet.header.src;
  struct Expected {
    std::uint32_t of_switch;  ///< the source's, from the first one's on; its port is the same
    int share;
  };
  for (const Expected& one : {Expected{0, 1001}, {0, 1001}, {1, 1001}, {1, 500}, {2, 500}, {0, 333}}) {
    packet.header.src = source + (one.of_switch << 6);
    packet.header.gen = !packet.header.gen;
    packet.header.an = one.share == 500;
    const Ctrl ack = ack_of(packet);
    EXPECT_TRUE(ack.ack_mark);
    EXPECT_EQ(ack.ack_share, one.share) << "its own source does not count yet";
    EXPECT_EQ(ack.ack_gen, packet.header.gen);
    EXPECT_EQ(ack.ack_by_class, packet.header.an);
    EXPECT_EQ(ack.ack_tc, 5);
    EXPECT_EQ(ack.ack_dst, packet.header.dst);
  }
  device->SetMark(far, 4095, 4095, 77);
  EXPECT_FALSE(ack_of(packet).ack_mark);
  device->SetMark(far, 0, 0, 77);
  EXPECT_EQ(ack_of(packet).ack_share, 0);
  EXPECT_EQ(device->Count(far, Counter::kMarksMade), 7u);
  device->SetMode(far, true, false);
  const Ctrl without = ack_of(packet);
  EXPECT_TRUE(without.ack_valid);
  EXPECT_FALSE(without.ack_mark || without.ack_gen || without.ack_by_class || without.ack_share || without.ack_tc || without.ack_dst);
  EXPECT_EQ(device->Count(far, Counter::kMarksMade), 7u);
}

INSTANTIATE_TEST_SUITE_P(Devices, QuietMark, ::testing::ValuesIn(AckCases()), NameOfCase);

}  // namespace
}  // namespace tilefly::cosim
