// SPDX-License-Identifier: Apache-2.0
// The Verilated tilefly_flow_channels, driven and read as values of a cycle.
#pragma once

#include "testbenches/bench/dut.h"
#include "testbenches/bench/port_bits.h"
#include "testbenches/flows/flow_ports.h"

namespace tilefly::bench {

template <typename Model>
class FlowRig {
 public:
  FlowRig(Comparison* run, int port) : dut_(run) {
    dut_->port_i = static_cast<CData>(port);
    dut_->on_i = 1;
    Drive(0, FlowInputs());
    dut_.Reset();
  }
  void TurnOn(bool on) { dut_->on_i = on; }
  /// A cycle with reset.
  void Reset() {
    Drive(0, FlowInputs());
    dut_->rst_ni = 0;
    dut_.Tick();
    dut_->rst_ni = 1;
  }
  /// What the cycle answers. The cycle is to be ended by Edge.
  FlowOutputs Settle(Cycle now, const FlowInputs& in) {
    Drive(now, in);
    dut_.Settle();
    return Read(in);
  }
  void Edge() { dut_.Edge(); }
  Model& pins() { return *dut_.operator->(); }

 private:
  void Drive(Cycle now, const FlowInputs& in) {
    Model& pins = *dut_.operator->();
    pins.cycle_i = static_cast<QData>(now);
    PutStruct(&pins.cfg_i, 0, in.write);
    pins.live_i = in.live;
    pins.valid_i = in.valid;
    pins.enters_i = in.enters;
    pins.again_i = in.again;
    pins.down_i = in.down;
    PutStruct(&pins.header_i, 0, in.header);
    pins.packet_i = static_cast<SData>(in.packet);
    pins.cells_i = static_cast<CData>(in.cells);
    pins.decides_i = in.decides;
    pins.port_to_i = in.port_to;
    pins.pair_port_i = in.pair_port;
    pins.came_via_i = in.came_via;
    pins.out_port_i = in.out_port;
    pins.out_lane_i = in.out_lane;
    pins.home_i = in.home;
    PutStruct(&pins.ack_i, 0, in.ack);
  }
  FlowOutputs Read(const FlowInputs& in) {
    Model& pins = *dut_.operator->();
    FlowOutputs out;
    if (pins.instead_o) {
      out.instead = golden::FlowWay{static_cast<std::uint16_t>(pins.path_via_o), pins.path_port_o,
                                    pins.path_via_valid_o != 0};
    }
    out.held = pins.held_o;
    out.sent = in.is_new() && !out.held;
    out.gen = pins.gen_o;
    out.by_class = pins.by_class_o;
    out.channel = pins.channel_o;
    if (pins.go_valid_o) {
      golden::FlowRelease go;
      go.packet = pins.go_packet_o;
      go.cells = pins.go_cells_o;
      go.port = pins.go_port_o;
      go.lane = pins.go_lane_o;
      go.gen = pins.go_gen_o;
      go.by_class = pins.go_by_class_o;
      go.channel = pins.go_channel_o;
      out.go = go;
    }
    if (pins.pause_valid_o) {
      const std::uint64_t bits = pins.pause_o;
      golden::FlowPause pause;
      pause.credit = bits & 0xfff;
      pause.period = bits >> 12 & 0xff;
      pause.destination = bits >> 20 & 0xf'ffff;
      pause.tc = bits >> 40 & 7;
      out.pause = pause;
    }
    out.full = pins.full_o;
    out.throttled = pins.throttled_o;
    out.lost = pins.lost_o;
    out.stray = pins.stray_o;
    out.marked = pins.marked_o;
    out.quiescent = pins.quiescent_o;
    return out;
  }

  Dut<Model> dut_;
};

}  // namespace tilefly::bench
