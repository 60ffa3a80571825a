// SPDX-License-Identifier: Apache-2.0
// The deadline of the flow account (docs/blocks/link_retry.md, Receiver, "Deadline of the account"): golden against a
// model that looks at one flow of each port in every cycle, and the path of an ordered flow around the look that forgets.
#include <array>

#include "testbenches/acks/ack_rig.h"
#include "testbenches/bench/settings.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::golden {
namespace {

constexpr int kFlows = 1024;

/// The table of the page, in its order.
class SweptAccount {
 public:
  struct Flow {
    int cells = 0;
    int idle = 0;
    bool path = false;
    bool heard = false;  ///< in this cycle
  };

  void Enter(int flow, int cells, bool path) {
    Flow& own = flows[at(flow)];
    if (own.cells == 0) own.path = path;
    own.cells += cells;
    own.heard = true;
  }
  void Acknowledge(int flow, int cells) {
    Take(flow, cells);
    flows[at(flow)].heard = true;
  }
  void Take(int flow, int cells) { flows[at(flow)].cells -= std::min(cells, flows[at(flow)].cells); }
  /// The end of cycle `now`.
  void Look(Cycle now, int sweeps) {
    Flow& own = flows[at(static_cast<int>(now % kFlows))];
    if (own.heard) own.idle = 0;
    if (!own.heard && own.cells > 0) {
      own.idle = std::min(255, own.idle + 1);
      if (sweeps > 0 && own.idle >= sweeps) {
        own.cells = 0;
        ++forgotten;
      }
    }
    for (Flow& flow : flows) {
      if (flow.heard) flow.idle = 0;
      flow.heard = false;
    }
  }
  static std::size_t at(int flow) { return static_cast<std::size_t>(flow); }

  std::array<Flow, kFlows> flows{};
  int forgotten = 0;
};

void ExpectEqual(const FlowAccount& golden, int port, int flow, const SweptAccount::Flow& expected, Cycle now) {
  const FlowChannel* const channel = golden.Find(port, flow);
  ASSERT_EQ(channel == nullptr ? 0 : static_cast<int>(channel->cells), expected.cells)
      << "port " << port << ", flow " << flow << ", cycle " << now;
  if (channel == nullptr) return;
  ASSERT_EQ(channel->path_valid, expected.path) << "flow " << flow << ", cycle " << now;
  ASSERT_EQ(std::min<Cycle>(255, golden.IdleSweeps(*channel)), expected.idle) << "flow " << flow << ", cycle " << now;
}

/// Two ports, a few flows that are near one another or far apart, deadlines that change. Some cycles pass unseen.
void CompareWithSweeps(Cycle first, Cycle cycles) {
  const bench::Stimulus random(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  const FlowPath path{};
  FlowAccount golden;
  std::array<SweptAccount, 2> swept;
  std::array<int, 2> sweeps{1, 2};
  golden.Advance(first - 1);
  for (int port = 0; port < 2; ++port) golden.SetDeadline(port, sweeps[static_cast<std::size_t>(port)]);
  std::uint64_t compared = 0;
  for (Cycle now = first; now < first + cycles; ++now) {
    const bool quiet = random.Below(3, "quiet", now / 5000) == 0;
    if (!random.Chance(40, "unseen", now)) golden.Advance(now);
    for (int port = 0; port < 2; ++port) {
      const auto index = static_cast<std::uint32_t>(port);
      SweptAccount& own = swept[index];
      const auto draw = [&](std::uint64_t n, const char* what) {
        return static_cast<int>(random.Below(n, what, now, index));
      };
      // Half of the events meet the look at their flow, or come just before or behind it.
      const auto flow_of = [&](const char* what) {
        return draw(2, what) == 0 ? static_cast<int>((now + draw(3, "beside") + kFlows - 1) % kFlows) / 8 * 8
                                  : 8 * draw(128, "flow");
      };
      const bool any = !quiet && draw(16, "any") == 0;
      if (any) golden.Advance(now);
      if (any && draw(2, "enters") == 0) {
        const int flow = flow_of("entering"), cells = 1 + draw(89, "cells");
        const bool ordered = draw(2, "ordered") == 0;
        golden.Enter(port, flow, cells, ordered ? &path : nullptr);
        own.Enter(flow, cells, ordered);
      }
      if (any && draw(4, "breaks") == 0) {
        const int flow = flow_of("breaking"), cells = 1 + draw(40, "broken");
        golden.Uncount(port, flow, cells);
        own.Take(flow, cells);
      }
      if (any && draw(3, "acked") == 0) {
        const int flow = flow_of("acking"), cells = 1 + draw(127, "acked cells");
        golden.Acknowledge(port, flow, cells);
        own.Acknowledge(flow, cells);
      }
      own.Look(now, sweeps[index]);
    }
    if (random.Below(9000, "written", now) == 0) {
      const auto port = static_cast<std::uint32_t>(random.Below(2, "whose", now));
      sweeps[port] = static_cast<int>(random.Below(7, "sweeps", now));
      golden.Advance(now);
      golden.SetDeadline(static_cast<int>(port), sweeps[port]);
    }
    if (now % 64 != 0) continue;
    golden.Advance(now + 1);
    std::size_t used = 0;
    for (int port = 0; port < 2; ++port) {
      for (int flow = 0; flow < kFlows; ++flow) {
        const SweptAccount::Flow& expected = swept[static_cast<std::size_t>(port)].flows[SweptAccount::at(flow)];
        ASSERT_NO_FATAL_FAILURE(ExpectEqual(golden, port, flow, expected, now));
        used += expected.cells > 0;
        ++compared;
      }
    }
    ASSERT_EQ(golden.size(), used);
    Audit audit;
    golden.Check(&audit);
    ASSERT_EQ(bench::BrokenIds(audit), "");
  }
  EXPECT_GT(swept[0].forgotten + swept[1].forgotten, cycles / 400);
  EXPECT_GT(compared, static_cast<std::uint64_t>(cycles));
}

TEST(FlowDeadline, EqualsASweepOfAllFlows) {
  CompareWithSweeps(1, 4 * bench::CyclesOf(bench::TierFromEnvironment()));
}

TEST(FlowDeadline, EqualsASweepBehindCycle2To40) {
  CompareWithSweeps((Cycle{1} << 40) - 3000, bench::CyclesOf(bench::TierFromEnvironment()));
}

/// Cells of a flow are there up to the look of their deadline, and gone behind it. Returns the look's cycle.
Cycle ForgottenIn(FlowAccount* account, int port, int flow, Cycle from, Cycle to) {
  for (Cycle now = from; now < to; ++now) {
    account->Advance(now);
    if (account->cells(port, flow) == 0) return now - 1;
  }
  return kNever;
}

TEST(FlowDeadline, ForgetsBetween1024TimesSweepsLess1And1024TimesSweepsCyclesLater) {
  for (const int sweeps : {1, 2, 254, 255}) {
    for (const Cycle last : {Cycle{4999}, Cycle{5000}, Cycle{5001}}) {
      FlowAccount account;
      constexpr int kFlow = 5000 % kFlows;  // looked at in cycle 5000
      account.SetDeadline(9, sweeps);
      account.Advance(last);
      account.Enter(9, kFlow, 3, nullptr);
      const Cycle first_look = last < 5000 ? 5000 : 5000 + kFlows;
      EXPECT_EQ(ForgottenIn(&account, 9, kFlow, last + 1, last + 300 * kFlows), first_look + kFlows * (sweeps - 1));
    }
  }
}

TEST(FlowDeadline, AnIdleCountSaturatesWhileThereIsNoDeadline) {
  for (const int idle : {253, 254, 255, 300, 1000}) {
    FlowAccount account;
    account.Advance(7);
    account.Enter(9, 7, 3, nullptr);  // looked at in its own cycle: does not count
    const Cycle written = 7 + Cycle{kFlows} * idle + 100;
    account.Advance(written);
    ASSERT_EQ(account.cells(9, 7), 3u);
    account.SetDeadline(9, 255);
    const Cycle looks = std::max(1, 255 - idle);
    EXPECT_EQ(ForgottenIn(&account, 9, 7, written + 1, written + 300 * kFlows), 7 + kFlows * (idle + looks));
  }
}

/// A write that is an event of the look's own cycle comes too late for it.
TEST(FlowDeadline, AWriteCountsFromTheNextCycleOn) {
  for (const Cycle written : {Cycle{5 * kFlows + 6}, Cycle{5 * kFlows + 7}}) {
    FlowAccount account;
    account.Advance(100);
    account.Enter(9, 7, 3, nullptr);
    account.Advance(written);
    account.SetDeadline(9, 1);
    EXPECT_EQ(ForgottenIn(&account, 9, 7, written + 1, written + 9 * kFlows),
              7 + kFlows * (written == 5 * kFlows + 6 ? 5 : 6));
  }
}

constexpr int kDeadlineSweeps = 2;

Cfg Deadline(int port, int sweeps) {
  return WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kAckDeadline),
                       PortAckDeadline::Of(static_cast<std::uint64_t>(sweeps)).ToBits());
}

/// An ordered flow whose packet was lost far away keeps its path up to the look that forgets its cells: a packet with
/// a + 17 in the look's cycle finds none. One that is a cycle earlier is counted in the look's cycle, which is then no look.
TEST(OrderedFlows, OfLostPacketsTakeANewPathBehindTheirDeadline) {
  for (const Cycle late : {0, 1}) {
    AckRig rig(kTile8, Bit(0));
    rig.Write(WriteRegister(kAllPorts, CfgSpace::kRouteGroup, 7, Bit(5)));
    rig.Write(Deadline(0, kDeadlineSweeps));
    rig.Settle();
    Header header = HeaderFrom(AckRig::Own(0), FabricAddress(7, 1, 1), 0);
    header.ordered = true;
    header.flow = 600;
    const Cycle first = rig.now();
    rig.Send(0, header);  // no ack will come
    rig.Run(30);
    rig.Write(WriteRegister(kAllPorts, CfgSpace::kRouteGroup, 7, Bit(4)));
    // Of the looks at the flow behind a + 18, the second one.
    const Cycle look = CeilDiv(static_cast<int>(first) + 18 + 1 - header.flow, kFlows) * Cycle{kFlows} + header.flow +
                       kFlows * (kDeadlineSweeps - 1);
    rig.Run(look - 18 + late - rig.now());
    rig.Send(0, header);  // a + 18 = look + late
    rig.Run(18 - late);
    EXPECT_EQ(rig.now(), look);
    EXPECT_EQ(rig.device().flows().cells(0, header.flow), 2u);
    rig.Step();
    EXPECT_EQ(rig.device().flows().cells(0, header.flow), late == 0 ? 4u : 0u);
    rig.Run(2);
    EXPECT_EQ(rig.device().flows().cells(0, header.flow), late == 0 ? 4u : 2u) << "those of the second packet";
    rig.Drain();
    ASSERT_EQ(rig.departures.size(), 2u);
    EXPECT_EQ(rig.departures[0].port, 5);
    EXPECT_EQ(rig.departures[1].port, late == 0 ? 5 : 4);
  }
}

/// A switch that is stepped only where it must be forgets in the same cycles as one that is stepped in every cycle.
TEST(OrderedFlows, ForgetInCyclesThatNobodyVisits) {
  const bench::Stimulus random(bench::SeedOf(bench::RootSeed(), bench::CurrentTest()));
  std::array<std::vector<std::pair<Payload, int>>, 2> ways;
  std::array<int, 2> ports_of_flow_0{};
  for (const bool sparse : {false, true}) {
    Switch device(kTile8);
    Cycle bus = 0;
    const auto write = [&](const Cfg& one) { device.Write(bus++, one); };
    for (int port = 0; port < 8; ++port) {
      PortMode mode = AckRig::Fabric();
      mode.acks = port == 0;
      write(WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kMode), mode.ToBits()));
    }
    write(WriteRegister(kAllPorts, CfgSpace::kSwitch, static_cast<int>(SwitchReg::kAddress), AckRig::kOwn.ToBits()));
    write(Deadline(0, 1));
    Cycle now = 0;
    std::array<std::uint16_t, 8> sunk{};
    const auto run_to = [&](Cycle end) {
      for (; now < end; ++now) {
        if (sparse && device.NextActive() > now) now = std::min(device.NextActive(), end);
        if (now == end) break;
        device.Step(now);
        for (const Departure& departure : device.output().links.packets) {
          ways[sparse].push_back({departure.payload, departure.port});
          std::uint16_t& cells = sunk[departure.port];
          cells = static_cast<std::uint16_t>(cells + CellsOf(departure.length));
          device.Credit(departure.port, departure.take + kTakeToWire, departure.header.vl(), cells);
        }
      }
    };
    Cycle at = 100;
    for (Payload packet = 0; packet < 400; ++packet) {
      at += random.Between(20, 700, "gap", packet);
      run_to(at - 10);
      // The table changes all the time, so that a path that is kept is another one.
      device.Write(at - 10, WriteRegister(kAllPorts, CfgSpace::kRouteGroup, 7, Bit(1 + packet % 7)));
      run_to(at);
      Header header = HeaderFrom(AckRig::Own(0), FabricAddress(7, 1, 1), 0);
      header.ordered = true;
      header.flow = static_cast<std::uint16_t>(random.Below(3, "flow", packet) * 300);
      device.Arrive(0, at, {true, HeaderBits(header), packet});
    }
    run_to(at + 1000);
    for (const auto& [packet, port] : ways[sparse]) ports_of_flow_0[sparse] += port != static_cast<int>(1 + packet % 7);
  }
  ASSERT_EQ(ways[0].size(), 400u);
  EXPECT_EQ(ways[0], ways[1]);
  EXPECT_GT(ports_of_flow_0[0], 50) << "a path that was kept";
  EXPECT_LT(ports_of_flow_0[0], 350) << "a path that was forgotten";
}

}  // namespace
}  // namespace tilefly::golden
