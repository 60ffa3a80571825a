// SPDX-License-Identifier: Apache-2.0
// Systems whose switches are devices of words with links that repeat.
#pragma once

#include <gtest/gtest.h>

#include "testbenches/bench/settings.h"
#include "testbenches/network/repeating_run.h"
#include "testbenches/system/system_rig.h"
#include "testbenches/system/word_devices.h"

namespace tilefly::cosim {

inline bench::Tier TierNow() { return bench::TierFromEnvironment(); }

/// Three groups of two switches with two NICs each; in the full tier 36 switches.
inline topology::Topology Some() {
  return topology::Build(TierNow() == bench::Tier::kFull ? kDragonfly : "dragonfly:p=2,a=2,h=1");
}

inline network::NetworkOptions Short(const std::string& pattern, double load, const std::string& size,
                                     bool bench_timing = false) {
  network::NetworkOptions options = network::Sized(pattern, load, size, bench_timing);
  options.cycles = TierNow() == bench::Tier::kQuick ? 800 : 2500;
  options.warmup = options.cycles / 5;
  return options;
}

/// All switches are devices, then every second one.
inline void ExpectGolden(const topology::Topology& topology, network::NetworkOptions options,
                         std::int64_t least_resent) {
  for (const int step : {1, 2}) {
    options.make_node = Words(step - 1, step);
    const PairRun run = ExpectEqual(topology, options, 500);
    EXPECT_GE(run.retry.resent_words, least_resent);
  }
}

}  // namespace tilefly::cosim
