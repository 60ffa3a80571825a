// SPDX-License-Identifier: Apache-2.0
// A golden switch whose ports have flow channels (docs/blocks/flow_channel.md): its own marks throttle its inputs.
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "golden/common/archive.h"
#include "golden/common/register_write.h"
#include "golden/switch/switch.h"
#include "testbenches/acks/ack_rig.h"

namespace tilefly::bench {
namespace {

using golden::AckRig;

constexpr int kTo = 5, kVictimTo = 6;        ///< outputs of the contributors, and of the victim beside the first of them
constexpr Cycle kFrom = 40, kUntil = 9000;   ///< packets come in these cycles
constexpr int kContributors = 4;
constexpr int kFull = 120;  ///< two thirds of the round trip of 180 cycles inside a switch

/// Contributors to one output, and a victim at the first one's input.
class Incast {
 public:
  /// `skips`: steps of cycles in which nothing may happen are left out.
  explicit Incast(bool flows, bool skips = false) : device(kTile8), skips_(skips), sunk_(kTile8.ports) {
    using golden::WriteRegister;
    Cycle bus = 0;
    PortMode mode = AckRig::Fabric();
    mode.acks = true;
    mode.flows = flows;
    device.Write(bus++, WriteRegister(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
    device.Write(bus++, WriteRegister(golden::kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress),
                                      AckRig::kOwn.ToBits()));
    device.Write(bus++, WriteRegister(golden::kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kFlowMark),
                                      FlowMark::Of(60, 240, kFull).ToBits()));
  }
  void Run(Cycle end) {
    for (; now < end; ++now) {
      // All contributors together send twice what the output's link takes.
      for (int port = 0; port < kContributors && now >= kFrom && now < kUntil; ++port) {
        const bool victim = port == 0 && now % 48 == 24;
        if (!victim && now % 24 != 6 * port) continue;
        Header header = golden::HeaderFrom(AckRig::Own(port), AckRig::Own(victim ? kVictimTo : kTo), 0, victim ? 100 : 300);
        header.flow = static_cast<std::uint16_t>(now & 1023);
        if (device.used(port) > 2000) continue;  // as credits would do
        device.Arrive(port, now, {true, golden::HeaderBits(header), static_cast<golden::Payload>(packets++)});
      }
      if (skips_ && device.NextActive() > now) continue;
      device.Step(now);
      ++steps;
      See();
    }
  }
  /// Cells that links have taken are those of `other`.
  void CopySunk(const Incast& other) { sunk_ = other.sunk_; }

  golden::Switch device;
  Cycle now = 0;
  std::int64_t steps = 0;
  int packets = 0;
  std::vector<std::tuple<Cycle, int, std::uint32_t>> left;  ///< take, port, payload
  std::vector<std::tuple<Cycle, int, std::uint32_t, int, int>> pauses;
  std::vector<Cycle> acks;
  int most_stored = 0;  ///< load of the contributors' output, behind the first marks

 private:
  void See() {
    for (const golden::Departure& departure : device.output().links.packets) {
      left.emplace_back(departure.take, departure.port, departure.payload);
      std::uint16_t& sunk = sunk_[departure.port];
      sunk = static_cast<std::uint16_t>(sunk + golden::CellsOf(departure.length));
      device.Credit(departure.port, departure.take + golden::kTakeToWire, departure.header.vl(), sunk);
    }
    for (const golden::AckReturn& ack : device.output().acks) acks.push_back(ack.wire);
    for (const golden::FlowPauseReturn& one : device.output().flow_pauses) {
      pauses.emplace_back(one.wire, one.port, one.pause.destination, one.pause.period, one.pause.credit);
      EXPECT_EQ(one.wire, now + 6);
    }
    if (now > 3000) most_stored = std::max(most_stored, device.load(kTo));
  }

  bool skips_;
  std::vector<std::uint16_t> sunk_;  ///< cells that each link has taken; all packets are on lane 0
};

std::uint64_t Sum(const Incast& one, Counter counter) {
  std::uint64_t sum = 0;
  for (int port = 0; port < kTile8.ports; ++port) sum += one.device.ReadCounter(port, static_cast<int>(counter));
  return sum;
}

/// FLOW-1 at the end: nothing was lost, so each channel's cells are all acknowledged; the sweeps free the entries.
TEST(SwitchFlows, AnIncastIsHeldBackAndAllCellsAreAcknowledged) {
  Incast with(true), without(false);
  golden::SwitchObservation observed;
  with.device.Observe(&observed);
  for (Cycle end = 200; end <= 60'000; end += 200) {
    with.Run(end);
    golden::Audit audit;
    with.device.Check(&audit);
    ASSERT_EQ(audit.Message(), "") << end;
  }
  without.Run(60'000);
  EXPECT_EQ(with.left.size(), static_cast<std::size_t>(with.packets));
  EXPECT_EQ(without.left.size(), static_cast<std::size_t>(without.packets));
  EXPECT_GT(Sum(with, Counter::kFlowHeld), 200u);
  EXPECT_GT(Sum(with, Counter::kFlowThrottled), 3u);
  EXPECT_EQ(Sum(with, Counter::kFlowLost) + Sum(with, Counter::kFlowStray) + Sum(with, Counter::kFlowFull), 0u);
  EXPECT_EQ(Sum(with, Counter::kFlowPauses), with.pauses.size());
  EXPECT_EQ(Sum(with, Counter::kAcksIn), static_cast<std::uint64_t>(with.packets));
  EXPECT_LT(with.most_stored, without.most_stored) << "the requests that wait at the output";
  const golden::FlowPorts* channels = with.device.channels();
  ASSERT_NE(channels, nullptr);
  for (int port = 0; port < kTile8.ports; ++port) {
    EXPECT_EQ(channels->channels(port).entries(), 0) << port;
    EXPECT_TRUE(channels->channels(port).quiescent()) << port;
    EXPECT_EQ(with.device.used(port), 0) << port;
  }
  golden::Audit audit;
  with.device.CheckDrained(&audit);
  EXPECT_EQ(audit.Message(), "");
  with.Run(200'000);  // beyond the deadline of the last cells
  EXPECT_EQ(with.device.NextActive(), kNever) << "no sweep is left";
  EXPECT_EQ(without.device.channels(), nullptr);
}

TEST(SwitchFlows, StepsThatAreLeftOutChangeNothing) {
  Incast every(true), some(true, true);
  every.Run(40'000);
  some.Run(40'000);
  EXPECT_LT(some.steps, every.steps / 2);
  EXPECT_EQ(some.left, every.left);
  EXPECT_EQ(some.pauses, every.pauses);
  EXPECT_EQ(some.acks, every.acks);
  EXPECT_GT(every.pauses.size(), 50u);
}

TEST(SwitchFlows, GoOnFromSavedBytes) {
  for (const Cycle saved : {2000, 9100, 12'000}) {
    Incast whole(true);
    whole.Run(saved);
    SavedBytes bytes;
    Saver saver(&bytes);
    saver(whole.device);
    Incast second(true);
    second.Run(30);  // registers are written
    Loader loader(bytes);
    loader(second.device);
    EXPECT_TRUE(loader.AtEnd());
    second.now = saved;
    second.packets = whole.packets;
    second.CopySunk(whole);
    const std::size_t before = whole.left.size();
    whole.left.clear();
    whole.pauses.clear();
    whole.Run(30'000);
    second.Run(30'000);
    EXPECT_EQ(whole.left, second.left);
    EXPECT_EQ(whole.pauses, second.pauses);
    EXPECT_GT(before, 100u);
    for (const Counter counter : {Counter::kFlowHeld, Counter::kMarksIn, Counter::kFlowPauses}) {
      EXPECT_EQ(Sum(whole, counter), Sum(second, counter));
    }
  }
}

}  // namespace
}  // namespace tilefly::bench
