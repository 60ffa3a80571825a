// SPDX-License-Identifier: Apache-2.0
// tilefly_congestion_meter against golden's CongestionMeter (docs/blocks/flow_channel.md, "Meter at the output"), with
// the second reading of the page beside both: mark and share of every ack.
#include <gtest/gtest.h>

#include "Vrtl_congestion_meter_rosetta64.h"
#include "Vrtl_congestion_meter_tile8.h"
#include "testbenches/bench/dut.h"
#include "testbenches/bench/edges.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/flows/meter_bench.h"

namespace tilefly::bench {
namespace {

template <typename Model>
void DriveMeter(Model* pins, Cycle now, const MeterInputs& in) {
  pins->cycle_i = static_cast<QData>(now);
  PutStruct(&pins->cfg_i, 0, in.write);
  pins->on_i = in.on;
  pins->request_valid_i = 0;
  for (std::size_t row = 0; row < in.requests.size(); ++row) {
    if (!in.requests[row]) continue;
    const int at = static_cast<int>(row);
    Put(&pins->request_valid_i, at, 1, 1);
    Put(&pins->request_vl_i, 4 * at, 4, static_cast<std::uint64_t>(in.requests[row]->lane));
    Put(&pins->request_cells_i, 7 * at, 7, static_cast<std::uint64_t>(in.requests[row]->cells));
  }
  pins->deep_i = in.deep;
  pins->grant_valid_i = in.grant.has_value();
  pins->grant_vl_i = static_cast<CData>(in.grant ? in.grant->lane : 0);
  pins->grant_cells_i = static_cast<CData>(in.grant ? in.grant->cells : 0);
  for (int lane = 0; lane < golden::kMaxLanes; ++lane) {
    Put(&pins->vl_class_i, 3 * lane, 3, in.vl_class[static_cast<std::size_t>(lane)]);
  }
  pins->made_i = in.made;
  pins->vl_i = static_cast<CData>(in.lane);
  pins->src_i = in.source;
}

template <typename Model>
void CompareMeter(PowerUp power_up, double of_tier, int rows) {
  constexpr int kPort = 7;
  Comparison run(of_tier, power_up);
  Dut<Model> dut(&run);
  dut->port_i = kPort;
  MeterInputs idle;
  idle.requests.resize(static_cast<std::size_t>(rows));
  DriveMeter(dut.operator->(), 0, idle);
  dut.Reset();
  MeterPair pair(&run, kPort, true);
  MeterTraffic traffic(rows, kPort, run.stimulus());
  const Cycle first = FirstCycle(power_up);
  while (run.Next()) {
    const Cycle now = first + run.cycle();
    const MeterInputs in = traffic.Draw(run.cycle());
    DriveMeter(dut.operator->(), now, in);
    dut.Settle();
    const golden::FlowAdvice advice = pair.Step(now, in);
    run.Compare("mark", dut->mark_o, advice.mark);
    run.Compare("share", dut->share_o, advice.share);
    dut.Edge();
  }
}

TEST(CongestionMeterBlock, EqualsGoldenInEveryCycleWith8Ports) {
  CompareMeter<Vrtl_congestion_meter_tile8>(kZeros, 10, 3);
}
TEST(CongestionMeterBlock, EqualsGoldenInEveryCycleWith64Ports) {
  CompareMeter<Vrtl_congestion_meter_rosetta64>(kZeros, 10, 5);
}
TEST(CongestionMeterBlock, EqualsGoldenFromRandomRegisters) {
  FromRandomRegisters([](PowerUp power_up) { CompareMeter<Vrtl_congestion_meter_tile8>(power_up, 0.2, 3); });
}
/// Epochs, and the cycle that they are counted from, from the edges of the time.
TEST(CongestionMeterBlock, EqualsGoldenFromTheEdgesOfTime) {
  FromEdges([](PowerUp power_up) { CompareMeter<Vrtl_congestion_meter_tile8>(power_up, 0.2, 3); });
}

}  // namespace
}  // namespace tilefly::bench
