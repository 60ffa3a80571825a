// SPDX-License-Identifier: Apache-2.0
// Runs with congestion control.
#pragma once

#include "testbenches/network/nic_runs.h"

namespace tilefly::network {

/// Three groups of two switches with two endpoints each.
inline topology::Topology CongestedSystem() { return topology::Build("dragonfly:p=2,a=2,h=1"); }

/// A hot endpoint, and thresholds so low that short runs have many marks, pauses and generations.
inline NetworkOptions Congested(bool bench_timing) {
  NetworkOptions options = WithAcks();
  options.bench_timing = bench_timing;
  options.cycles = 4000;
  options.traffic.pattern = "hotspot:5:0.5";
  options.traffic.load = 0.8;
  options.traffic.size = "64,500,2000";
  options.congestion.on = true;
  options.congestion.mark = FlowMark::Of(40, 200, 300);
  options.congestion.channel = FlowChannel::Of(/*deadline=*/4, /*idle=*/2, /*grow=*/2, /*hold=*/50, /*period=*/20,
                                                /*first=*/0);
  return options;
}

/// Channels of all switches that are throttled, and cells that channels hold.
struct ThrottledChannels {
  int channels = 0;
  int held = 0;
};
inline ThrottledChannels CountThrottled(const Network& network) {
  ThrottledChannels sum;
  for (int n = 0; n < network.nodes(); ++n) {
    const golden::FlowPorts* const flows = network.node(n).golden()->channels();
    for (int port = 0; port < network.profile().ports && flows != nullptr; ++port) {
      if (!flows->Has(port)) continue;
      flows->channels(port).ForEach([&](const golden::FlowState& state) {
        sum.channels += state.throttled;
        sum.held += state.held;
      });
    }
  }
  return sum;
}

/// The sum of a counter over the ports of all switches.
inline std::int64_t SumOf(const Network& network, Counter counter) {
  std::int64_t sum = 0;
  for (int n = 0; n < network.nodes(); ++n) {
    for (int port = 0; port < network.profile().ports; ++port)
      sum += static_cast<std::int64_t>(network.ReadCounter(n, port, static_cast<int>(counter)));
  }
  return sum;
}

}  // namespace tilefly::network
