// SPDX-License-Identifier: Apache-2.0
// Requests that an output gives back because its link is down, in the cycles of docs/blocks/link_retry.md, Taken back.
#include <gtest/gtest.h>

#include <ostream>
#include <tuple>
#include <vector>

#include "golden/common/register_write.h"
#include "golden/ports/output_port.h"
#include "testbenches/bench/wire_packet.h"

namespace tilefly::golden {
namespace {

constexpr int kDiscard = 0, kBlock = 1, kBestEffort = 2, kLikeDiscard = 3;

/// A grant that was decided.
struct Decided {
  Cycle cycle;
  int input;
  int vl;
  int cells;
  bool reroute;
};
bool operator==(const Decided& a, const Decided& b) {
  return std::tie(a.cycle, a.input, a.vl, a.cells, a.reroute) == std::tie(b.cycle, b.input, b.vl, b.cells, b.reroute);
}
std::ostream& operator<<(std::ostream& out, const Decided& one) {
  return out << "cycle " << one.cycle << ": " << one.cells << " cells of input " << one.input << " on lane " << one.vl
             << (one.reroute ? ", back" : "");
}

/// Port 7 of 64 with retry, whose link is up. No grant before `Return`: the far end has not said what it holds.
class Rig {
 public:
  explicit Rig(int down = kDiscard, bool retry = true) : port_(kRosetta64, kPort) {
    PortRetry registers;
    registers.down = static_cast<std::uint8_t>(down);
    PortMode mode;
    mode.enable = mode.credits = true;
    mode.retry = retry;
    mode.std_format = false;
    inputs.link_up = false;
    Write(PortReg::kRetry, registers.ToBits());
    Write(PortReg::kMode, mode.ToBits());
    while (now < 20) Step();
    inputs.link_up = true;
    Step();
  }
  void Write(PortReg reg, std::uint64_t data) {
    inputs.cfg = WriteRegister(kPort, CfgSpace::kPort, static_cast<int>(reg), data);
    Step();
  }
  /// A cycle with `inputs`, of which requests, cells, return and write are for this cycle alone.
  void Step() {
    const OutputPort::Outputs& outputs = port_.Step(now++, inputs);
    if (outputs.grant) {
      EXPECT_EQ(outputs.grant->grant.src, kPort);
      decided.push_back({now - 1, outputs.grant->input, outputs.grant->grant.vl, outputs.grant->cells,
                         outputs.grant->grant.reroute});
    }
    inputs.requests.clear();
    inputs.first_cells.clear();
    inputs.credit.reset();
    inputs.cfg = Cfg();
    Audit audit;
    port_.Check(now - 1, &audit);
    EXPECT_TRUE(audit.broken().empty()) << audit.Message();
  }
  void Run(int cycles) {
    for (int t = 0; t < cycles; ++t) Step();
  }
  /// A request arrives in the next cycle, which passes.
  void Request(int input, int vl, int cells, bool more = false) {
    inputs.requests.push_back({input, vl, cells, more});
    Step();
  }
  /// The far end says of all lanes that it holds nothing; some cycles pass.
  void Return() {
    for (int v = 0; v < kRosetta64.vls; ++v) {
      inputs.credit = CreditReturner::Message{static_cast<std::uint8_t>(v), 0};
      Step();
    }
    Run(10);
  }
  void FirstCell(int input, int vl, int cells) {
    Header header;
    header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
    header.len = static_cast<std::uint16_t>(48 * cells - 16);
    header.vl = static_cast<std::uint8_t>(vl);
    const Index frame = port_.frames().Allocate();
    port_.frames()[frame].bytes.resize(header.len);
    bench::SetCheck(&port_.frames()[frame].bytes, 0);
    inputs.first_cells.push_back({input, HeaderBits(header), frame});
    Step();
  }
  OutputPort& port() { return port_; }

  static constexpr int kPort = 7;
  Cycle now = 0;
  OutputPort::Inputs inputs;
  std::vector<Decided> decided;

 private:
  OutputPort port_;
};

/// The link goes down in cycle t, seen by the decision of t + 1. The inputs are of rows 0, 1 and 3.
TEST(TakenBack, RequestsGoBackOneACycleByLaneThenRowThenInput) {
  for (const int down : {kDiscard, kBestEffort, kLikeDiscard}) {
    Rig rig(down);
    rig.Request(50, 3, 5);
    rig.Request(17, 3, 6);
    rig.Request(9, 3, 7);
    rig.Request(9, 3, 8);
    rig.Request(2, 3, 9);
    rig.Request(63, 0, 89, true);
    rig.Run(20);
    EXPECT_TRUE(rig.decided.empty()) << "nothing is known of the far end";
    EXPECT_EQ(rig.port().load(), 5 + 6 + 7 + 8 + 9 + 89);
    rig.inputs.link_up = false;
    const Cycle t = rig.now;
    rig.Step();
    EXPECT_TRUE(rig.decided.empty());
    rig.Step();
    EXPECT_EQ(rig.port().load(), 5 + 6 + 7 + 8 + 9);
    rig.Run(20);
    const std::vector<Decided> expected = {{t + 1, 63, 0, 89, true}, {t + 2, 2, 3, 9, true},  {t + 3, 9, 3, 7, true},
                                           {t + 4, 9, 3, 8, true},   {t + 5, 17, 3, 6, true}, {t + 6, 50, 3, 5, true}};
    EXPECT_EQ(rig.decided, expected) << "mode " << down;
    EXPECT_EQ(rig.port().load(), 0);
    EXPECT_EQ(rig.port().room(), kRosetta64.obuf_cells);
    EXPECT_EQ(rig.port().owner_valid(), 0u);
  }
}

TEST(TakenBack, ARequestThatComesWhileTheLinkIsDownGoesBackInTheNextCycle) {
  Rig rig;
  rig.inputs.link_up = false;
  rig.Run(30);
  const Cycle t = rig.now;
  rig.Request(12, 4, 20);
  rig.Run(5);
  EXPECT_EQ(rig.decided, (std::vector<Decided>{{t + 1, 12, 4, 20, true}}));
}

TEST(TakenBack, RequestsWaitInTheModeBlockAndAtAPortWithoutRetry) {
  for (const bool retry : {true, false}) {
    Rig rig(retry ? kBlock : kDiscard, retry);
    rig.inputs.link_up = false;
    rig.Step();
    rig.Request(12, 4, 20);
    rig.Run(50);
    EXPECT_TRUE(rig.decided.empty());
    EXPECT_EQ(rig.port().load(), 20);
  }
}

/// The register `down` is read as committed: its write's event is 7 cycles behind the bus.
TEST(TakenBack, TheModeThatIsWrittenWhileTheLinkIsDownCounts) {
  Rig rig(kBlock);
  rig.inputs.link_up = false;
  rig.Step();
  rig.Request(12, 4, 20);
  rig.Run(10);
  const Cycle w = rig.now;
  rig.Write(PortReg::kRetry, PortRetry{}.ToBits());
  rig.Run(20);
  EXPECT_EQ(rig.decided, (std::vector<Decided>{{w + 8, 12, 4, 20, true}}));
}

TEST(TakenBack, RequestsOfRowRWait) {
  Rig rig;
  rig.inputs.link_up = false;
  rig.Step();
  const Cycle t = rig.now;
  rig.inputs.requests = {{kRosetta64.ports + 2, 1, 4, false}, {33, 1, 11, false}};
  rig.Step();
  rig.Run(30);
  EXPECT_EQ(rig.decided, (std::vector<Decided>{{t + 1, 33, 1, 11, true}}));
  EXPECT_EQ(rig.port().load(), 4);
  rig.inputs.link_up = true;
  rig.Step();
  rig.Return();
  ASSERT_EQ(rig.decided.size(), 2u) << "it is granted when the link is up";
  EXPECT_EQ(rig.decided.back().input, kRosetta64.ports + 2);
  EXPECT_FALSE(rig.decided.back().reroute);
}

/// Grants that were decided have taken their room; the requests behind them go back although there is no room for an MTU.
TEST(TakenBack, RoomIsNotAskedAndDoesNotChange) {
  Rig rig;
  rig.Return();
  for (const int cells : {89, 89, 89, 60}) rig.Request(12, 0, cells);
  rig.Run(3);
  ASSERT_EQ(rig.decided.size(), 4u);
  ASSERT_EQ(rig.port().room(), 29);
  rig.Request(12, 0, 30);
  rig.Run(3);
  rig.inputs.link_up = false;
  const Cycle t = rig.now;
  rig.Run(5);
  ASSERT_EQ(rig.decided.size(), 5u);
  EXPECT_EQ(rig.decided.back(), (Decided{t + 1, 12, 0, 30, true}));
  EXPECT_EQ(rig.port().room(), 29);
  EXPECT_EQ(rig.port().owner_valid(), 1u);
  EXPECT_EQ(rig.port().credits().used(0), 89 + 89 + 89 + 60) << "what is inside stays charged";
  for (const int cells : {89, 89, 89, 60}) {
    rig.FirstCell(12, 0, cells);
    rig.Run(cells);
  }
  rig.Run(200);
  EXPECT_EQ(rig.port().room(), kRosetta64.obuf_cells) << "the packets that were granted are discarded";
  EXPECT_EQ(rig.port().Counter(static_cast<int>(Counter::kTxLost)), 4u);
  EXPECT_EQ(rig.port().credits().used(0), 0);
}

/// An ack that is made in the cycle of the decision tells the load as committed, as in the cycle of a grant.
TEST(TakenBack, TheLoadOfTheCycleBeforeIsStillKnown) {
  Context context(kRosetta64);
  GrantUnit grants(context);
  RequestStore store(kRosetta64);
  context.discarding = Bit(Rig::kPort);
  context.links_up = 0;
  for (const int cells : {7, 8}) {
    store.Put(12, 3, cells, false);
    grants.Request(10, Rig::kPort, 12, 3, cells);
  }
  std::vector<int> loads;
  for (Cycle now = 11; now < 14; ++now) {
    grants.Decide(now, store, [](int, int, int, const RequestStore::StoredRequest&, bool reroute) { EXPECT_TRUE(reroute); });
    loads.push_back(grants.LoadBefore(now, Rig::kPort));
  }
  EXPECT_EQ(loads, (std::vector<int>{15, 8, 0}));
  EXPECT_FALSE(grants.active());
}

/// The order in which an output grants, behind a link down.
std::vector<Decided> OrderBehindALinkDown(bool requests_go_back) {
  Rig rig;
  rig.Return();
  for (const int input : {2, 9, 20}) rig.Request(input, 0, 10, true);  // moves all pointers, begins a turn of class 0
  rig.Run(5);
  rig.FirstCell(2, 0, 10);
  rig.Run(20);
  rig.FirstCell(9, 0, 10);
  rig.FirstCell(20, 0, 10);
  rig.Run(100);
  rig.inputs.link_up = false;
  rig.Step();
  if (requests_go_back) {
    for (int i = 0; i < 40; ++i) rig.Request(3 + 5 * (i % 9), i % 3, 1 + i);
  } else {
    rig.Run(40);
  }
  rig.Run(100);
  rig.inputs.link_up = true;
  rig.Step();
  const Cycle begin = rig.now;
  rig.decided.clear();
  for (const int input : {1, 5, 12, 15}) {  // they wait for returns: then all pointers choose among them
    for (int vl = 0; vl < 3; ++vl) {
      rig.inputs.requests = {{input, vl, 8, false}, {16 + input, vl, 9, false}, {32 + input, vl, 7, false}};
      rig.Step();
    }
  }
  EXPECT_TRUE(rig.decided.empty());
  rig.Return();
  for (std::size_t next = 0; next < rig.decided.size(); ++next) {  // one packet after the other arrives
    const Decided one = rig.decided[next];
    rig.FirstCell(one.input, one.vl, one.cells);
    rig.Run(80);
  }
  for (Decided& one : rig.decided) one.cycle -= begin;
  return rig.decided;
}

TEST(TakenBack, PointersChannelsRunsAndSchedulerDoNotChange) {
  const std::vector<Decided> without = OrderBehindALinkDown(false), with = OrderBehindALinkDown(true);
  EXPECT_EQ(without.size(), 36u);
  EXPECT_EQ(with, without);
}

}  // namespace
}  // namespace tilefly::golden
