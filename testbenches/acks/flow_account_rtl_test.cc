// SPDX-License-Identifier: Apache-2.0
// tilefly_flow_account against golden's FlowAccount (docs/blocks/acks.md, "Flow account": ACK-2, ACK-3).
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "testbenches/acks/flow_account_bench.h"

namespace tilefly::bench {
namespace {

/// Flows and destinations are few for a stretch of cycles, so that packets and acks meet in them.
Stimuli Draw(const Stimulus& random, Cycle now) {
  Stimuli s;
  const auto flows = std::uint64_t{1} << random.Below(11, "flows", now / 512);
  const auto below = [&](std::uint64_t n, Purpose purpose) { return random.Below(n, purpose, now); };
  s.packet = random.Spell("packet", now);
  s.header.flow = static_cast<std::uint16_t>(below(flows, "flow"));
  s.header.hop = static_cast<std::uint8_t>(random.Chance(230, "begins", now) ? 0 : below(16, "hop"));
  s.header.dst = random.Chance(10, "replicated", now) ? kReplicated : static_cast<std::uint32_t>(77 + below(2, "dst"));
  s.header.ordered = random.Chance(160, "ordered", now);
  s.header.via = static_cast<std::uint16_t>(below(1 << 14, "via"));
  s.header.via_valid = random.Chance(128, "via valid", now);
  s.cells = 1 + static_cast<int>(below(89, "cells"));
  s.decides = random.Chance(220, "decides", now);
  s.enters = random.Chance(230, "enters", now);
  s.port = static_cast<int>(below(64, "port"));
  s.pair_port = static_cast<int>(below(64, "pair port"));
  s.came_via = static_cast<int>(below(1 << 14, "came via"));
  s.down = static_cast<std::uint8_t>(random.Chance(100, "down", now) ? below(256, "ports down") : 0);
  s.ack = random.Spell("ack", now);
  s.ack_flow = static_cast<int>(below(flows, "ack's flow"));
  s.ack_cells = 1 + static_cast<int>(below(127, "ack's cells"));
  return s;
}

/// `draw(cycle)`: what comes; `any`: of all kinds.
template <typename DrawStimuli>
void CompareAccount(Comparison* comparison, bool any, DrawStimuli&& draw) {
  Comparison& run = *comparison;
  Dut<Vrtl_flow_account> dut(&run);
  dut->edge_i = 1;
  Drive(&dut, 0, Stimuli{});
  dut.Reset();
  const Bin kept = run.AddBin("a packet keeps its flow's path", 100);
  const Bin pair = run.AddBin("a packet of another destination goes by the hash of its pair", any ? 100 : 0);
  const Bin no_path = run.AddBin("packets in flight leave no path", any ? 20 : 0);
  const Bin left = run.AddBin("the port of the path is down", any ? 50 : 0);
  const Bin both = run.AddBin("a packet and an ack of one flow in one cycle", any ? 50 : 0);
  const Bin first_acked = run.AddBin("an ack comes with its flow's first packet", any ? 5 : 0);
  const Bin unknown = run.AddBin("an ack of a flow without cells", 50);
  golden::FlowAccount golden;
  while (run.Next()) {
    const Stimuli s = draw(run.cycle());
    Drive(&dut, run.cycle(), s);
    dut.Settle();

    const int flow = s.header.flow;
    const Kept path = ComparePath(&run, &dut, golden, s);
    run.Hit(kept, path.keeps);
    run.Hit(pair, path.instead && !path.keeps);
    run.Hit(no_path, path.no_path);
    run.Hit(left, path.is_down);
    const bool together = s.counted() && s.enters && s.ack && s.ack_flow == flow;
    run.Hit(both, together);
    run.Hit(first_acked, together && golden.Find(kAccountPort, flow) == nullptr);
    run.Hit(unknown, s.ack && golden.Find(kAccountPort, s.ack_flow) == nullptr);
    Apply(&run, &golden, s);
    dut.Edge();
  }
}

void CompareAccount(PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  CompareAccount(&run, true, [&](Cycle now) { return Draw(run.stimulus(), now); });
}

/// A flow's cells stay at 2^20 - 1 whatever enters, and come home from there: packets of 127 cells enter until then and
/// some longer, every eighth of another flow until all are known; then acks of 127 cells come, and packets that only
/// look.
TEST(FlowAccountBlock, CellsOfAFlowSaturate) {
  constexpr Cycle kCells = 127, kHome = (1 << 20) / kCells + 1, kFilled = kHome * 8 / 7 + 20;
  Comparison run({1, 25, kFilled + kHome + 60});
  CompareAccount(&run, false, [&](Cycle now) {
    Stimuli s;
    s.packet = s.decides = s.header.ordered = true;
    s.enters = now < kFilled;
    s.header.flow = s.enters && now % 8 == 0 ? static_cast<std::uint16_t>(now / 8 % 1024) : 700;
    s.header.dst = 77;
    s.port = 9;
    s.cells = s.ack_cells = kCells;
    s.ack = !s.enters;
    s.ack_flow = 700;
    return s;
  });
}

TEST(FlowAccountBlock, EqualsGoldenInEveryCycle) { CompareAccount(kZeros, 3); }

TEST(FlowAccountBlock, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareAccount(power_up, 0.2); });
}

/// Every packet that enters is acknowledged, sooner or later: in the end no flow has a cell (ACK-2).
TEST(FlowAccountBlock, IsEmptyWhenAllIsAcknowledged) {
  constexpr Cycle kDrain = 1000;
  Comparison run({0.5, 25, 0, kDrain});
  Dut<Vrtl_flow_account> dut(&run);
  dut->edge_i = 1;
  Drive(&dut, 0, Stimuli{});
  dut.Reset();
  struct Packet {
    int flow, cells;
  };
  std::deque<Packet> in_flight;
  std::map<int, int> cells;  // of flows that have some
  const Bin empties = run.AddBin("a flow has no cells any more", 200);
  const Bin both = run.AddBin("a packet and an ack of one flow in one cycle", 50);
  while (run.Next()) {
    Stimuli s = Draw(run.stimulus(), run.cycle());
    s.packet = s.packet && !run.draining() && in_flight.size() < kDrain / 2;
    s.ack = !in_flight.empty() && (s.ack || run.draining());
    if (s.ack) {
      s.ack_flow = in_flight.front().flow;
      s.ack_cells = in_flight.front().cells;
      in_flight.pop_front();
    }
    Drive(&dut, run.cycle(), s);
    dut.Settle();
    const int flow = s.header.flow;
    run.Compare("instead", dut->instead_o, s.ordered() && cells.count(flow) != 0);
    if (s.counted() && s.enters) {
      run.Busy();
      cells[flow] += s.cells;
      in_flight.push_back({flow, s.cells});
      run.Hit(both, s.ack && s.ack_flow == flow);
    }
    if (s.ack && (cells[s.ack_flow] -= s.ack_cells) == 0) {
      cells.erase(s.ack_flow);
      run.Hit(empties);
    }
    run.DrainUntil(in_flight.empty() && cells.empty());
    if (run.drained()) run.Acked();
    dut.Edge();
  }
}

/// A port that is no edge port keeps no account, whatever enters.
TEST(FlowAccountBlock, OfNoEdgePortDoesNothing) {
  Comparison run({0.05, 0});
  Dut<Vrtl_flow_account> dut(&run);
  dut->edge_i = 0;
  Drive(&dut, 0, Stimuli{});
  dut.Reset();
  while (run.Next()) {
    Stimuli s = Draw(run.stimulus(), run.cycle());
    s.ack = false;
    Drive(&dut, run.cycle(), s);
    dut.Settle();
    run.Compare("instead", dut->instead_o, false);
    dut.Edge();
  }
}

}  // namespace
}  // namespace tilefly::bench
