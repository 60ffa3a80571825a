// SPDX-License-Identifier: Apache-2.0
// tilefly_flow_channels at the edges of its long-lived state, and turned off (docs/blocks/flow_channel.md, "Long-lived
// state"), against golden.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>

#include "Vrtl_flow_channels.h"
#include "Vrtl_flow_channels_small.h"
#include "testbenches/bench/edges.h"
#include "testbenches/flows/flow_compare.h"
#include "testbenches/flows/flow_rig.h"
#include "testbenches/flows/flow_traffic.h"

namespace tilefly::bench {
namespace {

constexpr int kEdgePort = 3;

Cfg ChannelRegister(int deadline, int idle) {
  tilefly::FlowChannel word;
  word.deadline = static_cast<std::uint8_t>(deadline);
  word.idle = static_cast<std::uint8_t>(idle);
  return golden::WriteRegister(kEdgePort, CfgSpace::kPort, static_cast<int>(PortReg::kFlowChannel), word.ToBits());
}

FlowInputs PacketTo(std::uint32_t destination, int cells, int number) {
  FlowInputs in;
  in.valid = in.enters = true;
  in.header.dst = destination;
  in.cells = cells;
  in.packet = static_cast<golden::Index>(number);
  return in;
}

FlowInputs AckOf(std::uint32_t destination, int cells, bool gen, bool mark, int share) {
  FlowInputs in;
  in.home = true;
  in.ack.dst = destination;
  in.ack.cells = static_cast<std::uint8_t>(cells);
  in.ack.gen = gen;
  in.ack.mark = mark;
  in.ack.share = static_cast<std::uint16_t>(share);
  return in;
}

/// RTL, golden and the second reading of one table.
template <typename Model>
class FlowTriple {
 public:
  FlowTriple(Comparison* run, const golden::FlowChannels::Parameters& table)
      : pair(run, table, kEdgePort), run_(run), rtl_(run, kEdgePort) {}
  FlowOutputs Step(const FlowInputs& in) {
    const FlowOutputs out = pair.Step(run_->cycle(), in);
    CompareFlowOutputs(run_, rtl_.Settle(run_->cycle(), in), out);
    rtl_.Edge();
    return out;
  }
  /// How often a line of the rules has acted.
  std::int64_t Acted(const std::string& line) const {
    const auto at = pair.naive.lines().find(line);
    return at == pair.naive.lines().end() ? 0 : at->second;
  }
  const golden::FlowState* Entry(std::uint32_t destination) const {
    return pair.golden.channels.Entry(0, destination);
  }
  FlowPair pair;

 private:
  Comparison* run_;
  FlowRig<Model> rtl_;
};

/// No ack comes. The first generation is small and lives 24 sweeps; in them the next one is filled to its edge, grows
/// old there, and is forgotten, while the one behind it is filled, too.
TEST(FlowEdges, CellsAndOldSaturateAt20Bits) {
  Comparison run({1, 25, 110'000, 0});
  const Bin full = run.AddBin("cells are full", 1000);
  const Bin both = run.AddBin("cells and old are full", 1000);
  const Bin acked = run.AddBin("an ack takes cells of a full generation", 10);
  FlowTriple<Vrtl_flow_channels> triple(&run, {});
  constexpr std::uint32_t kMost = golden::FlowState::kMostCells;
  while (run.Next()) {
    FlowInputs in;
    if (run.cycle() % 2 == 0) in = PacketTo(77, 127, 1);
    if (run.cycle() == 1) in.write = ChannelRegister(24, 1);
    const golden::FlowState* const entry = triple.Entry(77);
    const bool both_full = entry != nullptr && entry->cells == kMost && entry->old == kMost;
    run.Hit(full, entry != nullptr && entry->cells == kMost);
    run.Hit(both, both_full);
    if (run.cycle() % 512 == 1 && run.cycle() > 60'000) {
      run.Hit(acked, entry->cells == kMost);
      const FlowInputs ack = AckOf(77, 127, entry->gen, false, 0);
      in.home = true;
      in.ack = ack.ack;
    }
    triple.Step(in);
  }
}

/// Of a small table: a packet is lost after 255 sweeps, and the channel forgotten after 255 more.
TEST(FlowEdges, AgeAndIdleReachTheirEdges) {
  Comparison run({1, 0, 30'000, 0});
  const Bin age = run.AddBin("age is full", 3);
  const Bin idle = run.AddBin("idle is full", 3);
  const Bin forgotten = run.AddBin("a channel is forgotten", 3);
  FlowTriple<Vrtl_flow_channels_small> triple(&run, SmallScope().table);
  bool throttled = false;
  std::int64_t ages = 0, idles = 0;
  while (run.Next()) {
    const Cycle at = run.cycle() % 4000;
    FlowInputs in;
    if (at == 2) in = PacketTo(5, 3, 0);
    if (at == 3) in = AckOf(5, 1, triple.Entry(5)->gen, true, 0);
    if (run.cycle() == 0) in.write = ChannelRegister(255, 255);
    triple.Step(in);
    const golden::FlowState* const entry = triple.Entry(5);
    run.Hit(age, triple.Acted("4.1 age is full") > ages);
    run.Hit(idle, triple.Acted("4.1 idle is full") > idles);
    ages = triple.Acted("4.1 age is full");
    idles = triple.Acted("4.1 idle is full");
    run.Hit(forgotten, throttled && (entry == nullptr || !entry->throttled));
    throttled = entry != nullptr && entry->throttled;
  }
}

/// `held` at its edge: a channel with a window of 0 holds all that a port can have.
TEST(FlowEdges, AChannelHoldsAllCellsOfAPort) {
  Comparison run({1, 25, 26'000, 0});
  const Bin held = run.AddBin("2560 cells are held", 1);
  const Bin last = run.AddBin("the last packet is released", 1);
  FlowTriple<Vrtl_flow_channels> triple(&run, {});
  int number = 0;
  bool mark = true;
  while (run.Next()) {
    FlowInputs in;
    const golden::FlowState* const entry = triple.Entry(9);
    if (run.cycle() % 2 == 0 && number < 2560) {
      in = PacketTo(9, 1, number);
      if (run.cycle() > 0) ++number;  // the first one is sent
    } else if (run.cycle() == 1) {
      in = AckOf(9, 1, false, true, 0);
    } else if (run.cycle() > 6000 && entry != nullptr && entry->in_flight() > 0 && run.cycle() % 4 == 1) {
      in = AckOf(9, 1, entry->gen, mark, 0);
      in.ack.gen = entry->cells > 0 ? entry->gen : !entry->gen;
    }
    run.Hit(held, entry != nullptr && entry->held == 2559);
    const FlowOutputs out = triple.Step(in);
    run.Hit(last, out.go && out.go->packet == 2559);
  }
}

/// The tell and ready fifos have numbers of their places that wrap at 1024 and 1032.
TEST(FlowEdges, FifosWrapWhenAllChannelsAreThrottled) {
  Comparison run({1, 25, 60'000, 0});
  const Bin tells = run.AddBin("a pause", 4000);
  const Bin releases = run.AddBin("a release", 2100);
  const Bin all = run.AddBin("900 entries are in use", 1000);
  FlowTriple<Vrtl_flow_channels> triple(&run, {});
  const Stimulus& random = run.stimulus();
  std::deque<FlowInputs> acks;
  std::map<golden::Index, std::uint32_t> held;
  int number = 0;
  while (run.Next()) {
    FlowInputs in;
    const Cycle now = run.cycle();
    if (now % 2 == 0 && held.size() < 1200) {
      while (held.count(static_cast<golden::Index>(number)) != 0) number = (number + 1) % 2560;
      in = PacketTo(static_cast<std::uint32_t>(random.Below(1400, "destination", now)), 1, number);
      number = (number + 1) % 2560;
    }
    if (!acks.empty() && (acks.size() > 800 || now > 20'000)) {
      in.home = true;
      in.ack = acks.front().ack;
      in.ack.mark = random.Chance(128, "mark", now);
      acks.pop_front();
    }
    const FlowOutputs out = triple.Step(in);
    const auto answer = [&](std::uint32_t destination, bool gen, bool by_class) {
      acks.push_back(AckOf(destination, 1, gen, true, 0));
      acks.back().ack.by_class = by_class;
    };
    if (out.sent) answer(in.header.dst, out.gen, out.by_class);
    if (out.held) held[in.packet] = in.header.dst;
    if (out.go) {
      answer(held[out.go->packet], out.go->gen, out.go->by_class);
      held.erase(out.go->packet);
    }
    run.Hit(tells, out.pause.has_value());
    run.Hit(releases, out.go.has_value());
    run.Hit(all, triple.pair.golden.channels.entries() > 900);
  }
}

/// While the port is off all outputs are 0, whatever comes, and the table is as after reset when it is on again. It is
/// turned off when it is idle. Registers are written while it is off, too.
TEST(FlowEdges, APortThatIsOffAnswersNothingAndBeginsAnew) {
  Comparison run({1, 0, 200'000, 0});
  const Bin off = run.AddBin("a packet or an ack comes while the port is off", 1000);
  const Bin times = run.AddBin("turned on", 5);
  const FlowScope scope = SmallScope();
  FlowRig<Vrtl_flow_channels_small> rtl(&run, scope.port);
  std::optional<FlowPair> pair;
  std::optional<FlowTraffic> traffic;
  enum { kOn, kDraining, kOff } mode = kOff;
  Cycle until = 0;
  std::uint32_t life = 0;
  while (run.Next()) {
    const Cycle now = run.cycle();
    if (mode == kOff && now >= until) {
      pair.emplace(&run, scope.table, scope.port);
      traffic.emplace(scope, Stimulus(run.seed() + ++life));
      mode = kOn;
      until = now + 4 * scope.phase;
      rtl.TurnOn(true);
      run.Hit(times);
    }
    if (mode == kOn && now >= until) mode = kDraining;
    FlowInputs in = traffic->Draw(now, mode == kDraining);
    FlowOutputs out;
    if (mode == kOff) {
      in.write = {};
      if (now == until - 2) in.write = golden::WriteRegister(scope.port, CfgSpace::kPort, 7, FlowMark().ToBits());
      if (now == until - 1) {
        in.write = golden::WriteRegister(scope.port, CfgSpace::kPort, 8, tilefly::FlowChannel().ToBits());
      }
      run.Hit(off, in.valid || in.home);
    } else {
      out = pair->Step(now, in);
      traffic->See(now, in, out);
    }
    CompareFlowOutputs(&run, rtl.Settle(now, in), out);
    rtl.Edge();
    if (mode == kDraining && traffic->drained() && pair->golden.channels.quiescent()) {
      mode = kOff;
      until = (now / scope.phase + 2) * scope.phase;
      rtl.TurnOn(false);
    }
  }
}

}  // namespace
}  // namespace tilefly::bench
