// SPDX-License-Identifier: Apache-2.0
// Golden's flow channels cycle by cycle, as the module's ports, with the checker of the page's invariants beside them.
// Cycles in which nothing comes and golden says that nothing is due are left out.
#pragma once

#include "golden/flows/flow_checker.h"
#include "testbenches/flows/flow_ports.h"

namespace tilefly::bench {

class GoldenFlows {
 public:
  GoldenFlows(const golden::FlowChannels::Parameters& parameters, int port)
      : channels(parameters), port_(port), checker_(channels, port) {}

  /// One cycle, the one behind the last.
  FlowOutputs Step(Cycle now, const FlowInputs& in) {
    FlowOutputs out;
    out.quiescent = channels.quiescent();
    if (in.counted()) Packet(now, in, &out);
    const bool entered = in.valid && in.enters && !out.held;
    if (now >= due_ || in.home || in.is_new()) {
      worked += 1;
      out.go = channels.Release(now, entered);
      if (out.go) checker_.Released(now, *out.go, &audit);
      if (in.home) Acknowledge(now, in.ack, &out);
      const golden::FlowEnd end = channels.EndCycle(now, in.live);
      out.lost = end.lost;
      out.pause = end.pause;
      checker_.EndCycle(now, end, &audit);
      due_ = channels.Next(now);
    }
    if (now % kCheckEvery == 0) Check(now);
    if (in.write.valid) {
      channels.SetRegisters(now, Written(channels.registers(), in.write, port_));
      due_ = channels.Next(now);
    }
    return out;
  }
  void CheckDrained() { checker_.CheckDrained(&audit); }

  golden::FlowChannels channels;
  golden::Audit audit;
  std::int64_t worked = 0;  ///< cycles in which golden had to be called

 private:
  static constexpr Cycle kCheckEvery = 97;

  void Packet(Cycle now, const FlowInputs& in, FlowOutputs* out) {
    golden::FlowArrival arrival;
    arrival.destination = in.header.dst;
    arrival.tc = in.header.tc;
    arrival.packet = in.packet;
    arrival.cells = static_cast<std::uint8_t>(in.cells);
    arrival.chooses = in.header.ordered && in.decides;
    arrival.routed = {in.header.via, in.port_to, in.header.via_valid};
    arrival.out_port = in.out_port;
    arrival.out_lane = in.out_lane;
    const golden::FlowWay pair{in.came_via, in.pair_port, false};
    if (arrival.chooses) out->instead = channels.WayOf(arrival.tc, arrival.destination, pair);
    const bool avoids = out->instead && in.IsDown(out->instead->port);
    if (avoids) out->instead = pair;
    if (!in.is_new()) return;
    const golden::FlowVerdict verdict = channels.Packet(now, arrival);
    if (avoids) arrival.chooses = false;  // the hash path is not judged
    checker_.Arrived(now, arrival, verdict, out->instead, &audit);
    out->held = verdict.held;
    out->sent = !verdict.held;
    out->gen = verdict.gen;
    out->by_class = verdict.by_class;
    out->channel = verdict.channel;
    out->full = verdict.full;
  }
  void Acknowledge(Cycle now, const Ack& ack, FlowOutputs* out) {
    const golden::FlowAcked acked = channels.Acknowledge(now, ack);
    checker_.Acknowledged(now, ack, acked, &audit);
    out->stray = acked.stray;
    out->marked = acked.marked;
    out->throttled = acked.throttled;
  }
  void Check(Cycle now) {
    channels.Check(port_, &audit);
    checker_.Check(now, &audit);
  }

  int port_;
  golden::FlowChecker checker_;
  Cycle due_ = kNever;
};

}  // namespace tilefly::bench
