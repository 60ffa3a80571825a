// SPDX-License-Identifier: Apache-2.0
// Runs of a system by the name of their routing.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "network/network.h"
#include "testbenches/bench/settings.h"

namespace tilefly::network {

inline bench::Tier Tier() { return bench::TierFromEnvironment(); }

inline NetworkOptions With(const std::string& routing, const std::string& pattern, double load, Cycle cycles) {
  NetworkOptions options;
  options.routing = RoutingOptions::Named(routing);
  options.traffic.pattern = pattern;
  options.traffic.load = load;
  options.cycles = cycles;
  options.warmup = cycles / 4;
  return options;
}

/// Frames of several sizes.
inline NetworkOptions Sized(const std::string& pattern, double load, const std::string& size, bool bench_timing) {
  NetworkOptions options;
  options.bench_timing = bench_timing;
  options.traffic.pattern = pattern;
  options.traffic.load = load;
  options.traffic.size = size;
  options.cycles = 4000;
  options.warmup = 700;
  return options;
}

/// How a run that must end well went.
struct RunResult {
  double accepted;
  Routed routed;

  double share() const {
    const std::int64_t sum = routed.minimal + routed.nonminimal;
    return sum > 0 ? static_cast<double>(routed.nonminimal) / static_cast<double>(sum) : 0;
  }
};

inline RunResult RunToTheEnd(const topology::Topology& topology, const NetworkOptions& options) {
  Network network(topology, options);
  EXPECT_EQ(network.Run(), Ending::kDrained) << options.routing.name << " " << options.traffic.pattern;
  EXPECT_EQ(network.NotHome(), "");
  const Statistics& statistics = network.statistics();
  EXPECT_EQ(statistics.dropped(), 0);
  EXPECT_EQ(statistics.delivered(), statistics.sent());
  EXPECT_GT(statistics.sent(), 0);
  const double slots =
      static_cast<double>(topology.endpoints.size()) * static_cast<double>(options.cycles - options.warmup);
  return {static_cast<double>(statistics.accepted_words) / slots, network.CountRouted()};
}

}  // namespace tilefly::network
