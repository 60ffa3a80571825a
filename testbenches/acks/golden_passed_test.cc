// SPDX-License-Identifier: Apache-2.0
// Acks that a switch passes on (docs/blocks/acks.md, Passed on, Crossing and leaving), and their way back through
// systems of one to six switches.
#include "testbenches/acks/ack_rig.h"

namespace tilefly::golden {
namespace {

constexpr int kFrom = 6, kTo = 1;

/// An ack of the second switch's port kTo.
Ack ToPort(int port, int hops = 1) {
  Ack ack;
  ack.mark = true;
  ack.load = 1234;
  ack.flow = 777;
  ack.cells = 90;
  ack.hops = static_cast<std::uint8_t>(hops);
  ack.port = static_cast<std::uint8_t>(hops == 0 ? port : 63);
  ack.path =
      hops == 0 ? 0x3fffffff : (0x3fffffffu & ~(63u << 6 * (hops - 1))) | static_cast<unsigned>(port) << 6 * (hops - 1);
  return ack;
}

TEST(PassedAck, IsOnTheOtherLink19CyclesLaterAndTellsThisOutputsLoad) {
  for (int hops = 0; hops <= 5; ++hops) {
    AckRig rig(kTile8, 0);
    const Cycle c = rig.now();
    const Ack sent = ToPort(kTo, hops);
    rig.SendAck(kFrom, sent);
    rig.Drain();
    ASSERT_EQ(rig.acks.size(), 1u);
    EXPECT_EQ(rig.acks[0].wire, c + 19);
    EXPECT_EQ(rig.acks[0].port, kTo);
    Ack expected = sent;
    expected.load = 0;
    expected.hops = static_cast<std::uint8_t>(std::max(0, hops - 1));
    EXPECT_EQ(rig.acks[0].ack, expected) << hops;
    EXPECT_EQ(rig.Count(Counter::kAcksMade) + rig.Count(Counter::kAcksIn) + rig.Count(Counter::kBadAcks), 0u);
  }
}

TEST(PassedAck, TakesTheSameTimeBetweenAllPairs) {
  for (int from = 0; from < kRosetta64.ports; from += 9) {
    for (int to = 3; to < kRosetta64.ports; to += 11) {
      AckRig rig(kRosetta64, 0);
      const Cycle c = rig.now();
      rig.SendAck(from, ToPort(to));
      rig.Drain();
      ASSERT_EQ(rig.acks.size(), 1u);
      EXPECT_EQ(rig.acks[0].wire, c + 19) << from << " to " << to;
      EXPECT_EQ(rig.acks[0].port, to);
    }
  }
}

TEST(PassedAck, OneAfterTheOtherWhereTheyMeet) {
  AckRig rig(kRosetta64, 0);
  const Cycle c = rig.now();
  for (int from = 0; from < 40; ++from) rig.SendAck(from, ToPort(50));
  rig.SendAck(41, ToPort(51));
  rig.Drain();
  ASSERT_EQ(rig.acks.size(), 41u);
  std::set<Cycle> wires;
  for (const AckReturn& ack : rig.acks) {
    if (ack.port == 51) {
      EXPECT_EQ(ack.wire, c + 19) << "meets nobody";
    } else {
      wires.insert(ack.wire);
    }
  }
  EXPECT_EQ(wires.size(), 40u) << "one a cycle";
  EXPECT_EQ(*wires.begin(), c + 19);
  EXPECT_EQ(*wires.rbegin(), c + 19 + 39) << "without a gap";
}

TEST(PassedAck, IsIgnoredOnAnEdgePortAndWithoutAWay) {
  AckRig rig(kTile8, Bit(kFrom));
  rig.SendAck(kFrom, ToPort(kTo));
  rig.Run(1);
  rig.SendAck(3, ToPort(8));
  rig.Run(1);
  rig.SendAck(3, ToPort(8, 0));
  rig.Run(1);
  for (const int hops : {6, 7}) {
    Ack ack = ToPort(kTo);
    ack.hops = static_cast<std::uint8_t>(hops);
    rig.SendAck(3, ack);
    rig.Run(1);
  }
  rig.Drain();
  EXPECT_EQ(rig.acks.size(), 0u);
  EXPECT_EQ(rig.Count(kFrom, Counter::kBadAcks), 1u);
  EXPECT_EQ(rig.Count(3, Counter::kBadAcks), 4u);
  EXPECT_EQ(rig.Count(Counter::kBadAcks), 5u);
}

TEST(PassedAck, IsGoneWhereItCannotLeave) {
  for (int reason = 0; reason < 4; ++reason) {
    AckRig rig(kTile8, 0);
    PortMode mode = AckRig::Fabric();
    if (reason == 1) mode.enable = false;
    if (reason == 2) mode.credits = false;
    if (reason == 1 || reason == 2) rig.SetMode(kTo, mode);
    rig.Settle();
    if (reason == 3) rig.device().LinkUp(kTo, false, rig.now());
    rig.Run(2);
    rig.SendAck(kFrom, ToPort(kTo));
    rig.Drain();
    EXPECT_EQ(rig.acks.size(), reason == 0) << reason;
    EXPECT_EQ(rig.Count(Counter::kBadAcks), 0u);
  }
}

TEST(PassedAck, LeavesByALinkThatIsUpBeforeItComes) {
  for (const int late : {0, 1}) {
    AckRig rig(kTile8, 0);
    rig.device().LinkUp(kTo, false, rig.now());
    rig.Run(4);
    const Cycle arrives = rig.now() + 13;
    rig.SendAck(kFrom, ToPort(kTo));
    rig.device().LinkUp(kTo, true, arrives - 1 + late);
    rig.Drain();
    EXPECT_EQ(rig.acks.size(), late == 0);
  }
}

TEST(PassedAck, TellsTheLoadThatWasCommittedTheCycleBefore) {
  AckRig rig(kTile8, 0);
  std::vector<int> loads;
  const Cycle begin = rig.now();
  std::map<Cycle, int> sent;  // number of an ack by its wire cycle
  for (int i = 0; i < 2000; ++i) {
    for (const int in : {0, 1, 2, 3, 4, 5}) {
      if ((i + in) % 12 == 0) rig.Send(in, HeaderFrom(FabricAddress(8, 4, 3), AckRig::Own(kFrom), 1, 32 + 40 * in));
    }
    rig.SendAck(kFrom, ToPort(kTo));
    rig.Step();
    loads.push_back(rig.device().load(kFrom));
  }
  rig.Drain();
  ASSERT_EQ(rig.acks.size(), 2000u);
  int changes = 0;
  for (std::size_t i = 0; i + 4 < rig.acks.size(); ++i) {
    ASSERT_EQ(rig.acks[i].wire, begin + static_cast<Cycle>(i) + 19);
    ASSERT_EQ(rig.acks[i].ack.load, std::min(4095, loads[i + 3])) << i;
    changes += loads[i + 3] != loads[i + 4];
  }
  EXPECT_GT(changes, 200);
}

/// Switches in a row: packets come from a NIC at the first and go to one at the last; ports are drawn.
class Row {
 public:
  Row(int switches, std::uint32_t seed) : source_(Port(seed, 0)), destination_(Port(seed, 1)) {
    for (int i = 0; i < switches; ++i) {
      const auto draw = static_cast<std::uint32_t>(2 * i);
      in_.push_back(i == 0 ? source_ : Port(seed, 10 + draw));
      int out = i == switches - 1 ? destination_ : Port(seed, 11 + draw);
      if (out == in_.back()) out = (out + 1) % kTile8.ports;
      out_.push_back(out);
      PortMask edges = 0;
      if (i == 0) edges |= Bit(source_);
      if (i == switches - 1) edges |= Bit(out);
      switches_.push_back(std::make_unique<AckRig>(kTile8, edges));
    }
    destination_ = out_.back();
    for (int i = 0; i < switches; ++i) {  // own addresses (3, 9 + i)
      AckRig& rig = *switches_[static_cast<std::size_t>(i)];
      rig.Write(WriteRegister(kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress),
                              SwitchAddress{3, 9 + i}.ToBits()));
      rig.Write(
          WriteRegister(kAllPorts, CfgSpace::kRouteSwitch, 9 + switches - 1, Bit(out_[static_cast<std::size_t>(i)])));
    }
    for (auto& rig : switches_) rig->Run(60 - rig->now());
  }

  /// Sends a packet and lets it, and its ack, go all the way; the acks on the NIC's link.
  std::vector<AckReturn> Send() {
    constexpr Cycle kWire = 7;  // cable
    Header header = HeaderFrom(FabricAddress(3, 9, source_), FabricAddress(3, 9 + Last(), destination_), 0, 200);
    header.flow = 5;
    switches_[0]->Send(source_, header);
    std::vector<AckReturn> at_nic;
    std::map<Cycle, std::pair<int, HeaderBits>> packets;
    std::map<Cycle, std::pair<int, Ack>> acks;
    for (int i = 0; i < 3000; ++i) {
      for (int s = 0; s <= Last(); ++s) {
        AckRig& rig = *switches_[static_cast<std::size_t>(s)];
        if (const auto due = packets.find(rig.now()); due != packets.end() && due->second.first == s) {
          rig.Send(in_[static_cast<std::size_t>(s)], due->second.second.Unpack());
        }
        if (const auto due = acks.find(rig.now()); due != acks.end() && due->second.first == s) {
          rig.SendAck(out_[static_cast<std::size_t>(s)], due->second.second);
        }
      }
      for (int s = 0; s <= Last(); ++s) {
        AckRig& rig = *switches_[static_cast<std::size_t>(s)];
        rig.departures.clear();
        rig.acks.clear();
        rig.Step();
        for (const Departure& departure : rig.departures) {
          EXPECT_EQ(departure.port, out_[static_cast<std::size_t>(s)]);
          if (s < Last()) packets[departure.take + kTakeToWire + kWire] = {s + 1, departure.header};
        }
        for (const AckReturn& ack : rig.acks) {
          EXPECT_EQ(ack.port, in_[static_cast<std::size_t>(s)]) << "not the way that the packet came";
          if (s == 0) {
            at_nic.push_back(ack);
          } else {
            acks[ack.wire + kWire] = {s - 1, ack.ack};
          }
        }
      }
      in_flight_ = std::max(in_flight_, switches_[0]->device().flows().cells(source_, 5));
    }
    return at_nic;
  }

  int Last() const { return static_cast<int>(switches_.size()) - 1; }
  std::uint32_t in_flight() const { return in_flight_; }
  const AckRig& first() const { return *switches_.front(); }
  AckRig& at(int s) { return *switches_[static_cast<std::size_t>(s)]; }
  int source() const { return source_; }
  int out(int s) const { return out_[static_cast<std::size_t>(s)]; }

 private:
  static int Port(std::uint32_t seed, std::uint32_t draw) {
    return static_cast<int>(Scramble(seed ^ Scramble(draw)) % kTile8.ports);
  }

  int source_;
  int destination_;
  std::vector<int> in_;
  std::vector<int> out_;
  std::vector<std::unique_ptr<AckRig>> switches_;
  std::uint32_t in_flight_ = 0;
};

TEST(WayBack, LeadsThroughOneToSixSwitchesToTheSourcesNic) {
  for (int switches = 1; switches <= 6; ++switches) {
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
      Row row(switches, seed);
      const std::vector<AckReturn> acks = row.Send();
      ASSERT_EQ(acks.size(), 1u) << switches << " switches, seed " << seed;
      EXPECT_EQ(acks[0].port, row.source());
      EXPECT_EQ(acks[0].ack.hops, 0);
      EXPECT_EQ(acks[0].ack.cells, CellsOf(200));
      EXPECT_EQ(row.in_flight(), static_cast<std::uint32_t>(CellsOf(200)));
      EXPECT_EQ(row.at(0).device().flows().size(), 0u) << "all is home";
      EXPECT_EQ(row.at(0).Count(row.source(), Counter::kAcksIn), 1u);
      EXPECT_EQ(row.at(row.Last()).Count(row.out(row.Last()), Counter::kAcksMade), 1u);
      for (int s = 0; s < switches; ++s) EXPECT_EQ(row.at(s).Count(Counter::kBadAcks), 0u);
    }
  }
}

TEST(WayBack, EndsAtTheSeventhSwitch) {
  Row row(7, 1);
  EXPECT_EQ(row.Send().size(), 0u);
  EXPECT_EQ(row.at(6).Count(row.out(6), Counter::kBadAcks), 1u);
  EXPECT_EQ(row.at(0).device().flows().cells(row.source(), 5), static_cast<std::uint32_t>(CellsOf(200)))
      << "cells of what is not acknowledged stay in the account";
}

}  // namespace
}  // namespace tilefly::golden
