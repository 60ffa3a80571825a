// SPDX-License-Identifier: Apache-2.0
// The golden small-operand engine against docs/blocks/reduction-trees.md, Small-operand engine. Packets are written and
// read here bit by bit, as the page's table has them.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "golden/reduction/repsum.h"
#include "testbenches/reduction/red_rig.h"

namespace tilefly::golden {
namespace {

constexpr PortMask kChildren = 0b0001'0110;  // ports 1, 2, 4
constexpr int kParent = 7;
constexpr int kGroup = 6;

/// The published packet.
struct SmallPacket {
  std::uint32_t cookie = 0xC00C1E5u;
  int pad = 0;
  int ovfl = 0;
  int m = 0;
  int rc = 0;
  int resno = 0x155;
  int count = 1;
  int op = 0;
  bool arm = false;
  int seqno = 0;
  std::array<std::uint64_t, 4> lanes{};

  std::vector<std::uint8_t> Pack() const {
    std::vector<bool> bits;
    const auto put = [&](std::uint64_t value, int width) {
      for (int i = width; i-- > 0;) bits.push_back((value >> i & 1) != 0);
    };
    put(cookie, 32);
    put(static_cast<unsigned>(pad), 3);
    put(static_cast<unsigned>(ovfl), 2);
    put(static_cast<unsigned>(m) & 0xFF, 8);
    put(static_cast<unsigned>(rc), 4);
    put(static_cast<unsigned>(resno), 10);
    put(static_cast<unsigned>(count), 20);
    put(static_cast<unsigned>(op), 6);
    put(arm, 1);
    put(static_cast<unsigned>(seqno), 10);
    EXPECT_EQ(bits.size(), 96u);
    std::vector<std::uint8_t> packet(49);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (bits[i]) packet[5 + i / 8] = static_cast<std::uint8_t>(packet[5 + i / 8] | 0x80 >> i % 8);
    }
    std::memcpy(&packet[17], lanes.data(), sizeof lanes);
    return packet;
  }
  static SmallPacket Read(const std::vector<std::uint8_t>& packet) {
    std::size_t at = 0;
    const auto get = [&](int width) {
      unsigned value = 0;
      for (int i = 0; i < width; ++i, ++at) value = value << 1 | (packet[5 + at / 8] >> (7 - at % 8) & 1);
      return value;
    };
    SmallPacket small;
    small.cookie = get(32);
    small.pad = static_cast<int>(get(3));
    small.ovfl = static_cast<int>(get(2));
    small.m = static_cast<std::int8_t>(get(8));
    small.rc = static_cast<int>(get(4));
    small.resno = static_cast<int>(get(10));
    small.count = static_cast<int>(get(20));
    small.op = static_cast<int>(get(6));
    small.arm = get(1) != 0;
    small.seqno = static_cast<int>(get(10));
    std::memcpy(small.lanes.data(), &packet[17], sizeof small.lanes);
    return small;
  }
};

Red SmallHeader(RedWhat what) {
  Red red;
  red.what = static_cast<std::uint8_t>(what);
  red.group = kGroup;
  red.bytes = 49;
  return red;
}

class SmallRig : public RedRig {
 public:
  explicit SmallRig(std::uint32_t timeout = 0) : RedRig(kTile8) {
    SetTree(kGroup, {kChildren, 0, kParent, true, timeout});
  }
  void Up(int port, const SmallPacket& packet) { Send(port, now(), SmallHeader(RedWhat::kSmall), packet.Pack()); }
  void Down(const SmallPacket& packet) { Send(kParent, now(), SmallHeader(RedWhat::kSmallResult), packet.Pack()); }
  std::vector<SmallPacket> Told(int port, RedWhat what) const {
    std::vector<SmallPacket> packets;
    for (const Got& packet : GotAt(port, what)) packets.push_back(SmallPacket::Read(packet.data));
    return packets;
  }
};

TEST(SmallOperands, GoOnAtOnceUntilTheRootHasArmedTheEngine) {
  SmallRig rig;
  SmallPacket packet;
  packet.op = 0x14;  // INT_SUM
  packet.seqno = 9;
  packet.lanes = {1, 2, 3, 4};
  rig.Up(1, packet);
  rig.Drain();
  ASSERT_EQ(rig.Told(kParent, RedWhat::kSmall).size(), 1u);
  packet.arm = true;
  rig.Down(packet);
  rig.Drain();
  for (const int p : {1, 2, 4}) {
    const auto down = rig.Told(p, RedWhat::kSmallResult);
    ASSERT_EQ(down.size(), 1u);
    EXPECT_TRUE(down[0].arm);
    EXPECT_EQ(down[0].lanes[3], 4u);
  }
  // Armed: it waits for all, adds up, and is not armed any more.
  packet.arm = false;
  packet.seqno = 17;
  rig.Up(4, packet);
  rig.Up(2, packet);
  rig.RunTo(rig.now() + 1000);
  EXPECT_EQ(rig.Told(kParent, RedWhat::kSmall).size(), 1u);
  rig.Up(1, packet);
  rig.Drain();
  const auto up = rig.Told(kParent, RedWhat::kSmall);
  ASSERT_EQ(up.size(), 2u);
  EXPECT_EQ(up[1].count, 3);
  EXPECT_EQ(up[1].rc, 0);
  EXPECT_EQ(up[1].seqno, 17);
  EXPECT_EQ(up[1].cookie, packet.cookie);
  EXPECT_EQ(up[1].resno, packet.resno);
  EXPECT_EQ(up[1].op, 0x14);
  EXPECT_EQ(up[1].lanes, (std::array<std::uint64_t, 4>{3, 6, 9, 12}));
  EXPECT_EQ(rig.GotAt(kParent, RedWhat::kSmall)[1].length, 69);
}

TEST(SmallOperands, SendAPartialResultWhenTheTimeIsOver) {
  SmallRig rig(500);
  SmallPacket packet;
  packet.op = 0x10;  // INT_MIN
  packet.arm = true;
  rig.Down(packet);
  rig.Drain();
  packet.arm = false;
  packet.lanes = {5, 6, 7, 8};
  rig.Up(1, packet);
  const Cycle sent = rig.now() + 2;  // its last word
  packet.lanes = {9, 1, 9, 1};
  rig.RunTo(rig.now() + 100);
  rig.Up(2, packet);
  rig.Drain();
  const auto up = rig.GotAt(kParent, RedWhat::kSmall);
  ASSERT_EQ(up.size(), 1u);
  // Its report stands in the cycle after e: since; the launch is in since + timeout.
  const Cycle launch = sent + 4 + 1 + 500;
  EXPECT_EQ(up[0].take, launch + rig.profile().red_delay + kParent / 2 + 2 + 1 + 1 + 25);
  const SmallPacket partial = SmallPacket::Read(up[0].data);
  EXPECT_EQ(partial.count, 2);
  EXPECT_EQ(partial.lanes, (std::array<std::uint64_t, 4>{5, 1, 7, 1}));
  packet.lanes = {2, 2, 2, 2};
  rig.Up(4, packet);
  rig.RunTo(rig.now() + 200);
  EXPECT_EQ(rig.Told(kParent, RedWhat::kSmall).size(), 2u);
}

/// Arms engine 0, lets the three children send, and returns what goes up.
SmallPacket Reduce(const std::array<SmallPacket, 3>& packets) {
  SmallRig rig;
  SmallPacket arm;
  arm.arm = true;
  rig.Down(arm);
  rig.Drain();
  const int ports[] = {1, 2, 4};
  for (std::size_t i = 0; i < 3; ++i) rig.Up(ports[i], packets[i]);
  rig.Drain();
  const auto up = rig.Told(kParent, RedWhat::kSmall);
  EXPECT_EQ(up.size(), 1u);
  return up.at(0);
}

std::uint64_t BitsOf(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

TEST(SmallOperands, TellTheGreatestCode) {
  std::array<SmallPacket, 3> packets;
  for (SmallPacket& packet : packets) packet.op = 0x28;
  packets[0].lanes = {BitsOf(1.0), BitsOf(1.0), 0, 0};
  packets[1].lanes = {BitsOf(1.0), BitsOf(0x1p-60), 0, 0};
  EXPECT_EQ(Reduce(packets).rc, 1);
  packets[2].lanes = {BitsOf(1.0), 0, 0x7ff0000000000001, 0};
  EXPECT_EQ(Reduce(packets).rc, 4);
  packets[1].rc = 6;
  EXPECT_EQ(Reduce(packets).rc, 6);
  packets[0].count = 0xFFFFF;
  EXPECT_EQ(Reduce(packets).rc, 7);
  EXPECT_EQ(Reduce(packets).count, 1);
  packets[2].op = 0x29;
  const SmallPacket differ = Reduce(packets);
  EXPECT_EQ(differ.rc, 8);
  EXPECT_EQ(differ.lanes, (std::array<std::uint64_t, 4>{}));
  for (SmallPacket& packet : packets) packet = {};
  packets[1].op = packets[0].op = packets[2].op = 0x3F;
  EXPECT_EQ(Reduce(packets).rc, 8);
}

TEST(SmallOperands, SumReproducibly) {
  const double values[] = {1e300, -3.25e-200, 0.1};
  std::array<SmallPacket, 3> packets;
  RepSum expected;
  for (std::size_t i = 0; i < 3; ++i) {
    const RepSum one = FromDouble(values[i]);
    expected = i == 0 ? one : Add(expected, one);
    packets[i].op = 0x30;
    packets[i].lanes = one.t;
    packets[i].m = one.m;
  }
  const SmallPacket up = Reduce(packets);
  EXPECT_EQ(up.lanes, expected.t);
  EXPECT_EQ(up.m, expected.m);
  EXPECT_EQ(up.pad, expected.low);
  EXPECT_EQ(up.ovfl, expected.ovfl);
  EXPECT_EQ(up.pad, 5);
}

TEST(SmallOperands, OfTheWrongEngineOrLengthAreOfNoUse) {
  SmallRig rig;
  Red red = SmallHeader(RedWhat::kShort);
  rig.Send(1, rig.now(), red, std::vector<std::uint8_t>(49));
  rig.RunTo(rig.now() + 100);
  EXPECT_EQ(rig.Count(1, Counter::kRedRefused), 1u);
  rig.Send(2, rig.now(), SmallHeader(RedWhat::kSmall), std::vector<std::uint8_t>(48));
  rig.Drain();
  const auto told = rig.GotAt(4, RedWhat::kFail);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].red.code, static_cast<int>(RedCode::kFormat));
}

}  // namespace
}  // namespace tilefly::golden
