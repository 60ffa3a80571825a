// SPDX-License-Identifier: Apache-2.0
// The golden device at word level: good, damaged, stomped, broken and garbage words, conversions, replication, PAUSE.
#include <gtest/gtest.h>

#include <random>

#include "testbenches/lockstep/word_rig.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kStart = 100;

PortMode Fabric() {
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  return mode;
}
PortMode Standard() {
  PortMode mode;
  mode.enable = true;
  return mode;
}

Bytes RandomFrame(int length, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(length);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  Seal(&bytes);
  return bytes;
}

Frame Enhanced(int destination, int length, Kind kind = Kind::kEnhEth) {
  Frame frame;
  frame.enh = true;
  frame.header.kind = static_cast<std::uint8_t>(kind);
  frame.header.len = static_cast<std::uint16_t>(length);
  frame.header.tc = 2;
  frame.header.dst = Address(0, 0, destination);
  frame.bytes = RandomFrame(length, static_cast<unsigned>(length));
  return frame;
}

Frame Bare(const Mac& destination, int length) {
  Frame frame;
  frame.bytes = RandomFrame(length, static_cast<unsigned>(length));
  std::copy(destination.begin(), destination.end(), frame.bytes.begin());
  frame.bytes[12] = 0x08;
  frame.bytes[13] = 0x00;
  frame.bytes[15] = 5 << 5;  // DSCP 40: class 5
  Seal(&frame.bytes);
  return frame;
}

/// Nothing is left inside.
void ExpectDrained(WordRig* rig) {
  EXPECT_EQ(rig->device.frames(), 0u);
  EXPECT_EQ(rig->device.golden_switch().packets(), 0u);
  for (int p = 0; p < rig->device.radix(); ++p) EXPECT_EQ(rig->device.Observe().ports[p].ibuf_cells, 0);
}

TEST(GoldenDevice, CarriesAFabricPacketIn63CyclesByteForByte) {
  for (const int length : {32, 49, 64, 100, 1024, 4224}) {
    WordRig rig(kTile8);
    rig.WriteMode(127, Fabric());
    Frame frame = Enhanced(6, length);
    frame.header.hop = 2;
    rig.Send(1, kStart, frame);
    rig.RunTo(kStart + 600);
    ASSERT_EQ(rig.received[6].size(), 1u) << length;
    const auto& packet = rig.received[6][0];
    EXPECT_EQ(packet.first, kStart + 63 + (length == 4224 ? 4 : 0));
    EXPECT_EQ(packet.bytes, frame.bytes);
    Header expected = frame.header;
    expected.vl = 2;  // class of an edge port
    expected.path = 1 << 6;  // the port that it came in by, as the third switch
    expected.hop = 3;
    EXPECT_EQ(packet.header, expected);
    EXPECT_EQ(rig.Count(1, Counter::kRxPackets), 1u);
    EXPECT_EQ(rig.Count(6, Counter::kTxPackets), 1u);
    ExpectDrained(&rig);
  }
}

TEST(GoldenDevice, KeepsTheRateOfFewerLanes) {
  for (int lanes = 1; lanes <= 4; ++lanes) {
    WordRig rig(kTile8);
    PortMode mode = Fabric();
    mode.lanes = static_cast<std::uint8_t>(lanes);
    rig.WriteMode(127, mode);
    const Frame frame = Enhanced(6, 2000);
    rig.Send(1, kStart, frame, lanes);
    rig.RunTo(kStart + 1500);
    ASSERT_EQ(rig.received[6].size(), 1u);
    EXPECT_EQ(rig.received[6][0].bytes, frame.bytes);
    ExpectDrained(&rig);
  }
}

TEST(GoldenDevice, StoresAndForwardsABareFrameToItsAlgorithmicAddress) {
  WordRig rig(kTile8);
  rig.WriteMode(127, Standard());
  const Frame frame = Bare(AddressMac(Address(0, 0, 5)), 200);
  rig.Send(2, kStart, frame);
  rig.RunTo(kStart + 200);
  ASSERT_EQ(rig.received[5].size(), 1u);
  EXPECT_FALSE(rig.received[5][0].enh);
  EXPECT_EQ(rig.received[5][0].first, kStart + 6 + 63) << "stored: from the last word on";
  EXPECT_EQ(rig.received[5][0].bytes, frame.bytes);
  ExpectDrained(&rig);
}

TEST(GoldenDevice, GivesABareFrameAHeader) {
  WordRig rig(kTile8);
  rig.WriteMode(127, Standard());
  rig.WriteMode(5, Fabric());
  const Frame frame = Bare(AddressMac(Address(0, 0, 5)), 100);
  rig.Send(2, kStart, frame);
  rig.RunTo(kStart + 200);
  ASSERT_EQ(rig.received[5].size(), 1u);
  Header expected;
  expected.kind = static_cast<std::uint8_t>(Kind::kStd);
  expected.len = 100;
  expected.tc = expected.vl = 5;
  expected.src = Address(0, 0, 2);
  expected.dst = Address(0, 0, 5);
  expected.hop = 1;
  EXPECT_EQ(rig.received[5][0].header, expected);
  EXPECT_EQ(rig.received[5][0].bytes, frame.bytes);
}

TEST(GoldenDevice, StompsWhatWasDamagedAtACutThroughPort) {
  for (const int length : {33, 48, 49, 50, 51, 64, 1000, 4224}) {
    WordRig rig(kTile8);
    rig.WriteMode(127, Fabric());
    Frame frame = Enhanced(3, length);
    frame.bytes[length - 6] ^= 1;
    rig.Send(0, kStart, frame);
    rig.RunTo(kStart + 600);
    ASSERT_EQ(rig.received[3].size(), 1u);
    Frame stomped = frame;
    Seal(&stomped.bytes, true);
    EXPECT_EQ(rig.received[3][0].bytes, stomped.bytes) << length;
    EXPECT_EQ(rig.Count(0, Counter::kRxDamaged), 1u);
    EXPECT_EQ(rig.Count(3, Counter::kTxStomped), 1u);

    // What arrives stomped is only counted as such.
    rig.Send(3, 2000, stomped);
    rig.RunTo(2600);
    EXPECT_EQ(rig.Count(3, Counter::kRxStomped), 1u);
    EXPECT_EQ(rig.Count(3, Counter::kRxDamaged), 0u);
    ExpectDrained(&rig);
  }
}

TEST(GoldenDevice, FillsMissingWordsWithZerosAndStomps) {
  WordRig rig(kTile8);
  rig.WriteMode(127, Fabric());
  const Frame frame = Enhanced(3, 320);
  for (int k = 0; k < 5; ++k) rig.Put(0, kStart + k, MakeWord(frame, k));
  rig.RunTo(kStart + 200);
  ASSERT_EQ(rig.received[3].size(), 1u);
  Bytes expected = frame.bytes;
  std::fill(expected.begin() + 5 * 32 - 16, expected.end(), 0);
  Seal(&expected, true);
  EXPECT_EQ(rig.received[3][0].bytes, expected);
  ExpectDrained(&rig);
}

TEST(GoldenDevice, DropsAndCountsWhatAStoringPortCannotUse) {
  WordRig rig(kTile8);
  rig.WriteMode(127, Standard());
  const Mac to = AddressMac(Address(0, 0, 5));
  Frame fcs = Bare(to, 100), stomped = fcs, control = Bare(kPauseMac, 64);
  fcs.bytes[50] ^= 1;
  Seal(&stomped.bytes, true);
  control.bytes[12] = 0x88;
  control.bytes[13] = 0x08;
  Seal(&control.bytes);
  rig.Send(2, 100, fcs);
  rig.Send(2, 110, stomped);
  rig.Send(2, 120, control);
  Frame broken = Bare(to, 200);
  for (int k = 0; k < 3; ++k) rig.Put(2, 130 + k, MakeWord(broken, k));  // BROKEN
  for (int k = 4; k < 7; ++k) rig.Put(2, 130 + k, MakeWord(broken, k));  // stray
  rig.Send(2, 140, Bare(to, 40));                                        // SHORT
  const Frame too_long = Bare(to, 4224 + 64);
  rig.Send(2, 150, too_long);
  rig.Send(2, 400, Bare(AddressMac(Address(0, 1, 5)), 64));                 // NO_ROUTE
  rig.Send(2, 410, Bare({2, 3, 4, 5, 6, 7}, 64));                           // UNKNOWN_MAC
  Frame header = Enhanced(5, 100);
  header.header.kind = static_cast<std::uint8_t>(Kind::kAck);
  rig.Send(2, 420, header);
  Frame hops = Enhanced(5, 100);
  hops.header.hop = static_cast<std::uint8_t>(kTile8.hop_limit);
  rig.Send(2, 430, hops);
  rig.RunTo(700);
  for (const Drop reason : {Drop::kFcs, Drop::kStomped, Drop::kControl, Drop::kBroken, Drop::kShort, Drop::kLong, Drop::kNoRoute,
                            Drop::kUnknownMac, Drop::kHeader, Drop::kHopLimit}) {
    EXPECT_EQ(rig.Count(2, reason), 1u) << ToString(reason);
  }
  EXPECT_EQ(rig.Count(2, Counter::kRxStray), 3u + 2u + 3u);
  EXPECT_TRUE(rig.received[5].empty());
  ExpectDrained(&rig);
}

TEST(GoldenDevice, ReplicatesToAllFloodPortsButTheOneItCameFrom) {
  WordRig rig(kTile8);
  rig.WriteMode(127, Standard());
  rig.Write(CfgSpace::kPort, 127, static_cast<int>(PortReg::kFloodBroadcast), 0xFF);
  const Frame frame = Bare({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, 300);
  rig.Send(4, kStart, frame);
  rig.RunTo(kStart + 400);
  for (int p = 0; p < 8; ++p) {
    ASSERT_EQ(rig.received[p].size(), p == 4 ? 0u : 1u);
    if (p == 4) continue;
    EXPECT_EQ(rig.received[p][0].bytes, frame.bytes);
  }
  EXPECT_EQ(rig.Count(4, Counter::kRxPackets), 1u);
  ExpectDrained(&rig);
}

TEST(GoldenDevice, ConvertsEnhancedFramesAtAStandardPort) {
  WordRig rig(kTile8);
  rig.WriteMode(127, Fabric());
  rig.WriteMode(7, Standard());
  const Frame eth = Enhanced(7, 40);
  const Frame ip = Enhanced(7, 60, Kind::kEnhIp);
  rig.Send(0, 100, eth);
  rig.Send(0, 110, ip);
  rig.RunTo(300);
  ASSERT_EQ(rig.received[7].size(), 1u) << "no Ethernet header is configured yet";
  EXPECT_EQ(rig.Count(7, Drop::kNoEthHeader), 1u);
  Bytes padded(eth.bytes.begin(), eth.bytes.end() - 4);
  padded.resize(64);
  Seal(&padded);
  EXPECT_EQ(rig.received[7][0].bytes, padded);

  rig.Write(CfgSpace::kPort, 7, static_cast<int>(PortReg::kEthLo), 0x0807060504030201);
  constexpr PortEthHi kEthHi{{0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E}, true};
  rig.Write(CfgSpace::kPort, 7, static_cast<int>(PortReg::kEthHi), kEthHi.ToBits());
  rig.Send(0, 400, ip);
  rig.RunTo(600);
  ASSERT_EQ(rig.received[7].size(), 2u);
  Bytes expected;
  for (int i = 1; i <= 14; ++i) expected.push_back(static_cast<std::uint8_t>(i));
  expected.insert(expected.end(), ip.bytes.begin(), ip.bytes.end());
  Seal(&expected);
  EXPECT_EQ(rig.received[7][1].bytes, expected);
  ExpectDrained(&rig);
}

TEST(GoldenDevice, ObeysPause) {
  WordRig rig(kTile8);
  rig.WriteMode(127, Standard());
  Frame pause;
  pause.bytes = PauseFrame(AddressMac(0), 100);
  rig.Send(5, kStart, pause);  // ends in kStart + 1, known in kStart + 5
  const Frame frame = Bare(AddressMac(Address(0, 0, 5)), 64);
  rig.Send(2, kStart + 5, frame);
  rig.RunTo(kStart + 600);
  ASSERT_EQ(rig.received[5].size(), 1u);
  // A quiet decision is 33 cycles before the first word.
  EXPECT_EQ(rig.received[5][0].first, kStart + 5 + 200 + 33);
  EXPECT_EQ(rig.Count(5, Counter::kRxPause), 1u);
  EXPECT_EQ(rig.Count(5, Drop::kControl), 1u);
  ExpectDrained(&rig);
}

TEST(GoldenDevice, SendsPauseWhenItsBufferFills) {
  WordRig rig(kTile8);
  PortMode mode = Standard();
  rig.WriteMode(127, mode);
  rig.Write(CfgSpace::kPort, 2, static_cast<int>(PortReg::kPause), PortPause::Of(180, 80, /*send=*/true).ToBits());
  // 5 cells a frame, and the reserve of an MTU, 89, while it comes: XOFF at 19 frames, and never below 80 again.
  rig.SetLink(5, false);
  for (int i = 0; i < 40; ++i) rig.Send(2, kStart + 10 * i, Bare(AddressMac(Address(0, 0, 5)), 200));
  rig.RunTo(1000);
  ASSERT_EQ(rig.received[2].size(), 1u);
  EXPECT_EQ(rig.received[2][0].bytes, PauseFrame(AddressMac(Address(0, 0, 2)), 65535));
  rig.SetLink(5, true);
  rig.RunTo(2000);
  ASSERT_EQ(rig.received[2].size(), 2u);
  EXPECT_EQ(rig.received[2][1].bytes, PauseFrame(AddressMac(Address(0, 0, 2)), 0));
  EXPECT_EQ(rig.received[5].size(), 40u);
  EXPECT_EQ(rig.Count(2, Counter::kTxPause), 2u);
  ExpectDrained(&rig);
}

TEST(GoldenDevice, IsIdleAgainAfterGarbage) {
  for (const bool fabric : {false, true}) {
    WordRig rig(kTile8);
    rig.WriteMode(127, fabric ? Fabric() : Standard());
    rig.Write(CfgSpace::kPort, 127, static_cast<int>(PortReg::kFloodUnknown), 0xFF);
    rig.Write(CfgSpace::kPort, 127, static_cast<int>(PortReg::kFloodMulticast), 0x0F);
    std::mt19937 random(11);
    for (Cycle at = kStart; at < kStart + 5000; ++at) {
      for (int port = 0; port < 8; ++port) {
        if (random() % 4 == 0) continue;
        Word word;
        for (auto& byte : word.data) byte = static_cast<std::uint8_t>(random());
        word.valid = true;
        word.sop = random() % 8 == 0;
        word.eop = random() % 8 == 0;
        word.enh = random() % 2 == 0;
        word.err = random() % 64 == 0;
        word.last = static_cast<std::uint8_t>(random() % 32);
        if (word.sop && word.enh && random() % 4 != 0) {
          Header header = Enhanced(static_cast<int>(random() % 9), 32 + static_cast<int>(random() % 200)).header;
          header.PackBytes(word.data.data());
        }
        rig.Put(port, at, word);
      }
    }
    rig.RunTo(kStart + 20000);
    // Where credits are needed none came back: what waits for them is not lost.
    if (!fabric) ExpectDrained(&rig);
    EXPECT_GT(rig.Count(0, Drop::kHeader), 0u);
    EXPECT_GT(rig.Count(0, Counter::kRxStray), 0u);
  }
}

}  // namespace
}  // namespace tilefly::cosim
