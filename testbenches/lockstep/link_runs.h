// SPDX-License-Identifier: Apache-2.0
// What tests of the link in port_link.h do with it.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "cosim/device_factory.h"
#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/port_link.h"

namespace tilefly::bench {

inline constexpr RetryFaults kLosesAll{1, 0, 0, 0, 1};

/// The stimulus of the test `name`.
inline Stimulus StimulusOf(const char* name) { return Stimulus(SeedOf(RootSeed(), name)); }

/// A switch in RTL, to stand beside the first golden switch of a link.
inline std::unique_ptr<cosim::Device> Rtl() { return cosim::MakeDevice("rtl", kTile8); }
/// The same in the full tier alone, for tests of many cycles.
inline std::unique_ptr<cosim::Device> RtlInFullTier() { return TierFromEnvironment() == Tier::kFull ? Rtl() : nullptr; }

/// Runs up to cycle `until`; the link comes up in cycle 600. Fails when RTL differs, when an invariant is broken, or when a
/// packet comes twice.
inline void RunTo(PortLink* link, Cycle until) {
  while (link->cycle < until) {
    if (link->cycle == 600) link->Raise();
    ASSERT_NO_THROW(link->Step()) << "cycle " << link->cycle;
    ASSERT_EQ(link->wrong, "");
  }
}

}  // namespace tilefly::bench
