// SPDX-License-Identifier: Apache-2.0
// The deadline of the flow account: tilefly_flow_account against golden's FlowAccount (docs/blocks/link_retry.md, "Deadline of
// the account"). Cycles in which the account is at rest pass unclocked, as in a tile that sleeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "golden/common/register_write.h"
#include "testbenches/acks/flow_account_bench.h"
#include "testbenches/bench/edges.h"

namespace tilefly::bench {
namespace {

constexpr int kFlows = 1024;
constexpr std::array kUsed = {0, 1, 2, 511, 512, 700, 1022, 1023};
constexpr std::array kSweeps = {0, 0, 1, 1, 2, 3, 7, 253, 254, 255};

int LookOf(Cycle now) { return static_cast<int>(now % kFlows); }
bool IsUsed(int flow) { return std::find(kUsed.begin(), kUsed.end(), flow) != kUsed.end(); }

Cfg Deadline(int port, int sweeps) {
  return golden::WriteRegister(port, CfgSpace::kPort, static_cast<int>(PortReg::kAckDeadline),
                               PortAckDeadline::Of(static_cast<std::uint64_t>(sweeps)).ToBits());
}

/// A write of ACK_DEADLINE, of this port or of all, or an access that means something else.
Cfg DrawWrite(const Stimulus& random, Cycle step, int sweeps) {
  Cfg write = Deadline(random.Chance(128, "one port", step) ? kAccountPort : 127, sweeps);
  switch (random.Below(16, "which access", step)) {
    case 0: write.port = kAccountPort ^ 1; break;
    case 1: write.read = true; break;
    case 2: write.index = static_cast<std::uint16_t>(PortReg::kLanes); break;
    case 3: write.space = static_cast<std::uint8_t>(CfgSpace::kSwitch); break;
    default: break;
  }
  return write;
}

bool IsDeadline(const Cfg& write) {
  return !write.read && write.space == static_cast<std::uint8_t>(CfgSpace::kPort) &&
         write.index == static_cast<std::uint16_t>(PortReg::kAckDeadline) &&
         (write.port == kAccountPort || write.port == 127);
}

/// Few flows, most of them near this cycle's look. In a part of the cycles nobody sends: packets only ask.
Stimuli Draw(const Stimulus& random, Cycle step, Cycle now, const golden::FlowAccount& golden) {
  Stimuli s;
  const auto below = [&](std::uint64_t n, Purpose purpose) { return static_cast<int>(random.Below(n, purpose, step)); };
  const bool meet = below(3, "all at the look's flow") == 0;
  const bool rush = meet && below(4, "rush") == 0 && IsUsed(LookOf(now));
  const bool quiet = !rush && (below(3, "quiet") == 0 || random.Below(2, "quiet stretch", step / 300) == 0);
  const auto flow_of = [&](Purpose purpose, Purpose which) {
    const int near = LookOf(meet ? now : now + below(3, purpose) - 1 + kFlows);
    return IsUsed(near) && (meet || below(4, which) != 0) ? near : kUsed[random.Below(kUsed.size(), which, step)];
  };
  s.packet = below(8, "packet") != 0;
  s.header.flow = static_cast<std::uint16_t>(flow_of("flow", "which flow"));
  s.header.dst = static_cast<std::uint32_t>(77 + below(8, "dst") / 7);
  s.header.ordered = below(8, "ordered") != 0;
  s.header.via = static_cast<std::uint16_t>(below(1 << 14, "via"));
  s.header.via_valid = below(2, "via valid") != 0;
  s.cells = 1 + below(89, "cells");
  s.decides = true;
  s.enters = !quiet && below(rush ? 2 : 3, "enters") == 0;
  s.port = below(64, "port");
  s.pair_port = below(64, "pair port");
  s.came_via = below(1 << 14, "came via");
  s.down = static_cast<std::uint8_t>(below(16, "down") == 0 ? 255 : 0);
  // As many cells as there are, or one less, so that a count that is wrong by one shows.
  const auto cells_of = [&](int flow, Purpose purpose) {
    const int held = static_cast<int>(golden.cells(kAccountPort, flow));
    const int cells = below(3, purpose) == 0 ? 1 + below(127, purpose) : held - static_cast<int>(step % 2);
    return std::clamp(cells, 1, 127);
  };
  s.ack = !quiet && below(rush ? 2 : 4, "ack") == 0;
  s.ack_flow = flow_of("ack's flow", "which ack's flow");
  s.ack_cells = cells_of(s.ack_flow, "ack's cells");
  s.broken = below(quiet ? 40 : rush ? 2 : 4, "broken") == 0;
  s.broken_flow = flow_of("broken flow", "which broken flow");
  s.broken_cells = std::min(89, cells_of(s.broken_flow, "broken cells"));
  return s;
}

/// How far the time goes on while the account is at rest: to just before, at or behind a look of a flow, in this sweep or
/// so many sweeps later that a deadline may be due.
Cycle LeapOf(const Stimulus& random, Cycle step, Cycle now, int sweeps) {
  const int flow = kUsed[random.Below(kUsed.size(), "next flow", step)];
  const Cycle to_look = (flow - LookOf(now) + kFlows) % kFlows + static_cast<Cycle>(random.Below(3, "beside", step)) - 1;
  const std::uint64_t kind = random.Below(32, "how many sweeps", step);
  const Cycle whole = kind < 26 ? 0
                      : kind < 28 ? static_cast<Cycle>(random.Below(3, "few sweeps", step))
                      : kind < 31 ? std::max(0, sweeps - 2) + static_cast<Cycle>(random.Below(3, "sweeps", step))
                                  : static_cast<Cycle>(random.Below(600, "many sweeps", step));
  return std::max<Cycle>(1, whole * kFlows + to_look);
}

constexpr std::array kLookBins = {
    "the look of a flow that is due: nothing else",           "due, and a packet in the look's cycle",
    "due, and an ack in the look's cycle",                    "due, and a packet and an ack in the look's cycle",
    "due, and a broken attempt in the look's cycle",          "due, with a packet and a broken attempt",
    "due, with an ack and a broken attempt",                  "due, with a packet, an ack and a broken attempt"};

void CompareDeadline(PowerUp power_up, double of_tier) {
  Comparison run(of_tier, power_up);
  Dut<Vrtl_flow_account> dut(&run);
  dut->edge_i = 1;
  Cycle now = FirstCycle(power_up) + 3;
  Drive(&dut, now - 1, Stimuli{});
  dut.Reset();
  const Stimulus& random = run.stimulus();
  std::array<Bin, 8> due_bins{};
  for (std::size_t i = 0; i < due_bins.size(); ++i) due_bins[i] = run.AddBin(kLookBins[i], 3);
  const Bin in_walk = run.AddBin("cells are forgotten amid a walk", 20);
  const Bin of_earlier = run.AddBin("cells that were forgotten before a write: nobody asked until a walk began", 10);
  const Bin asleep = run.AddBin("cells are forgotten at rest", 100);
  const Bin next_cycle = run.AddBin("a packet in the cycle behind the look that forgets", 20);
  const Bin acked = run.AddBin("an ack of forgotten cells", 20);
  const Bin broken = run.AddBin("a broken attempt of forgotten cells", 20);
  const Bin again = run.AddBin("a write amid a walk", 5);
  const Bin at_end = run.AddBin("a write in the last cycle of a walk, or the next", 2);
  const Bin at_look = run.AddBin("a write in the cycle of a look that would be due by it", 1);
  const Bin begins = run.AddBin("a deadline begins while idle counts are over it", 3);
  const Bin saturated = run.AddBin("cells are still there behind 256 sweeps", 3);
  const Bin longest = run.AddBin("cells are forgotten after 254 or 255 sweeps", 2);
  golden::FlowAccount golden;
  golden.Advance(now - 1);
  int sweeps = 0;
  Cycle written = kNever, rested = now;
  std::array<std::uint64_t, kUsed.size()> held{};  // cells behind the last cycle
  std::array<Cycle, kUsed.size()> heard{}, unasked{};  // since the cells were forgotten nobody has asked; 0: somebody did
  while (run.Next()) {
    const Cycle step = run.cycle();
    golden.Advance(now);
    Stimuli s = Draw(random, step, now, golden);
    const bool walks = written != kNever && now <= written + kFlows;
    run.Compare("quiescent", dut->quiescent_o, !walks);
    const Cycle age = written == kNever ? 0 : now - written;
    const bool edge = age >= kFlows - 1 && age <= kFlows + 2 && random.Chance(8, "at the end", step);
    const std::uint64_t seldom = walks ? 8000 : IsUsed(LookOf(now)) ? 250 : 2000;
    if (edge || random.Below(seldom, "writes", step) == 0) {
      const int next = kSweeps[random.Below(kSweeps.size(), "sweeps", step)];
      s.write = DrawWrite(random, step, next);
    }
    Drive(&dut, now, s);
    dut.Settle();
    // What was forgotten since the last cycle, and by what comes now.
    bool any_over = false, due_by_write = false;
    for (std::size_t i = 0; i < kUsed.size(); ++i) {
      const golden::FlowChannel* const channel = golden.Find(kAccountPort, kUsed[i]);
      const bool forgotten = held[i] > 0 && channel == nullptr;
      if (forgotten) {
        run.Hit(in_walk, walks && now - 1 > written);
        run.Hit(asleep, now - rested > 1);
        run.Hit(next_cycle, LookOf(now - 1) == kUsed[i] && s.ordered() && s.header.flow == kUsed[i]);
        run.Hit(acked, s.ack && s.ack_flow == kUsed[i]);
        run.Hit(broken, s.broken && s.broken_flow == kUsed[i]);
        run.Hit(longest, now - heard[i] > 253 * kFlows);
        unasked[i] = now;
      }
      const bool asks = s.ordered() && s.header.flow == kUsed[i];
      run.Hit(of_earlier, asks && walks && unasked[i] != 0 && unasked[i] <= written);
      if (asks || channel != nullptr || (s.ack && s.ack_flow == kUsed[i])) unasked[i] = 0;
      if (channel == nullptr) continue;
      const Cycle idle = golden.IdleSweeps(*channel);
      run.Hit(saturated, idle > 255);
      any_over = any_over || idle > 0;
      if (LookOf(now) != kUsed[i]) continue;
      due_by_write = s.write && sweeps == 0;
      if (sweeps == 0 || idle + 1 < sweeps) continue;
      const int events = (s.enters && s.counted() && s.header.flow == kUsed[i] ? 1 : 0) +
                         (s.ack && s.ack_flow == kUsed[i] ? 2 : 0) + (s.broken && s.broken_flow == kUsed[i] ? 4 : 0);
      run.Hit(due_bins[static_cast<std::size_t>(events)]);
    }
    ComparePath(&run, &dut, golden, s);
    Apply(&run, &golden, s);
    if (s.write && IsDeadline(*s.write)) {
      const int next = static_cast<int>(PortAckDeadline::FromBits(s.write->data).sweeps);
      run.Hit(again, walks);
      run.Hit(at_end, age == kFlows || age == kFlows + 1);
      run.Hit(at_look, due_by_write && next == 1);
      run.Hit(begins, sweeps == 0 && next > 0 && any_over);
      golden.SetDeadline(kAccountPort, next);
      run.Event("sweeps", {next});
      sweeps = next;
      written = now;
    }
    for (std::size_t i = 0; i < kUsed.size(); ++i) {
      held[i] = golden.cells(kAccountPort, kUsed[i]);
      const bool is_heard = (s.enters && s.counted() && s.header.flow == kUsed[i]) || (s.ack && s.ack_flow == kUsed[i]);
      if (is_heard) heard[i] = now;
    }
    dut.Edge();
    rested = now;
    const bool rests = written == kNever || now >= written + kFlows;
    now += rests ? LeapOf(random, step, now, sweeps) : 1;
  }
}

TEST(FlowAccountDeadline, EqualsGoldenInEveryCycle) { CompareDeadline(kZeros, 20); }

TEST(FlowAccountDeadline, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareDeadline(power_up, 0.3); });
}

TEST(FlowAccountDeadline, EqualsGoldenFromTheEdgesOfLongLivedState) {
  FromEdges([](PowerUp power_up) { CompareDeadline(power_up, 0.5); });
}

}  // namespace
}  // namespace tilefly::bench
