// SPDX-License-Identifier: Apache-2.0
// The golden checks of docs/blocks/ingress.md bite (ING-1 to ING-7).
#include <gtest/gtest.h>

#include "golden/ingress/lookup.h"
#include "golden/link/framer.h"
#include "golden/ports/input_port.h"
#include "testbenches/bench/bites.h"

namespace tilefly::golden {
namespace {

using bench::BrokenIds;

constexpr int kInput = 1;
constexpr Cycle kNow = 100;

/// An input side with one packet in a queue, not requested.
struct Rig {
  Rig() : context(kTile8), flows(context), ingress(context, flows), queue(ingress.queues().Append(Packet())) {}
  Index Packet() {
    const Index id = context.packets.Allocate();
    golden::Packet& packet = context.packets[id];
    packet = golden::Packet{};
    packet.input = kInput;
    packet.output = 6;
    packet.cells = 2;
    packet.parent = id;
    return id;
  }
  std::string Broken() const {
    Audit audit;
    ingress.Check(kNow, &audit);
    EXPECT_GT(audit.judged(), 0);
    return BrokenIds(audit);
  }
  Context context;
  EdgeFlows flows;
  Ingress ingress;
  Index queue;
};

TEST(IngressInvariants, CellsFreedThatNobodyHeldBreakIng1) {
  Rig rig;
  EXPECT_EQ(rig.Broken(), "");
  rig.ingress.buffer().Free(rig.context.packets[rig.Packet()], 2);
  EXPECT_EQ(rig.Broken(), "ING-1");
}

TEST(IngressInvariants, AReadyQueueThatIsNotInTheFifoBreaksIng2) {
  Rig rig;
  rig.ingress.queues()[rig.queue].ready = true;
  EXPECT_EQ(rig.Broken(), "ING-2");
}

TEST(IngressInvariants, ACreditTooManyBreaksIng3) {
  Rig rig;
  ++rig.ingress.queues()[rig.queue].credits;
  EXPECT_EQ(rig.Broken(), "ING-3");
}

TEST(IngressInvariants, ARequestWithoutAPacketBreaksIng4) {
  Rig rig;
  Queue& queue = rig.ingress.queues()[rig.queue];
  ++queue.ungranted;
  --queue.credits;
  EXPECT_EQ(rig.Broken(), "ING-4");
}

TEST(IngressInvariants, TwoPacketsThatCannotStartYetBreakIng5) {
  Rig rig;
  Transfer transfer(rig.context);
  Audit audit;
  for (int i = 0; i < 2; ++i) {
    transfer.Check(kNow, kInput, &audit);
    EXPECT_EQ(BrokenIds(audit), "");
    const Index id = rig.Packet();
    rig.context.packets[id].cut_through = true;
    rig.context.packets[id].when = kNow + 50;
    transfer.Granted(kNow, id);
  }
  transfer.Check(kNow, kInput, &audit);
  EXPECT_EQ(BrokenIds(audit), "ING-5");
}

/// Words with header from `kInput` to port 6, a grant for them, and what the checks say when cells are left out.
TEST(IngressInvariants, ACellThatDoesNotLeaveInItsCycleBreaksIng6) {
  InputPort port(kTile8, kInput);
  std::vector<std::uint8_t> packet(16 + 100);
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = 100;
  header.dst = FabricAddress(0, 0, 6);
  header.PackBytes(packet.data());
  PortMode mode;
  mode.enable = mode.cut_through = mode.credits = true;
  mode.std_format = false;
  for (Cycle now = 0; now < 94; ++now) {
    InputPort::Inputs inputs;
    if (now == 0) {
      inputs.cfg.valid = true;
      inputs.cfg.port = kAllPorts;
      inputs.cfg.space = static_cast<std::uint8_t>(CfgSpace::kPort);
      inputs.cfg.index = static_cast<std::uint16_t>(PortReg::kMode);
      inputs.cfg.data = mode.ToBits();
    }
    if (now >= 50 && now < 54) {
      inputs.word = WordOf(packet.data(), static_cast<int>(packet.size()), static_cast<int>(now - 50));
      inputs.word.enh = true;
    }
    if (now == 91) inputs.grant = inputs.request_credit = {6, 0};
    port.Step(now, inputs);
    Audit audit;
    port.Check(now, &audit);
    ASSERT_EQ(BrokenIds(audit), "") << now;
  }
  Audit audit;
  port.Check(99, &audit);  // cells 96 to 98 were not read
  EXPECT_EQ(BrokenIds(audit), "ING-6");
}

TEST(IngressInvariants, ClassCellsThatNobodyHoldsBreakIng7) {
  Rig rig;
  golden::Packet& packet = rig.context.packets[rig.Packet()];
  packet.header = HeaderBits(Header{});
  EXPECT_TRUE(rig.ingress.buffer().Account(packet));
  EXPECT_EQ(rig.Broken(), "ING-7");  // the port's buffer holds nothing
}

}  // namespace
}  // namespace tilefly::golden
