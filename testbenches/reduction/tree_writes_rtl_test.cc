// SPDX-License-Identifier: Apache-2.0
// TREE written beside a short packet that ends, RTL and golden in step: by the rule of registers, and against it
// (docs/blocks/reduction-trees.md, Registers, Edge cases).
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "Vrtl_red_cfu_tile8.h"
#include "Vrtl_red_tile_tile8.h"
#include "golden/common/register_write.h"
#include "testbenches/bench/bites.h"
#include "testbenches/reduction/golden_ring.h"
#include "testbenches/reduction/ring_model.h"
#include "testbenches/reduction/ring_peers.h"

namespace tilefly::bench {
namespace {

using Model = RingModel<Vrtl_red_tile_tile8, Vrtl_red_cfu_tile8>;

constexpr int kGroup = 7;
constexpr golden::PortMask kChildren = 0b0010'0101;  // ports 0, 2, 5
constexpr Cycle kWritten = 60;                       ///< TREE is written once more: event
constexpr Cycle kAgain = 200;                        ///< the first child's comes again
constexpr Cycle kEnd = 320;
constexpr Cycle kMuchLater = 40;  ///< than the write

/// The short packet that all children send: two words.
RedArrival ShortPacket() {
  Red red;
  red.what = static_cast<std::uint8_t>(RedWhat::kShort);
  red.group = kGroup;
  red.empty = true;
  red.contributions = 1;
  RedArrival packet;
  packet.frame.resize(static_cast<std::size_t>(golden::RedFrame::LengthOf(kTile8, 0)));
  packet.header.kind = static_cast<std::uint8_t>(Kind::kRed);
  packet.header.an = true;
  packet.header.len = static_cast<std::uint16_t>(packet.frame.size());
  red.PackBytes(packet.frame.data());
  return packet;
}

/// What the bus carries from cycle 0 on, up to the last write of TREE.
std::vector<Cfg> Accesses() {
  std::vector<Cfg> accesses;
  for (int p = 0; p < kTile8.ports; ++p) {
    accesses.push_back(golden::WriteRegister(p, CfgSpace::kPort, static_cast<int>(PortReg::kMode), 1));
  }
  RingTree tree;
  tree.group = kGroup;
  tree.children = kChildren;
  for (const Cfg& write : tree.Writes(kTile8.ports)) accesses.push_back(write);
  const Cfg again = accesses.back();
  accesses.resize(kWritten - golden::kWriteLatency);
  accesses.push_back(again);
  return accesses;
}

/// What came of it.
struct Outcome {
  int launches = 0;    ///< before the first child's packet came again
  int more = 0;        ///< and then
  std::string broken;  ///< golden's invariants
  bool asserted = false;
};

/// The first child's packet ends in cycle kWritten + `end`, those of the others in kWritten + `others`. `races`: an
/// assertion may fail.
Outcome WriteBeside(Cycle end, Cycle others, bool races) {
  Comparison run({1, 0, kEnd});
  Model dut(&run, kTile8);
  if (races) dut.ExpectAssertions();
  golden::GoldenRing golden(kTile8);
  golden::GoldenRing::Outputs before;
  before.reports.resize(static_cast<std::size_t>(kTile8.ports));
  const std::vector<Cfg> accesses = Accesses();
  const auto access = [&](Cycle cycle) {
    return cycle < 0 || cycle >= static_cast<Cycle>(accesses.size()) ? Cfg{}
                                                                     : accesses[static_cast<std::size_t>(cycle)];
  };
  std::deque<RedArrivals> arrivals;
  for (int p = 0; p < kTile8.ports; ++p) arrivals.emplace_back(run.stimulus(), p);
  Outcome outcome;
  while (run.Next()) {
    const Cycle now = run.cycle();
    golden::GoldenRing::Inputs inputs;
    dut.SetCycle(now);
    dut.SetCfg(access(now));
    inputs.write = access(now - golden::kWriteLatency);
    golden::ForEachBit(kChildren, [&](int p) {
      RedArrivals& port = arrivals[static_cast<std::size_t>(p)];
      const bool first = now == kWritten + (p == 0 ? end : others) - 1;
      if (first || (p == 0 && now == kAgain)) port.Start(now, ShortPacket(), /*steady=*/true);
      const RedArrivals::Event event = port.Next(now);
      dut.SetArrival(p, event);
      if (event.begins) inputs.begins.push_back({p, &port.packet().frame});
      if (event.ends) inputs.ends.push_back({p, true});
      if (p == 0 && now < kAgain) EXPECT_EQ(event.ends, now == kWritten + end) << "cycle " << now;
    });
    dut.Settle();
    const golden::GoldenRing::Outputs& outputs = golden.Step(now, inputs);
    golden::Audit audit;
    golden.Check(now, &audit);
    outcome.broken = BrokenIds(audit);
    run.CompareStruct("cmd", dut.command(), before.command);
    run.CompareStruct("cfu.obs", dut.observed_cfu(), before.observed.cfu);
    for (int p = 0; p < kTile8.ports; ++p) {
      run.CompareStruct("report", dut.report(p), before.reports[static_cast<std::size_t>(p)]);
    }
    if (outputs.observed.cfu.launch_valid) run.Busy();
    (now < kAgain ? outcome.launches : outcome.more) += outputs.observed.cfu.launch_valid;
    before.command = outputs.command;
    before.observed.cfu = outputs.observed.cfu;
    before.reports = outputs.reports;
    dut.Edge();
  }
  outcome.asserted = dut.asserted();
  return outcome;
}

/// By the rule: both words of the packet come behind the write (2), or its report stands before it (-2). Against the
/// rule, but with all entries there: the packet is open when the write comes (1), or the write meets the report (-1).
TEST(TreeWrites, ForgetWhatWasReportedAndNothingThatEndsLater) {
  for (const Cycle end : {-3, -2, -1, 1, 2, 3}) {
    SCOPED_TRACE(end);
    const Outcome outcome = WriteBeside(end, kMuchLater, /*races=*/false);
    EXPECT_EQ(outcome.broken, "");
    EXPECT_EQ(outcome.launches, end > 0 ? 1 : 0);
    EXPECT_EQ(outcome.more, end > 0 ? 0 : 1);
  }
}

/// Against the rule: the entry is invalid, and the report counts.
TEST(TreeWrites, InTheCycleOfAShortPacketsEndBreakTree4) {
  testing::internal::CaptureStdout();  // not for who looks for the catch of a planted fault
  const Outcome outcome = WriteBeside(0, kMuchLater, /*races=*/true);
  EXPECT_EQ(outcome.launches, 1);
  EXPECT_EQ(outcome.broken, "TREE-4");
  EXPECT_TRUE(outcome.asserted);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("u_short.TREE_4:"), std::string::npos)
      << "tilefly_red_short.sv";
}

/// Against the rule: the last part ends two cycles before, so the launch is in the cycle of the write.
TEST(TreeWrites, InTheCycleOfALaunchTakeItsEntries) {
  testing::internal::CaptureStdout();  // not for who looks for the catch of a planted fault
  const Outcome outcome = WriteBeside(-10, -2, /*races=*/true);
  EXPECT_EQ(outcome.launches, 1);
  EXPECT_EQ(outcome.broken, "") << "golden has taken the parts";
  EXPECT_TRUE(outcome.asserted);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("u_short.TREE_4:"), std::string::npos)
      << "tilefly_red_short.sv";
}

}  // namespace
}  // namespace tilefly::bench
