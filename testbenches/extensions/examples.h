// SPDX-License-Identifier: Apache-2.0
// The example extensions, registered once for all tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "examples/extensions/extensions.h"
#include "network/network.h"
#include "network/schedulers.h"
#include "support/errors.h"

namespace tilefly {

/// A group of tests that use them.
class WithExamples : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    static const bool added = [] {
      AddNearby();
      AddRing();
      AddClockwise();
      AddLottery();
      AddByDistance();
      return true;
    }();
    static_cast<void>(added);
  }
};

/// What a UsageError of `act` says; empty: there is none.
template <typename Act>
std::string RefusalOf(Act&& act) {
  try {
    std::forward<Act>(act)();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// Clockwise round a ring, with traffic between neighbours.
inline network::NetworkOptions Clockwise(const std::string& routing = "clockwise", Cycle cycles = 3000) {
  network::NetworkOptions options;
  options.routing = network::RoutingOptions::Named(routing);
  options.traffic.pattern = "nearby:3";
  options.traffic.load = 0.5;
  options.traffic.size = "64,512,4096";
  options.cycles = cycles;
  options.warmup = cycles / 5;
  options.seed = 7;
  return options;
}

}  // namespace tilefly
