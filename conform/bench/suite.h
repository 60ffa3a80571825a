// SPDX-License-Identifier: Apache-2.0
// The tests of the kit for devices with AXI-Stream ports, by their ids.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "conform/bench/scenario.h"
#include "conform/bench/stream_bench.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

struct Test {
  std::string id;      ///< "forwarding.all-pairs"
  Level level;         ///< what it belongs to
  std::string intent;  ///< a line
  std::string source;  ///< page or standard that it comes from
  std::function<Scenario(const Capability&)> scenario;
  /// Why it says nothing of a device; empty: it applies.
  std::function<std::string(const Capability&)> excuse;
};

const std::vector<Test>& Suite();
/// Throws UsageError with the nearest id.
const Test& TestOf(const std::string& id);

enum class Verdict { kPass, kFail, kUndecided };
struct Judgement {
  Verdict verdict = Verdict::kPass;
  std::string reason;  ///< in words; of a pass empty
};
/// What a run says of the device: its books, and the claim that it measures.
Judgement Judge(const Capability& capability, const Scenario& scenario, const Outcome& outcome);

/// What runs measured of a claim.
struct Claimed {
  std::string key;  ///< "latency"
  double bound = 0;
  double reached = 0;  ///< the measured value that is nearest to the bound, or beyond it
  Judgement judgement;  ///< a bound that no run reaches to 80 % has slack, and fails
};
/// `measured`: by test id. A claim that nothing measured is not judged.
std::vector<Claimed> JudgeClaims(const Capability& capability, const std::vector<std::pair<std::string, double>>& measured);

}  // namespace tilefly::conform
