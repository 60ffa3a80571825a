// SPDX-License-Identifier: Apache-2.0
// What programs may ask of links with retry that go down, alone and in systems (docs/systemc.md, Link down).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "support/errors.h"
#include "systemc/link/retry_link.h"
#include "systemc/switch/switch.h"
#include "testbenches/systemc/simulation.h"
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
    platform.Run(0, [&](Cpu& cpu) {
      cpu.Write(platform.system.AddressOf(2, 0), Pattern(20000, 1));
      ADD_FAILURE() << "the put has ended";
    });
    platform.Bind();
    sc_core::sc_start();
    EXPECT_NE(platform.system.Waiting(), "");
    const LinkCounts counts = platform.system.retry();
    EXPECT_EQ(counts.downs, 1);
    EXPECT_GT(counts.lost, 0);
    EXPECT_EQ(platform.system.violations(), 0u);
  });
}

}  // namespace
}  // namespace tilefly::systemc
