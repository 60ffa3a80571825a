// SPDX-License-Identifier: Apache-2.0
// What programs may ask of links with retry that go down, alone and in systems (docs/systemc.md, Link down).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cosim/tree/tree.h"
#include "golden/common/register_write.h"
#include "golden/reduction/red_part.h"
#include "support/errors.h"
#include "systemc/link/retry_link.h"
#include "systemc/switch/switch.h"
#include "testbenches/systemc/simulation.h"
#include "testbenches/systemc/switch_bench.h"
#include "testbenches/systemc/system_bench.h"

namespace tilefly::systemc {
namespace {

using ::testing::HasSubstr;

std::string Refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(LinkDownCalls, RefuseWhatNoLinkCanDo) {
  InChild([] {
    RetryLinkOptions options;
    options.delay = 100;
    RetryLink one("one", kTile8, options), other("other", kTile8, options);
    options.delay = 101;
    RetryLink longer("longer", kTile8, options);
    EXPECT_THAT(Refusal([&] { RetryLink::Join(&one, &longer); }),
                HasSubstr("one: longer is not its other direction: it has a cable of 101 cycles, not 100"));
    EXPECT_THAT(Refusal([&] { one.Down(1000); }),
                HasSubstr("one: only a link with two directions, each of an output, goes down"));
    Switch first("first", kTile8), second("second", kTile8);
    one.set_user(first.Repeat(4, &one));
    other.set_user(second.Repeat(4, &other));
    RetryLink::Join(&one, &other);
    EXPECT_THAT(Refusal([&] { RetryLink::Join(&one, &longer); }), HasSubstr("one: is joined with other already"));
    EXPECT_THAT(Refusal([&] { one.Down(132); }),
                HasSubstr("down from cycle 132 on, told in cycle 0: tell it 133 cycles before, or more"));
    EXPECT_THAT(Refusal([&] { one.Down(133, 0); }), HasSubstr("down for 0 cycles: 1 or more"));
    EXPECT_THAT(Refusal([&] { one.Up(500); }), HasSubstr("up in cycle 500: it is not down for ever then"));
    one.Down(200);
    EXPECT_FALSE(other.IsUp(200));
    EXPECT_THAT(Refusal([&] { other.Down(300); }),
                HasSubstr("other: down from cycle 300 on: it is down then, until RetryLink::Up"));
    EXPECT_THAT(Refusal([&] { one.Up(0); }), HasSubstr("up in cycle 0, told in cycle 0: tell it before"));
    other.Up(201);
    EXPECT_EQ(one.LeastDown(), 748);
    EXPECT_FALSE(one.IsUp(947)) << "DOWN_MIN";
    EXPECT_TRUE(one.IsUp(948));
    EXPECT_TRUE(one.IsUp(199));
  });
}

/// A put waits for a link that blocks, and ends when it is up; the link goes down once more by a call.
TEST(LinkDownCalls, PutsOfASystemWaitForALinkThatBlocks) {
  InChild([] {
    SystemOptions options = Checked("min");
    options.retry.down = faults::kBlock;
    options.downs = {{0, 2, 1000, 20'000}};
    SystemBench platform(options);
    std::vector<Cycle> ends;
    const auto put = [&](Cpu& cpu, int seed) {
      EXPECT_EQ(cpu.Write(platform.system.AddressOf(2, 0), Pattern(20000, seed)), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(platform.memories[2]->bytes[19'999], Pattern(20000, seed)[19'999]);
      ends.push_back(fabric::CycleAt(sc_core::sc_time_stamp()));
    };
    platform.Run(0, [&](Cpu& cpu) {
      sc_core::wait(fabric::TimeOf(2000));
      put(cpu, 1);
      platform.system.link(0, 2).Down(ends.back() + 200, 5000);
      sc_core::wait(fabric::TimeOf(300));
      put(cpu, 2);
    });
    platform.Simulate();
    platform.ExpectQuiet();
    ASSERT_EQ(ends.size(), 2u);
    EXPECT_GT(ends[0], 21'000);
    EXPECT_LT(ends[0], 24'000);
    EXPECT_GT(ends[1], ends[0] + 5200);
    EXPECT_LT(ends[1], ends[0] + 8200);
    const LinkCounts counts = platform.system.retry();
    EXPECT_EQ(counts.downs, 2);
    EXPECT_EQ(counts.lost, 0);
    EXPECT_EQ(counts.given_up, 0);
  });
}

/// A put whose packets are discarded does not end, and the end of the run says so.
TEST(LinkDownCalls, APutThatLosesPacketsWithALinkWaits) {
  InChild([] {
    SystemOptions options = Checked("min");
    options.downs = {{0, 2, 400}};
    SystemBench platform(options);
    sc_core::sc_process_handle writer;
    platform.Run(0, [&](Cpu& cpu) {
      writer = sc_core::sc_get_current_process_handle();
      cpu.Write(platform.system.AddressOf(2, 0), Pattern(20000, 1));
      ADD_FAILURE() << "the put has ended";
    });
    platform.Run(1, [&](Cpu&) {
      sc_core::wait(1, sc_core::SC_MS);
      EXPECT_NE(platform.system.Waiting(), "");
      writer.kill();  // so that what the process has is given back
    });
    platform.Bind();
    sc_core::sc_start();
    const LinkCounts counts = platform.system.retry();
    EXPECT_EQ(counts.downs, 1);
    EXPECT_GT(counts.lost, 0);
    EXPECT_EQ(platform.system.violations(), 0u);
  });
}

/// A link that is down from some cycle on, and never takes anything.
class DyingLink final : public LinkRoom {
 public:
  explicit DyingLink(Cycle down) : down_(down) {}
  bool Ready() override { return false; }
  bool IsUp(Cycle cycle) const override { return cycle < down_; }
  bool Discards() const override { return false; }
  void Discarded(const fabric::Packet&) override {}

 private:
  const Cycle down_;
};

constexpr int kChild = 1, kOtherChild = 4;  ///< ports of a root

/// The operands of a short operation, from the first child alone.
fabric::Packet& ShortOf(fabric::PacketPool* pool) {
  constexpr int kBytes = 64;
  Red red;
  red.what = static_cast<std::uint8_t>(RedWhat::kShort);
  red.op = static_cast<std::uint8_t>(RedOp::kSum);
  red.dtype = static_cast<std::uint8_t>(RedType::kInt32);
  red.bytes = kBytes;
  red.contributions = 1;
  fabric::Frame frame(static_cast<std::size_t>(golden::RedFrame::LengthOf(kTile8, kBytes)));
  red.PackBytes(frame.data());
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kRed);
  header.an = true;
  header.len = static_cast<std::uint16_t>(frame.size());
  header.src = 0x100;
  header.dst = golden::FabricAddress(0, 0, kChild);
  fabric::Packet& packet = pool->Make();
  packet.header = golden::HeaderBits(header);
  packet.length = header.len;
  packet.frame = std::make_shared<const fabric::Frame>(std::move(frame));
  return packet;
}

/// The cycle in which the first child hears that its group fails, because the port of the other one is disabled, or its link
/// goes down, in the event of `cycle`. To be called in a child.
Cycle HeardOfFailure(bool link_down, Cycle cycle) {
  Switch device("switch", kTile8);
  DyingLink link(link_down ? cycle : kNever);
  fabric::PacketPool pool;
  Source child("child", &pool);
  Sink hears("hears");
  std::vector<std::unique_ptr<NoPartner>> others;
  for (int port = 0; port < kTile8.ports; ++port) {
    others.push_back(std::make_unique<NoPartner>(("none" + std::to_string(port)).c_str()));
    if (port == kChild) {
      child.out.bind(device.in(port));
      device.out(port).bind(hears.in);
    } else {
      others.back()->out.bind(device.in(port));
      device.out(port).bind(others.back()->in);
    }
  }
  device.Write(golden::WriteRegister(golden::kAllPorts, CfgSpace::kPort, kMode, Enabled()));
  cosim::Tree tree;
  tree.children = golden::Bit(kChild) | golden::Bit(kOtherChild);
  for (const int port : {kChild, kOtherChild})
    tree.peers[static_cast<std::size_t>(port)].address = golden::FabricAddress(1, 0, port);
  for (const Cfg& write : tree.Writes()) device.Write(write);
  if (link_down) device.Repeat(kOtherChild, &link)->LinkTurns(cycle);
  child.At(100, [&] {
    fabric::Packet& packet = ShortOf(&pool);
    tlm::tlm_phase phase = fabric::BEGIN_PACKET;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    child.out->nb_transport_fw(packet, phase, delay);
    packet.release();
  });
  if (!link_down) {
    child.At(cycle - golden::kWriteLatency, [&] {
      device.Write(golden::WriteRegister(kOtherChild, CfgSpace::kPort, kMode, PortMode().ToBits()));
    });
  }
  sc_core::sc_start();
  EXPECT_EQ(device.ring()->Status(0).code, static_cast<std::uint8_t>(RedCode::kLink));
  EXPECT_EQ(device.ring()->Status(0).failures, 1u);
  EXPECT_EQ(device.ReadCounter(kOtherChild, static_cast<int>(Counter::kLinkDowns)), link_down ? 1u : 0u);
  EXPECT_EQ(hears.first_words.size(), 1u);
  return hears.first_words.empty() ? 0 : hears.first_words.front();
}

/// What a disabled port does is golden's (ContractReductions): the same, in the same cycle.
TEST(LinkDownCalls, AReductionGroupFailsAsWhenItsPortIsDisabled) {
  for (const bool link_down : {false, true}) {
    InChild([&] {
      const Cycle heard = HeardOfFailure(link_down, 1000);
      EXPECT_EQ(heard, 1073) << link_down;
    });
  }
}

}  // namespace
}  // namespace tilefly::systemc
