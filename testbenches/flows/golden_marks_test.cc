// SPDX-License-Identifier: Apache-2.0
// Acks of a golden switch whose ports have MODE.flows (docs/blocks/flow_channel.md, "Meter at the output"): mark, share
// and the other fields, against a second reading of request stores and meters.
#include "golden/common/archive.h"
#include "testbenches/flows/marks_rig.h"

namespace tilefly::bench {
namespace {

using golden::AckRig;
using golden::Bit;
using golden::HeaderFrom;
using golden::kAllPorts;
using golden::PortMask;
using golden::WriteRegister;

Cfg WriteMark(int port, int on, int hard, int full) {
  FlowMark mark;
  mark.on = static_cast<std::uint16_t>(on);
  mark.hard = static_cast<std::uint16_t>(hard);
  mark.full = static_cast<std::uint16_t>(full);
  return WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kFlowMark), mark.ToBits());
}

/// Traffic of few hot outputs, with short and long packets, and registers that are rewritten.
class MarkTraffic {
 public:
  MarkTraffic(MarksRig* marks, const Stimulus& random)
      : marks_(*marks), random_(random), free_(static_cast<std::size_t>(marks->rig.profile().ports)) {}

  void Step() {
    const Cycle now = marks_.rig.now();
    if (now % kPhase == 0) phase_ = now;
    if (random_.Chance(4, "write", now)) marks_.Write(DrawWrite(now));
    for (int port = 0; port < marks_.rig.profile().ports; ++port) Send(now, port);
    marks_.Step();
  }

 private:
  static constexpr Cycle kPhase = 1000;

  template <std::size_t N>
  int One(const std::array<int, N>& of, Purpose purpose, Cycle now, std::uint32_t index = 0) const {
    return of[random_.Below(N, purpose, now, index)];
  }
  Cfg DrawWrite(Cycle now) {
    const int port = static_cast<int>(random_.Below(free_.size(), "port", now));
    return WriteMark(random_.Chance(64, "all", now) ? kAllPorts : port, One(std::array{0, 1, 20, 60, 178, 4095}, "on", now),
                     One(std::array{0, 40, 200, 712, 4095}, "hard", now),
                     One(std::array{0, 3, 100, 1280, 4095}, "full", now));
  }
  void Send(Cycle now, int port) {
    const auto index = static_cast<std::uint32_t>(port);
    if (now < free_[index] || !random_.Chance(One(std::array{0, 8, 100, 256}, "level", phase_, index), "send", now, index))
      return;
    const int ports = static_cast<int>(free_.size());
    const bool is_short = random_.Chance(One(std::array{20, 250}, "sizes", phase_), "short", now, index);
    const int length = is_short ? random_.Between(32, 64, "length", now, index)
                                : random_.Between(65, 1500, "length", now, index);
    const int hot = static_cast<int>(random_.Below(static_cast<std::uint64_t>(ports), "hot", phase_));
    const int to = random_.Chance(160, "to hot", now, index)
                       ? hot
                       : static_cast<int>(random_.Below(static_cast<std::uint64_t>(ports), "to", now, index));
    const bool replicated = random_.Chance(3, "replicated", now, index);
    const int sources = One(std::array{1, 3, 100}, "sources", phase_);
    const auto source = static_cast<std::uint32_t>(random_.Below(static_cast<std::uint64_t>(sources), "source", now, index));
    Header header = HeaderFrom((source * 0x1041u) & 0xf'ffff, replicated ? golden::HeaderBits::kReplicated : AckRig::Own(to),
                               MarksRig::kHops, length);
    header.tc = static_cast<std::uint8_t>(random_.Below(4, "class", now, index));
    header.vl = static_cast<std::uint8_t>(random_.Below(3, "lane", now, index));
    header.an = random_.Chance(128, "an", now, index);
    header.gen = random_.Chance(128, "gen", now, index);
    marks_.Send(port, header);
    free_[index] = now + golden::CeilDiv(length + 16, golden::kWordBytes);
  }

  MarksRig& marks_;
  Stimulus random_;
  std::vector<Cycle> free_;
  Cycle phase_ = 0;
};

/// Ports 1 and 3 of four are edge ports. Those of them have a meter that have bit 2 in their number, or are 3 modulo 8.
/// `rare`: the run comes to what is rare, too.
void CompareWithSecondReading(const Profile& profile, double of_tier, bool rare) {
  const Stimulus random(SeedOf(RootSeed(), CurrentTest()));
  PortMask edges = 0, local = 0;
  for (int port = 0; port < profile.ports; ++port) {
    if (port % 4 == 1 || port % 4 == 3) edges |= Bit(port);
    if (port % 3 == 0) local |= Bit(port);
  }
  MarksRig marks(profile, edges);
  for (int port = 0; port < profile.ports; ++port) {
    PortMode mode = marks.rig.device().registers().port(port).mode;
    mode.flows = (port & 4) != 0 || port % 8 == 3;
    mode.pclass = (local & Bit(port)) != 0 ? 1 : 0;  // keeps the lanes of what comes
    marks.rig.SetMode(port, mode);
  }
  marks.rig.Write(WriteRegister(kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kFloodBroadcast),
                                Bit(1) | Bit(4) | Bit(7)));
  // Two lanes of one class, so that a class has more than one.
  marks.rig.Write(WriteRegister(kAllPorts, CfgSpace::kVlClass, 2, 1));
  marks.rig.Settle();
  marks.Begin();
  MarkTraffic traffic(&marks, random);
  const Cycle end = marks.rig.now() + static_cast<Cycle>(of_tier * static_cast<double>(CyclesOf(TierFromEnvironment())));
  while (marks.rig.now() < end && !testing::Test::HasFailure()) traffic.Step();
  marks.Drain();
  const MarkCounts& counts = marks.counts;
  EXPECT_GT(counts.by_depth, 50);
  EXPECT_GT(counts.unmarked, 50);
  EXPECT_GT(counts.hard, 20);
  EXPECT_GT(counts.divided, 20);
  EXPECT_GT(counts.plain, 50);
  EXPECT_GT(counts.other_class, 50);
  EXPECT_TRUE(!rare || counts.by_deep > 10) << counts.by_deep;
  EXPECT_TRUE(!rare || counts.beside_request > 0) << "the cycle of a request matters: " << counts.beside_request;
  EXPECT_TRUE(!rare || counts.beside_grant > 0) << "the cycle of a grant matters: " << counts.beside_grant;
  EXPECT_GT(marks.compared, static_cast<std::size_t>(counts.made));
}

TEST(SwitchMarks, EqualASecondReadingOfThePageWith8Ports) { CompareWithSecondReading(kTile8, 2, true); }
TEST(SwitchMarks, EqualASecondReadingOfThePageWith64Ports) { CompareWithSecondReading(kRosetta64, 0.2, false); }

/// Ports 5 and 6 of a small switch; port 5 alone has the bits that are given.
struct TwoOutputs {
  TwoOutputs(bool acks, bool flows) : rig(kTile8, Bit(6)) {
    PortMode mode = AckRig::Fabric();
    mode.acks = acks;
    mode.flows = flows;
    rig.SetMode(5, mode);
    rig.Write(WriteMark(kAllPorts, 0, 4095, 1000));  // marks each ack
    rig.Settle();
  }
  Header To(int port, int hop = 1) const {
    Header header = HeaderFrom(golden::FabricAddress(8, 4, 3), AckRig::Own(port), hop, 300);
    header.an = header.gen = true;
    header.tc = 3;
    return header;
  }
  AckRig rig;
};

TEST(SwitchMarks, AreMadeByPortsWithModeAcksAndModeFlowsAlone) {
  for (const bool acks : {false, true}) {
    for (const bool flows : {false, true}) {
      TwoOutputs two(acks, flows);
      for (const int port : {5, 6}) two.rig.Send(port - 4, two.To(port));
      two.rig.Drain();
      ASSERT_EQ(two.rig.acks.size(), acks ? 2u : 1u);
      for (const golden::AckReturn& one : two.rig.acks) {
        const bool metered = acks && flows && one.port == 1;
        EXPECT_EQ(one.ack.mark, metered);
        EXPECT_EQ(one.ack.share, metered ? 1000 : 0);
        EXPECT_EQ(one.ack.by_class, metered);
        EXPECT_EQ(one.ack.gen, metered);
        EXPECT_EQ(one.ack.tc, metered ? 3 : 0);
        EXPECT_EQ(one.ack.dst, metered ? AckRig::Own(5) : 0u);
      }
      EXPECT_EQ(two.rig.Count(5, Counter::kMarksMade), acks && flows ? 1u : 0u);
      EXPECT_EQ(two.rig.Count(6, Counter::kMarksMade), 0u);
    }
  }
}

/// Packets without an ack are no sources: the share of an ack behind them is that of one source.
TEST(SwitchMarks, CountNoSourceOfAPacketWithoutAnAck) {
  TwoOutputs two(true, true);
  two.rig.Write(WriteRegister(kAllPorts, CfgSpace::kPort, static_cast<int>(PortReg::kFloodBroadcast), Bit(5)));
  two.rig.Settle();
  const auto send = [&](Header header) {
    two.rig.Send(1, header);
    two.rig.Run(100);
  };
  Header far = two.To(5, 7);  // BAD_ACKS
  far.src = golden::FabricAddress(8, 4, 4);
  send(far);
  Header replicated = two.To(5);
  replicated.src = golden::FabricAddress(8, 4, 5);
  replicated.dst = golden::HeaderBits::kReplicated;
  send(replicated);
  Header reduction = two.To(5);
  reduction.kind = static_cast<std::uint8_t>(Kind::kRed);
  reduction.an = false;
  reduction.src = golden::FabricAddress(8, 4, 6);
  send(reduction);
  send(two.To(5));
  send(two.To(5));
  Header second = two.To(5);
  second.src = golden::FabricAddress(8, 4, 7);
  send(second);
  send(second);
  two.rig.Drain();
  ASSERT_EQ(two.rig.departures.size(), 7u);
  ASSERT_EQ(two.rig.acks.size(), 4u);
  std::vector<int> shares;
  for (const golden::AckReturn& one : two.rig.acks) shares.push_back(one.ack.share);
  EXPECT_EQ(shares, (std::vector<int>{1000, 1000, 1000, 500}));
  EXPECT_EQ(two.rig.Count(5, Counter::kBadAcks), 1u);
}

/// A fifo of many requests is deep when packets without a request wait behind the newest.
TEST(SwitchMarks, SayOfALongFifoThatMoreWaitsBehindIt) {
  for (const int packets : {20, 6}) {
    TwoOutputs two(true, true);
    two.rig.Write(WriteMark(kAllPorts, 4095, 4095, 1000));  // no depth marks
    // The output may send nothing until its lane gets credits.
    two.rig.Write(WriteRegister(5, CfgSpace::kCredit, 3, CreditLane::Of(0, 0).ToBits()));
    two.rig.Settle();
    for (int i = 0; i < packets; ++i) {
      two.rig.Send(1, two.To(5));
      two.rig.Run(12);
    }
    EXPECT_EQ(two.rig.departures.size(), 0u);
    // Then one packet at a time: the grant of the first lets the thirteenth ask, with more behind it.
    two.rig.Write(WriteRegister(5, CfgSpace::kCredit, 3, CreditLane::Of(89, 95).ToBits()));
    two.rig.Drain();
    ASSERT_EQ(two.rig.acks.size(), static_cast<std::size_t>(packets));
    EXPECT_EQ(two.rig.acks.front().ack.mark, packets == 20);
    EXPECT_FALSE(two.rig.acks.back().ack.mark);
  }
}

/// Departures and acks of a run of traffic, with thresholds that mark and with MODE.flows or without.
struct Seen {
  std::vector<std::pair<Cycle, std::uint32_t>> packets;
  std::vector<std::pair<Cycle, Ack>> acks;
  std::uint64_t marks = 0;
};
Seen RunWith(bool flows) {
  const Stimulus random(SeedOf(RootSeed(), CurrentTest()));
  MarksRig marks(kTile8, 0xaa);
  for (const int port : {1, 3, 5, 7}) {
    PortMode mode = marks.rig.device().registers().port(port).mode;
    mode.flows = flows;
    marks.rig.SetMode(port, mode);
  }
  marks.rig.Settle();
  marks.Begin();
  MarkTraffic traffic(&marks, random);
  for (int i = 0; i < 4000; ++i) traffic.Step();
  marks.Drain();
  Seen seen;
  for (const golden::Departure& one : marks.rig.departures) seen.packets.push_back({one.take, one.header.Unpack().path});
  for (const golden::AckReturn& one : marks.rig.acks) {
    Ack ack = one.ack;
    ack.mark = ack.by_class = ack.gen = false;
    ack.share = ack.tc = 0;
    ack.dst = 0;
    seen.acks.push_back({one.wire, ack});
  }
  seen.marks = marks.rig.Count(Counter::kMarksMade);
  return seen;
}

TEST(SwitchMarks, ChangeNothingButFieldsOfAcks) {
  const Seen off = RunWith(false), on = RunWith(true);
  EXPECT_EQ(off.packets, on.packets);
  EXPECT_EQ(off.acks, on.acks);
  EXPECT_EQ(off.marks, 0u);
  EXPECT_GT(on.marks, 10u);
  EXPECT_GT(on.acks.size(), 100u);
}

/// A switch that nobody observes, with many packets for port 5.
struct Crowd {
  Crowd() : device(kTile8) {
    Cycle bus = 0;
    PortMode mode = AckRig::Fabric();
    mode.acks = mode.flows = true;
    for (int port = 0; port < 8; ++port) {
      device.Write(bus++, WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
    }
    device.Write(bus++, WriteRegister(kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress),
                                      AckRig::kOwn.ToBits()));
  }
  void Run(Cycle end) {
    for (; now < end; ++now) {
      for (int port = 0; port < 4; ++port) {
        if (now % 12 != 3 * port || now < 40 || now > 900) continue;
        const Header header = HeaderFrom(golden::FabricAddress(8, 4, port), AckRig::Own(5), 1, 300);
        device.Arrive(port, now, {true, golden::HeaderBits(header), static_cast<golden::Payload>(now)});
      }
      device.Step(now);
      for (const golden::AckReturn& one : device.output().acks) acks.push_back({one.wire, one.ack});
    }
  }
  golden::Switch device;
  Cycle now = 0;
  std::vector<std::pair<Cycle, Ack>> acks;
};

TEST(SwitchMarks, GoOnFromSavedBytes) {
  constexpr Cycle kSaved = 700, kEnd = 3000;
  Crowd whole;
  whole.Run(kSaved);
  SavedBytes bytes;
  Saver saver(&bytes);
  saver(whole.device);
  Crowd second;
  second.Run(40);  // registers are written
  Loader loader(bytes);
  loader(second.device);
  EXPECT_TRUE(loader.AtEnd());
  second.now = kSaved;
  second.acks = whole.acks;
  const std::size_t before = whole.acks.size();
  whole.Run(kEnd);
  second.Run(kEnd);
  EXPECT_EQ(whole.acks, second.acks);
  EXPECT_GT(whole.acks.size(), before + 20);
  EXPECT_GT(whole.device.ReadCounter(5, static_cast<int>(Counter::kMarksMade)), 20u);
  golden::Audit audit;
  second.device.Check(&audit);
  EXPECT_EQ(BrokenIds(audit), "");
}

}  // namespace
}  // namespace tilefly::bench
