// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/acks.md bite (ACK-1 to ACK-3), and hold under traffic.
#include "golden/acks/ack_checker.h"
#include "testbenches/acks/ack_rig.h"
#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::golden {
namespace {

constexpr int kPort = 3, kPorts = 8, kCells = 2;
constexpr Payload kPayload = 17;

Header Leaving(int hop = 2) {
  Header header = HeaderFrom(FabricAddress(8, 4, 5), FabricAddress(3, 9, kPort), hop);
  header.flow = 9;
  header.path = 0x155;
  return header;
}
Ack AnswerTo(const Header& header) {
  Ack ack;
  ack.flow = header.flow;
  ack.cells = kCells;
  ack.hops = static_cast<std::uint8_t>(header.hop - 1);
  ack.port = header.src & 63;
  ack.path = header.path;
  return ack;
}
std::string Broken(const AckChecker& books, const FlowAccount& account = {}) {
  Audit audit;
  books.Check(account, &audit);
  EXPECT_GE(audit.judged(), 3);
  return bench::BrokenIds(audit);
}

/// A packet leaves, damaged or not, and an ack is made or not.
std::string Leaves(const Header& header, bool damaged, const Ack* ack, bool metered = false) {
  AckChecker books;
  books.Begun(kPayload);
  if (damaged) books.Damaged(kPayload);
  books.Taken(100, kPort, HeaderBits(header), kCells, kPayload);
  books.EndCycle(99, kPorts);
  if (ack != nullptr) books.Made(kPort, *ack, metered);
  books.EndCycle(100, kPorts);
  return Broken(books);
}

TEST(AckInvariants, AnAckThatIsMissingOrTooManyBreaksAck1) {
  const Ack ack = AnswerTo(Leaving());
  EXPECT_EQ(Leaves(Leaving(), false, &ack), "");
  EXPECT_EQ(Leaves(Leaving(), false, nullptr), "ACK-1");
  EXPECT_EQ(Leaves(Leaving(), true, nullptr), "");
  EXPECT_EQ(Leaves(Leaving(), true, &ack), "ACK-1");
  Header replicated = Leaving();
  replicated.dst = HeaderBits::kReplicated;
  EXPECT_EQ(Leaves(replicated, false, nullptr), "");
  EXPECT_EQ(Leaves(replicated, false, &ack), "ACK-1");
  const Ack far = AnswerTo(Leaving(7));
  EXPECT_EQ(Leaves(Leaving(7), false, nullptr), "");
  EXPECT_EQ(Leaves(Leaving(7), false, &far), "ACK-1");
  AckChecker books;
  books.Made(kPort, ack);
  books.EndCycle(5, kPorts);
  EXPECT_EQ(Broken(books), "ACK-1") << "of no packet";
}

TEST(AckInvariants, AnAckThatSaysSomethingElseBreaksAck1) {
  for (const auto change :
       {+[](Ack* ack) { ack->flow ^= 1; }, +[](Ack* ack) { ++ack->cells; }, +[](Ack* ack) { ++ack->hops; },
        +[](Ack* ack) { ++ack->port; }, +[](Ack* ack) { ack->path ^= 64; }, +[](Ack* ack) { ack->mark = true; }}) {
    Ack ack = AnswerTo(Leaving());
    change(&ack);
    EXPECT_EQ(Leaves(Leaving(), false, &ack), "ACK-1");
  }
}

/// An ack of a port with a meter tells of the packet's flow channel, and no other ack does.
TEST(AckInvariants, FieldsOfFlowChannelsOfAnotherPacketBreakAck1) {
  Header header = Leaving();
  header.gen = true;
  header.tc = 5;
  Ack plain = AnswerTo(header), metered = plain;
  metered.mark = true;
  metered.share = 77;
  metered.gen = true;
  metered.tc = 5;
  metered.dst = header.dst;
  EXPECT_EQ(Leaves(header, false, &plain, false), "");
  EXPECT_EQ(Leaves(header, false, &metered, true), "");
  EXPECT_EQ(Leaves(header, false, &metered, false), "ACK-1");
  EXPECT_EQ(Leaves(header, false, &plain, true), "ACK-1");
  for (const auto change : {+[](Ack* ack) { ack->gen = !ack->gen; }, +[](Ack* ack) { ack->by_class = !ack->by_class; },
                            +[](Ack* ack) { ack->tc ^= 1; }, +[](Ack* ack) { ack->dst ^= 1; }}) {
    for (const bool with : {false, true}) {
      Ack ack = with ? metered : plain;
      change(&ack);
      EXPECT_EQ(Leaves(header, false, &ack, with), "ACK-1");
    }
  }
  plain.share = 1;
  EXPECT_EQ(Leaves(header, false, &plain, false), "ACK-1");
}

TEST(AckInvariants, CellsThatNobodySentBreakAck2) {
  AckChecker books;
  FlowAccount account;
  books.Entered(kPort, HeaderBits(Leaving()), kCells, 1, false);
  EXPECT_EQ(Broken(books, account), "ACK-2");
  account.Enter(kPort, 9, kCells, nullptr);
  EXPECT_EQ(Broken(books, account), "");
  account.Enter(kPort, 10, kCells, nullptr);
  EXPECT_EQ(Broken(books, account), "ACK-2");
  account.Acknowledge(kPort, 10, kCells);
  books.Acknowledged(kPort, AnswerTo(Leaving()));
  EXPECT_EQ(Broken(books, account), "ACK-2");
  account.Acknowledge(kPort, 9, kCells);
  EXPECT_EQ(Broken(books, account), "");
}

TEST(AckInvariants, APathThatChangesWhilePacketsAreInFlightBreaksAck3) {
  for (const bool in_flight : {true, false}) {
    AckChecker books;
    FlowAccount account;
    const auto enter = [&](int output) {
      books.Entered(kPort, HeaderBits(Leaving(0)), kCells, output, true);
      account.Enter(kPort, 9, kCells, nullptr);
    };
    enter(1);
    enter(1);
    EXPECT_EQ(Broken(books, account), "");
    for (int i = 0; i < (in_flight ? 1 : 2); ++i) {
      books.Acknowledged(kPort, AnswerTo(Leaving()));
      account.Acknowledge(kPort, 9, kCells);
    }
    enter(2);
    EXPECT_EQ(Broken(books, account), in_flight ? "ACK-3" : "");
  }
}

/// Half of the ports are edge ports whose packets go to one another and away, the others bring packets and acks.
void HoldUnderTraffic(const Profile& profile) {
  const bench::Stimulus random(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  const PortMask edges = 0x5555555555555555u & (~PortMask{0} >> (kMaxPorts - profile.ports));
  AckRig rig(profile, edges);
  for (int group = 0; group < 8; ++group) {
    rig.Write(WriteRegister(kAllPorts, CfgSpace::kRouteGroup, group,
                            ~edges & static_cast<PortMask>(0x0f) << 4 * (group % 2)));
  }
  rig.Settle();
  std::vector<Cycle> free(static_cast<std::size_t>(profile.ports));
  const Cycle end = rig.now() + bench::CyclesOf(bench::TierFromEnvironment()) / profile.ports;
  std::size_t answered = 0;
  while (rig.now() < end) {
    const Cycle now = rig.now();
    for (int port = 0; port < profile.ports; ++port) {
      const auto index = static_cast<std::uint32_t>(port);
      const bool edge = (edges & Bit(port)) != 0;
      if (now < free[index] || !random.Chance(60, "start", now, index)) continue;
      const int length = random.Between(32, 300, "length", now, index);
      const int to =
          2 * static_cast<int>(random.Below(static_cast<std::uint64_t>(profile.ports / 2), "to", now, index));
      const bool away = edge && random.Chance(128, "away", now, index);
      Header header = HeaderFrom(
          edge ? AckRig::Own(port) : FabricAddress(8, 4, 2),
          away ? FabricAddress(static_cast<int>(random.Below(8, "group", now, index)), 1, 1) : AckRig::Own(to),
          edge ? 0 : random.Between(1, 8, "hop", now, index), length);
      if (header.dst >> 6 == AckRig::kOwn.ToBits() && away) continue;
      header.flow = static_cast<std::uint16_t>(random.Below(4, "flow", now, index));
      header.ordered = random.Chance(128, "ordered", now, index);
      header.mode = static_cast<std::uint8_t>(random.Below(8, "mode", now, index));
      rig.Send(port, header);
      free[index] = now + CeilDiv(length + 16, kWordBytes);
    }
    // What left by other ports is acknowledged in the next cycle.
    for (PortMask sent = 0; answered < rig.departures.size(); ++answered) {
      const Departure& departure = rig.departures[answered];
      if ((edges & Bit(departure.port)) != 0 || departure.header.hop() != 1) continue;
      if ((sent & Bit(departure.port)) != 0) break;
      sent |= Bit(departure.port);
      Ack ack;
      ack.load = static_cast<std::uint16_t>(random.Below(4096, "load", now, departure.payload));
      ack.flow = static_cast<std::uint16_t>(departure.header.flow());
      ack.cells = static_cast<std::uint8_t>(CellsOf(departure.length));
      ack.port = static_cast<std::uint8_t>(departure.header.source() & 63);
      rig.SendAck(departure.port, ack);
    }
    rig.Step();
  }
  rig.Drain();
  EXPECT_GT(rig.Count(Counter::kAcksMade), static_cast<std::uint64_t>(profile.ports));
  EXPECT_GT(rig.Count(Counter::kAcksIn), static_cast<std::uint64_t>(profile.ports));
  EXPECT_GT(rig.Count(Counter::kBadAcks), 0u);
}

TEST(AckInvariants, HoldUnderTrafficOf8Ports) { HoldUnderTraffic(kTile8); }
TEST(AckInvariants, HoldUnderTrafficOf64Ports) { HoldUnderTraffic(kRosetta64); }

}  // namespace
}  // namespace tilefly::golden
