// SPDX-License-Identifier: Apache-2.0
// Flow channels in the switch (docs/blocks/flow_channel.md): RTL beside golden in every cycle while acks are lost and
// forged, the table fills, and registers change; and the cycles of the page's pictures in every cycle-exact device.
#include <gtest/gtest.h>

#include <cstdio>

#include "cosim/device_factory.h"
#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/ack_script.h"
#include "testbenches/lockstep/flow_hosts.h"

namespace tilefly::bench {
namespace {

constexpr int kEntries = 1024;  // channels from here on are those of classes

/// Runs hosts for so many cycles, and adds up what the ports counted.
void ExpectEqual(std::uint32_t seed, const Profile& profile, const cosim::DeviceOptions& options, Cycle cycles,
                 std::map<Counter, std::uint64_t>* counts, std::map<int, std::int64_t>* held) {
  FlowHosts hosts(seed, profile, cosim::MakeDevice("rtl", profile, options), options);
  ASSERT_NO_THROW(hosts.Run(cycles)) << "seed " << seed;
  std::int64_t left = 0;
  ASSERT_NO_THROW(left = hosts.Finish(200'000)) << "seed " << seed;
  EXPECT_EQ(left, 0) << "packets are stuck, seed " << seed;
  for (const Counter counter : kCounterValues) (*counts)[counter] += hosts.Count(counter);
  for (const auto& [channel, number] : hosts.held) (*held)[channel] += number;
  EXPECT_EQ(hosts.Count(Counter::kFlowPauses), static_cast<std::uint64_t>(hosts.pauses));
  EXPECT_GT(hosts.lockstep().compared_busy(), cycles / 4);
}

void ExpectEqualRuns(const char* name, const Profile& profile, const cosim::DeviceOptions& options, unsigned runs, Cycle cycles) {
  std::map<Counter, std::uint64_t> counts;
  std::map<int, std::int64_t> held;
  for (unsigned run = 0; run < runs; ++run) {
    ExpectEqual(SeedOf(RootSeed(), name) + run, profile, options, cycles, &counts, &held);
    if (::testing::Test::HasFatalFailure()) return;
  }
  std::int64_t of_classes = 0;
  for (const auto& [channel, number] : held) of_classes += channel >= kEntries ? number : 0;
  constexpr std::array kSeen = {Counter::kFlowHeld,  Counter::kFlowFull,   Counter::kFlowThrottled, Counter::kFlowLost,
                                Counter::kFlowStray, Counter::kFlowPauses, Counter::kMarksIn};
  for (const Counter counter : kSeen) {
    std::printf("  %s %llu\n", ToString(counter), static_cast<unsigned long long>(counts[counter]));
    EXPECT_GT(counts[counter], 10u) << ToString(counter);
  }
  std::printf("  packets held by class channels: %lld\n", static_cast<long long>(of_classes));
  EXPECT_GT(of_classes, 0);
}

Cycle CyclesOfTier() { return CyclesOf(TierFromEnvironment()); }

TEST(FlowLockstep, RtlEqualsGoldenInEveryCycle) {
  ExpectEqualRuns("flow channels", kTile8, {}, TierFromEnvironment() == Tier::kFull ? 20 : 4, CyclesOfTier());
}

TEST(FlowLockstep, RtlEqualsGoldenWith64Ports) {
  const Tier tier = TierFromEnvironment();
  ExpectEqualRuns("flow channels of 64 ports", kRosetta64, {}, tier == Tier::kFull ? 20 : 1,
                  tier == Tier::kFull ? 50'000 : 10'000);
}

TEST(FlowLockstep, TilesThatNeverSleepDoTheSame) {
  cosim::DeviceOptions options;
  options.evaluate_all = true;
  ExpectEqualRuns("flow channels awake", kTile8, options, 2, CyclesOfTier());
}

TEST(FlowLockstep, RtlEqualsGoldenBehindCycle2To40) {
  cosim::DeviceOptions options;
  options.first_cycle = (Cycle{1} << 40) - 64 * kTile8.load_epoch_cycles;
  options.random_reset = 77;
  ExpectEqualRuns("flow channels behind 2^40", kTile8, options, 2, CyclesOfTier());
}

}  // namespace
}  // namespace tilefly::bench

namespace tilefly::cosim {
namespace {

constexpr int kLength = 100;        // 4 words, 3 cells
constexpr Cycle kSlotToHome = 13;   // from the wire cycle of an ack on a fabric port to its event A at the source's port

class QuietThrottle : public ::testing::TestWithParam<Case> {};

/// An ack of a packet that came in at `near`, as the fabric behind `far` sends it.
Ctrl AckOf(const Frame& packet, int near, bool mark, int share, bool gen) {
  Ctrl ack;
  ack.ack_valid = true;
  ack.ack_port = static_cast<std::uint8_t>(near);
  ack.ack_flow = packet.header.flow;
  ack.ack_cells = static_cast<std::uint8_t>(golden::CellsOf(packet.header.len));
  ack.ack_tc = packet.header.tc;
  ack.ack_dst = packet.header.dst;
  ack.ack_mark = mark;
  ack.ack_share = static_cast<std::uint16_t>(share);
  ack.ack_gen = gen;
  return ack;
}

/// "Mark to throttle" and "Release": a marked ack throttles the flow, and the NIC hears of it; the next packets are held,
/// and an ack lets one go.
TEST_P(QuietThrottle, HoldsBehindAMarkAndReleasesBehindAnAck) {
  const auto device = MakeAckScript(GetParam());
  if (!device) GTEST_SKIP() << GetParam().device << " of " << GetParam().profile->name << " was not built";
  const auto& [name, profile, near, far] = GetParam();
  for (int port = 0; port < profile->ports; ++port) device->SetMode(port, port == near, port == near);
  Frame packet = PacketFrom(near, far, 0, kLength);
  packet.header.tc = 5;
  packet.header.gen = packet.header.an = true;  // the port writes both
  device->Send(near, packet);
  device->Send(near, packet);
  device->Run(100);
  ASSERT_EQ(device->headers(far).size(), 2u);
  for (const Header& header : device->headers(far)) EXPECT_FALSE(header.an) << "counted in an entry";
  bool gen = device->headers(far)[0].gen;

  // Two packets of 3 cells are in flight: 6 - 3 = 3 >= 2.
  const Cycle marked = device->SendAck(far, AckOf(packet, near, true, 2, gen));
  const Cycle throttled = marked + kSlotToHome;
  device->Run(40);
  EXPECT_EQ(device->Count(near, Counter::kFlowThrottled), 1u) << "in cycle " << throttled;
  EXPECT_EQ(device->Count(near, Counter::kFlowPauses), 0u) << "the channel holds no packet";

  const Cycle third = device->cycle();
  device->Send(near, packet);
  device->Run(60);
  EXPECT_EQ(device->headers(far).size(), 2u);
  EXPECT_EQ(device->holds(near), std::vector<Cycle>{third + 18}) << "cut through: a is its first word's cycle";
  EXPECT_EQ(device->Count(near, Counter::kFlowHeld), 1u);
  EXPECT_EQ(device->Count(near, Counter::kRxPackets), 2u) << "counted when it is released";
  const Ctrl& pause = device->pause(near, third + 18 + 7);
  EXPECT_EQ(pause.pause_tc, 5);
  EXPECT_EQ(pause.pause_dst, packet.header.dst);
  EXPECT_EQ(pause.pause_period, 64);
  EXPECT_EQ(pause.pause_credit, 89 - 3);

  gen = device->headers(far)[1].gen;  // a sweep may have come between the two
  const Cycle second = device->SendAck(far, AckOf(packet, near, false, 0, gen)) + kSlotToHome;
  device->Run(60);
  EXPECT_EQ(device->gos(near), std::vector<Cycle>{second + 1});
  EXPECT_EQ(device->requests(near).back(), second + 4);
  EXPECT_EQ(device->headers(far).size(), 3u);
  EXPECT_EQ(device->Count(near, Counter::kRxPackets), 3u);
  EXPECT_EQ(device->Count(near, Counter::kFlowThrottled), 1u);
  EXPECT_EQ(device->Count(near, Counter::kMarksIn), 1u);
  const Ctrl& end = device->pause(near, second + 1 + 7);  // no packet is held any more
  EXPECT_EQ(end.pause_tc, 5);
  EXPECT_EQ(end.pause_dst, packet.header.dst);
  EXPECT_EQ(end.pause_period, 0);
  EXPECT_EQ(end.pause_credit, 0);

  // A share of FULL ends the throttle.
  const bool last_gen = device->headers(far)[2].gen;
  const std::uint64_t pauses = device->Count(near, Counter::kFlowPauses);
  device->SendAck(far, AckOf(packet, near, false, 4095, last_gen));
  device->Run(40);
  EXPECT_EQ(device->Count(near, Counter::kFlowPauses), pauses);
  const Cycle stray = device->SendAck(far, AckOf(packet, near, true, 0, last_gen));
  device->Run(60);
  EXPECT_EQ(device->Count(near, Counter::kFlowStray), 1u) << "ack of cycle " << stray << " finds no cells in flight";
  EXPECT_EQ(device->Count(near, Counter::kMarksIn), 1u);
}

/// A packet that is not counted leaves with the bits with which it came.
TEST_P(QuietThrottle, PacketsOfALaterHopKeepTheirBits) {
  const auto device = MakeAckScript(GetParam());
  if (!device) GTEST_SKIP() << GetParam().device << " of " << GetParam().profile->name << " was not built";
  const auto& [name, profile, near, far] = GetParam();
  for (int port = 0; port < profile->ports; ++port) device->SetMode(port, port == near, port == near);
  for (const int bits : {0, 1, 2, 3}) {
    Frame packet = PacketFrom(near, far, 1, kLength);
    packet.header.gen = (bits & 1) != 0;
    packet.header.an = (bits & 2) != 0;
    device->Send(near, packet);
    device->Run(100);
    EXPECT_EQ(device->headers(far).back().gen, packet.header.gen);
    EXPECT_EQ(device->headers(far).back().an, packet.header.an);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, QuietThrottle, ::testing::ValuesIn(AckCases()), NameOfCase);

}  // namespace
}  // namespace tilefly::cosim
