// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/link.md (LINK-1 to LINK-4) and of the SerDes lanes in docs/blocks/link_retry.md (LSV-5,
// LSV-6) bite.
#include <gtest/gtest.h>

#include "golden/link/check.h"
#include "golden/link/mac_in.h"
#include "golden/link/mac_out.h"
#include "golden/link/serdes_lanes.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {
namespace {

using bench::BrokenIds;

constexpr int kPort = 2;
constexpr Cycle kNow = 100;

/// A MAC that has taken the first word of a bare frame in cycle kNow.
struct Receiving {
  Receiving() : in(kTile8, frames) {
    Word word;
    word.valid = word.sop = true;
    payload = in.Step(kNow, word, true, {false, true, 4}).arrival.payload;
  }
  std::string Broken(Cycle now) const {
    Audit audit;
    in.Check(now, kPort, &audit);
    EXPECT_GT(audit.judged(), 0);
    return BrokenIds(audit);
  }
  FrameStore frames;
  MacIn in;
  Payload payload;
};

TEST(LinkInvariants, AByteThatIsMissingBreaksLink1) {
  Receiving rig;
  EXPECT_EQ(rig.Broken(kNow), "");
  rig.frames[rig.payload].bytes.pop_back();
  EXPECT_EQ(rig.Broken(kNow), "LINK-1");
}

TEST(LinkInvariants, AWordThatIsOverdueBreaksLink4) {
  Receiving rig;
  EXPECT_EQ(rig.Broken(kNow + 1), "LINK-4");
}

/// A frame of 100 bytes that a link takes.
struct Sending {
  Sending() : out(frames) {}
  void Take(Cycle now, bool good) {
    Departure departure{};
    departure.take = now;
    departure.payload = frames.Allocate();
    std::vector<std::uint8_t>& bytes = frames[departure.payload].bytes;
    bytes.resize(100, 0x5a);
    const std::uint32_t crc = Crc32(0, bytes.data(), 96) ^ (good ? 0u : 1u);
    for (int i = 0; i < kFcsBytes; ++i) bytes[96 + i] = static_cast<std::uint8_t>(crc >> 8 * i);
    departure.format = FrameFormat::Of(false, Kind::kEnhEth, 100);
    departure.length = 100;
    departure.eth = -1;
    departure.serdes_lanes = 4;
    out.Queue(departure, {});
  }
  std::string Broken(Cycle now) const {
    Audit audit;
    out.Check(now, kPort, &audit);
    EXPECT_GT(audit.judged(), 0);
    return BrokenIds(audit);
  }
  FrameStore frames;
  MacOut out;
};

TEST(LinkInvariants, PacketsThatAreTakenTooSoonBreakLink2) {
  Sending rig;
  rig.Take(kNow, true);
  rig.Take(kNow + 4, true);
  EXPECT_EQ(rig.Broken(kNow + 4), "");
  rig.Take(kNow + 7, true);
  EXPECT_EQ(rig.Broken(kNow + 7), "LINK-2");
}

TEST(LinkInvariants, AWordThatIsNotSentInItsCycleBreaksLink2) {
  Sending rig;
  rig.Take(kNow, true);
  EXPECT_EQ(rig.Broken(kNow + 7), "");
  EXPECT_EQ(rig.Broken(kNow + 8), "LINK-2");
}

TEST(LinkInvariants, AWrongCheckThatIsNoStompBreaksLink3) {
  Sending rig;
  rig.Take(kNow, false);
  EXPECT_EQ(rig.Broken(kNow), "LINK-3");
}

/// What the check finds of the lanes of a port after a cycle with these inputs.
std::string BrokenAfter(SerdesLanes* lanes, const SerdesLanes::Inputs& in) {
  lanes->Step(kNow, in);
  Audit audit;
  lanes->Check(kPort, &audit);
  EXPECT_GT(audit.judged(), 0);
  return BrokenIds(audit);
}

TEST(LinkInvariants, AModeThatIsWrittenAmidAPacketBreaksLsv5) {
  SerdesLanes lanes;
  SerdesLanes::Inputs in;
  in.lanes = 2;
  EXPECT_EQ(BrokenAfter(&lanes, in), "");
  in.lanes = 3;
  in.mac_empty = false;
  EXPECT_EQ(BrokenAfter(&lanes, in), "LSV-5");
}

TEST(LinkInvariants, ALastLaneThatIsBadBreaksLsv6) {
  SerdesLanes lanes;
  SerdesLanes::Inputs in;
  in.retry = in.link_up = true;
  lanes.Preset({}, {}, 14);
  EXPECT_EQ(BrokenAfter(&lanes, in), "");
  lanes.Preset({}, {}, 15);
  EXPECT_EQ(BrokenAfter(&lanes, in), "LSV-6");
}

}  // namespace
}  // namespace tilefly::golden
