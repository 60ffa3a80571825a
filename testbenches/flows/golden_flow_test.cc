// SPDX-License-Identifier: Apache-2.0
// Golden's flow channels against a second reading of docs/blocks/flow_channel.md, and the page's examples.
#include <gtest/gtest.h>

#include "golden/common/archive.h"
#include "testbenches/flows/flow_compare.h"
#include "testbenches/flows/flow_traffic.h"

namespace tilefly::bench {
namespace {

void CompareWithTheSecondReading(const FlowScope& scope, Cycle cycles, int least) {
  Comparison run({1, 25, cycles, 40'000});
  FlowLines lines(&run, least);
  FlowPair pair(&run, scope.table, scope.port);
  FlowTraffic traffic(scope, run.stimulus());
  while (run.Next()) {
    const FlowInputs in = traffic.Draw(run.cycle(), run.draining());
    const FlowOutputs out = pair.Step(run.cycle(), in);
    traffic.See(run.cycle(), in, out);
    if (run.cycle() == run.cycles() - 1) lines.Add(pair.naive);
    const bool empty = run.draining() && traffic.drained() && pair.golden.channels.quiescent();
    if (empty) pair.golden.CheckDrained();
    run.DrainUntil(empty);
  }
}

TEST(GoldenFlows, EqualASecondReadingOfThePage) { CompareWithTheSecondReading({}, 900'000, 20); }
TEST(GoldenFlows, EqualASecondReadingWithASmallTable) {
  FlowScope scope;
  scope.table = {1, 2, 2, 2};
  CompareWithTheSecondReading(scope, 300'000, 20);
}

/// Golden with nothing but what a test gives it.
class Bench {
 public:
  explicit Bench(const golden::FlowRegisters& registers) : flows({}, 0) { flows.channels.SetRegisters(-1, registers); }

  FlowOutputs Step(const FlowInputs& in) { return last = flows.Step(now++, in); }
  /// Steps with nothing to come, until before cycle `until`.
  void Rest(Cycle until) {
    while (now < until) {
      Step({});
      if (last.lost > 0) lost_at.push_back(now - 1);
      if (last.go) released_at.push_back(now - 1);
      if (last.pause) paused_at.push_back(now - 1);
    }
  }
  FlowOutputs Packet(std::uint32_t destination, int cells, int number = 0, int tc = 0) {
    FlowInputs in;
    in.valid = in.enters = true;
    in.header.dst = destination;
    in.header.tc = static_cast<std::uint8_t>(tc);
    in.packet = static_cast<golden::Index>(number);
    in.cells = cells;
    return Step(in);
  }
  FlowOutputs Home(std::uint32_t destination, int cells, bool gen, bool mark, int share, bool by_class = false,
                   int tc = 0) {
    FlowInputs in;
    in.home = true;
    in.ack.dst = destination;
    in.ack.tc = static_cast<std::uint8_t>(tc);
    in.ack.cells = static_cast<std::uint8_t>(cells);
    in.ack.gen = gen;
    in.ack.mark = mark;
    in.ack.share = static_cast<std::uint16_t>(share);
    in.ack.by_class = by_class;
    return Step(in);
  }

  GoldenFlows flows;
  Cycle now = 0;
  FlowOutputs last;
  std::vector<Cycle> lost_at, released_at, paused_at;
};

/// "Lost ack" of the page: entry number 5, deadline 2, throttled with window 0; the ack of a packet sent in 100 is lost.
TEST(GoldenFlows, ALostAckIsForgottenInTheCyclesOfThePage) {
  golden::FlowRegisters registers;
  registers.channel.deadline = 2;
  Bench bench(registers);
  // Set 0 has entries 0 to 15: five others are in use before.
  for (std::uint32_t way = 0; way < 5; ++way) bench.Packet(way << 6 | way, 1);
  const std::uint32_t flow = 5 << 6 | 5;
  bench.Rest(50);
  ASSERT_FALSE(bench.Packet(flow, 89).held);
  bench.Home(flow, 88, false, true, 0);
  bench.Rest(60);
  bench.Home(flow, 1, false, true, 0);
  EXPECT_EQ(bench.flows.channels.Entry(0, flow)->number, 5);
  bench.Rest(100);
  EXPECT_FALSE(bench.Packet(flow, 89).held);
  EXPECT_TRUE(bench.Packet(flow, 89, 7).held);
  bench.lost_at.clear();
  bench.paused_at.clear();
  bench.Rest(1027);
  bench.paused_at.clear();
  bench.Rest(3100);
  EXPECT_NE(std::find(bench.lost_at.begin(), bench.lost_at.end(), 3077), bench.lost_at.end());
  EXPECT_EQ(bench.released_at, std::vector<Cycle>{3078});
  EXPECT_EQ(bench.paused_at, (std::vector<Cycle>{1030, 2054, 3078, 3079}));
  EXPECT_EQ(bench.flows.audit.Message(), "");
}

/// "Recovery" of the page: windows behind marked and unmarked acks.
TEST(GoldenFlows, AWindowRecoversAsInThePagesTable) {
  Bench bench({});
  const auto window = [&] { return bench.flows.channels.Entry(0, 9)->window; };
  for (int i = 0; i < 12; ++i) bench.Packet(9, 89);
  bench.Home(9, 89, false, true, 0);
  EXPECT_EQ(window(), 0);
  bench.Home(9, 89, false, false, 160);
  EXPECT_EQ(window(), 171);
  bench.Home(9, 89, false, false, 160);
  EXPECT_EQ(window(), 182);
  bench.Home(9, 89, false, true, 160);
  EXPECT_EQ(window(), 160);
  bench.Home(9, 89, false, false, 160);
  EXPECT_EQ(window(), 171);
  EXPECT_TRUE(bench.flows.channels.Entry(0, 9)->throttled);
  bench.Home(9, 89, false, false, 1280);
  EXPECT_FALSE(bench.flows.channels.Entry(0, 9)->throttled);
}

/// "Full table" of the page: the class channel counts what finds no way, and an entry made meanwhile is not paid for it.
TEST(GoldenFlows, AFullSetFallsBackToTheClass) {
  Bench bench({});
  const auto key = [](std::uint32_t i) { return i << 6 | i; };  // set 0
  for (std::uint32_t i = 0; i < 16; ++i) EXPECT_FALSE(bench.Packet(key(i), 4).full);
  const FlowOutputs full = bench.Packet(key(16), 4);
  EXPECT_TRUE(full.full);
  EXPECT_TRUE(full.by_class);
  bench.Home(key(3), 4, false, false, 0);
  EXPECT_FALSE(bench.Packet(key(16), 7).by_class);
  EXPECT_EQ(bench.flows.channels.Entry(0, key(16))->number, 3);
  bench.Home(key(16), 4, false, false, 0, true);
  EXPECT_EQ(bench.flows.channels.ClassChannel(0).in_flight(), 0u);
  EXPECT_EQ(bench.flows.channels.Entry(0, key(16))->in_flight(), 7u);
}

/// An idle port has nothing to do, and a channel that is not throttled only at its deadline ("Cost").
TEST(GoldenFlows, AChannelThatIsNotThrottledHasOneEventInItsDeadline) {
  Bench bench({});
  bench.Rest(5000);
  EXPECT_EQ(bench.flows.worked, 0);
  EXPECT_EQ(bench.flows.channels.Next(bench.now), kNever);
  bench.Packet(77, 89);
  EXPECT_GT(bench.flows.channels.Next(bench.now), bench.now + 128 * 1024);
  bench.Rest(bench.now + 256 * 1024);
  EXPECT_EQ(bench.flows.worked, 2);
  EXPECT_EQ(bench.lost_at.size(), 1u);
  EXPECT_TRUE(bench.flows.channels.quiescent());
}

/// A table that is saved and loaded goes on as the one that was saved.
TEST(GoldenFlows, ALoadedTableGoesOnAsTheSavedOne) {
  FlowScope scope;
  const Stimulus random(4);
  FlowTraffic traffic(scope, random);
  golden::FlowChannels first, second;
  std::int64_t same = 0;
  for (Cycle now = 0; now < 60'000; ++now) {
    const FlowInputs in = traffic.Draw(now, false);
    if (now == 20'000) {
      SavedBytes bytes;
      Saver{&bytes}(first);
      Loader loader(bytes);
      loader(second);
      ASSERT_TRUE(loader.AtEnd());
      second.SetRegisters(now - 1, first.registers());
    }
    FlowOutputs seen;
    const auto step = [&](golden::FlowChannels* flows, FlowOutputs* out) {
      golden::FlowArrival arrival;
      arrival.destination = in.header.dst;
      arrival.tc = in.header.tc;
      arrival.packet = in.packet;
      arrival.cells = static_cast<std::uint8_t>(in.cells);
      if (in.counted() && in.enters) {
        const golden::FlowVerdict verdict = flows->Packet(now, arrival);
        out->held = verdict.held;
        out->gen = verdict.gen;
        out->by_class = verdict.by_class;
      }
      out->go = flows->Release(now, in.valid && in.enters && !out->held);
      if (in.home) flows->Acknowledge(now, in.ack);
      out->pause = flows->EndCycle(now, in.live).pause;
      if (in.write.valid) flows->SetRegisters(now, Written(flows->registers(), in.write, scope.port));
    };
    step(&first, &seen);
    traffic.See(now, in, seen);
    if (now < 20'000) continue;
    FlowOutputs again;
    step(&second, &again);
    ASSERT_EQ(seen.held, again.held) << now;
    ASSERT_EQ(seen.go.has_value(), again.go.has_value()) << now;
    ASSERT_EQ(seen.pause.has_value(), again.pause.has_value()) << now;
    if (seen.go) ASSERT_EQ(seen.go->packet, again.go->packet) << now;
    same += seen.held + seen.go.has_value() + seen.pause.has_value();
  }
  EXPECT_GT(same, 1000);
}

}  // namespace
}  // namespace tilefly::bench
