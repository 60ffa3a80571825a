// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/egress.md bite (EGR-1 to EGR-6), and LSV-7 and LSV-8 of docs/blocks/link_retry.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden/common/register_write.h"
#include "golden/egress/link_checker.h"
#include "golden/ports/output_port.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {
namespace {

using bench::BrokenIds;

constexpr int kOutput = 3;
constexpr Cycle kNow = 100;

/// A packet of `cells` from `input`, whose first cell arrives in cycle `now`.
void Bring(Context* context, OutputBuffer* buffer, Cycle now, int input, int cells) {
  const Index id = context->packets.Allocate();
  Packet& packet = context->packets[id];
  packet = Packet{};
  packet.input = static_cast<std::uint8_t>(input);
  packet.output = kOutput;
  packet.cells = static_cast<std::uint8_t>(cells);
  buffer->FirstCell(now, id);
}

TEST(EgressInvariants, RoomThatNobodyTookBreaksEgr1) {
  Context context(kTile8);
  GrantUnit grants(context);
  Audit audit;
  grants.Check(kOutput, 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  grants.FreeRoom(kOutput, 1);
  grants.Check(kOutput, 0, &audit);
  EXPECT_THAT(BrokenIds(audit), testing::HasSubstr("EGR-1"));
}

TEST(EgressInvariants, RoomThatIsNotHomeAfterTheDrainBreaksEgr1) {
  OutputPort port(kTile8, kOutput);
  PortMode mode;
  mode.enable = true;
  mode.std_format = false;
  OutputPort::Inputs inputs;
  inputs.cfg = WriteRegister(kOutput, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits());
  Cycle now = 0;
  port.Step(now++, inputs);
  inputs.cfg = Cfg{};
  while (now < 20) port.Step(now++, inputs);
  Audit audit;
  port.CheckDrained(&audit);
  EXPECT_EQ(BrokenIds(audit), "");
  inputs.requests = {{2, 5, 4, false}};
  port.Step(now++, inputs);
  port.CheckDrained(&audit);
  EXPECT_EQ(BrokenIds(audit), "EGR-6") << "requested, not yet granted";
  inputs.requests.clear();
  while (now < 40) port.Step(now++, inputs);
  port.CheckDrained(&audit);
  EXPECT_EQ(BrokenIds(audit), "EGR-1 EGR-6") << "granted, and its cells never came";
}

TEST(EgressInvariants, ARequestBeyondTheCreditsBreaksEgr2) {
  RequestStore store(kTile8);
  Audit audit;
  for (int i = 0; i < kTile8.request_credits; ++i) store.Put(2, 5, 4, false);
  EXPECT_EQ(store.Check(kOutput, &audit), 4 * kTile8.request_credits);
  EXPECT_EQ(BrokenIds(audit), "") << "full to the last entry";
  store.Put(2, 5, 4, false);
  store.Check(kOutput, &audit);
  EXPECT_EQ(BrokenIds(audit), "EGR-2");
}

/// Six requests, the newest with `more`, make a lane deep; the fifos of the lane count together.
TEST(RequestStore, SaysWhichLanesHaveADeepFifo) {
  RequestStore store(kTile8);
  Audit audit;
  const auto put = [&](int input, int vl, int requests, bool more) {
    for (int i = 0; i < requests; ++i) store.Put(input, vl, 4, more);
  };
  const auto grant = [&](int input, int vl) { store.Grant(store.Head(input, kOutput, vl)); };
  put(2, 5, 5, true);
  put(3, 5, 7, false);
  EXPECT_EQ(store.deep(), 0u);
  put(2, 5, 1, true);
  put(4, 5, 6, true);
  put(4, 9, 8, true);
  EXPECT_EQ(store.deep(), 1u << 5 | 1u << 9);
  grant(2, 5);
  EXPECT_EQ(store.deep(), 1u << 5 | 1u << 9) << "input 4";
  put(4, 5, 1, false);
  EXPECT_EQ(store.deep(), 1u << 9) << "the newest has nothing behind it";
  for (int i = 0; i < 3; ++i) grant(4, 9);
  EXPECT_EQ(store.deep(), 0u);
  store.Check(kOutput, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
}

TEST(EgressInvariants, PacketsOfARowThatOverlapBreakEgr3) {
  Context context(kTile8);
  OutputBuffer buffer(context);
  Audit audit;
  Bring(&context, &buffer, kNow - 9, 1, 5);
  Bring(&context, &buffer, kNow - 4, 2, 5);
  Bring(&context, &buffer, kNow - 4, 5, 5);  // of another row
  buffer.Check(kNow, kOutput, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  Bring(&context, &buffer, kNow, 3, 5);
  buffer.Check(kNow, kOutput, &audit);
  EXPECT_EQ(BrokenIds(audit), "EGR-3");
}

TEST(EgressInvariants, AnArrivalWithoutAGrantBreaksEgr4) {
  Context context(kTile8);
  GrantUnit grants(context);
  Audit audit;
  grants.FirstCell(kNow, kOutput, 1, 5);
  grants.Check(kOutput, 0, &audit);
  EXPECT_EQ(BrokenIds(audit), "EGR-4");
}

TEST(EgressInvariants, APacketThatCanBeReadBeforeItArrivesBreaksEgr5) {
  Context context(kTile8);
  OutputBuffer buffer(context);
  Audit audit;
  Bring(&context, &buffer, kNow + 1, 1, 5);
  buffer.Check(kNow, kOutput, &audit);
  EXPECT_EQ(BrokenIds(audit), "EGR-5");
}

TEST(EgressInvariants, ALoadThatIsNotThatOfTheStoredRequestsBreaksEgr6) {
  Context context(kTile8);
  GrantUnit grants(context);
  Audit audit;
  grants.Request(kNow, kOutput, 1, 0, 7);
  grants.Check(kOutput, 7, &audit);
  EXPECT_EQ(BrokenIds(audit), "");
  grants.Check(kOutput, 6, &audit);
  EXPECT_EQ(BrokenIds(audit), "EGR-6");
}

TEST(EgressInvariants, ALinkFailThatFallsWhileTheLinkIsUpBreaksLsv7) {
  constexpr PortMask kPort = Bit(kOutput), kAll = ~PortMask{0};
  const auto broken = [](PortMask up, PortMask retries) {
    LinkChecker checker;
    checker.EndCycle(kPort, kAll, kAll);
    checker.EndCycle(0, up, retries);
    Audit audit;
    checker.Check(&audit);
    return BrokenIds(audit);
  };
  EXPECT_EQ(broken(kAll & ~kPort, kAll), "") << "the link went down";
  EXPECT_EQ(broken(kAll, kAll & ~kPort), "") << "the port retries no more";
  EXPECT_EQ(broken(kAll, kAll), "LSV-7");
}

TEST(EgressInvariants, AGrantToALinkThatIsDownBreaksLsv8) {
  LinkChecker checker;
  checker.Granted(kOutput, true, false);
  checker.Granted(kOutput, false, true);
  Audit audit;
  checker.Check(&audit);
  EXPECT_EQ(BrokenIds(audit), "");
  checker.Granted(kOutput, false, false);
  checker.Check(&audit);
  EXPECT_EQ(BrokenIds(audit), "LSV-8");
}

TEST(EgressInvariants, APacketThatALinkThatIsUpGivesBackBreaksLsv8) {
  LinkChecker checker;
  checker.Granted(kOutput, true, true);
  Audit audit;
  checker.Check(&audit);
  EXPECT_EQ(BrokenIds(audit), "LSV-8");
}

}  // namespace
}  // namespace tilefly::golden
