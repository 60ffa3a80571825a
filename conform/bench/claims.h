// SPDX-License-Identifier: Apache-2.0
// Level L1: what a device claims, against what runs measured.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conform/bench/scenario.h"
#include "conform/bench/suite.h"
#include "conform/capability/capability.h"

namespace tilefly::conform {

/// A claim that can be measured.
struct ClaimKind {
  const char* key;  ///< "latency"
  Measure measure;
  bool most;  ///< the bound is an upper one
  std::optional<double> (*bound)(const Claims&);
};
/// Null: nothing is measured.
const ClaimKind* KindOf(Measure measure);

/// What runs measured of a claim.
struct Claimed {
  std::string key;
  double bound = 0;
  double reached = 0;   ///< the measured value that is nearest to the bound, or beyond it
  Judgement judgement;  ///< a bound that is broken fails, and one that no run reaches to 80 %: it has slack
};
/// What `measured` says of a claim and its bound: pass, or fail with both values.
Judgement JudgeBound(const ClaimKind& kind, double bound, double measured);
/// `measured`: by test id. A claim is judged when all tests that measure it have run.
std::vector<Claimed> JudgeClaims(const Capability& capability,
                                 const std::vector<std::pair<std::string, double>>& measured);

}  // namespace tilefly::conform
