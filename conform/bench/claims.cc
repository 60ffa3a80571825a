// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/claims.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilefly::conform {
namespace {

constexpr ClaimKind kClaimKinds[] = {
    {"latency", Measure::kLatency, true,
     [](const Claims& claims) {
       return claims.latency ? std::optional<double>(static_cast<double>(*claims.latency)) : std::nullopt;
     }},
    {"throughput", Measure::kThroughput, false, [](const Claims& claims) { return claims.throughput; }},
    {"uniform", Measure::kUniform, false, [](const Claims& claims) { return claims.uniform; }},
    {"fairness", Measure::kFairness, false, [](const Claims& claims) { return claims.fairness; }},
    {"classes", Measure::kClasses, false, [](const Claims& claims) { return claims.classes; }},
};

}  // namespace

namespace {

/// Each test that applies and measures the claim has a value.
bool AllMeasured(const Capability& capability, const ClaimKind& kind,
                 const std::vector<std::pair<std::string, double>>& measured) {
  return std::all_of(Suite().begin(), Suite().end(), [&](const Test& test) {
    if (!test.excuse(capability).empty() || test.scenario(capability).measure != kind.measure) return true;
    return std::any_of(measured.begin(), measured.end(), [&](const auto& one) { return one.first == test.id; });
  });
}

}  // namespace

const ClaimKind* KindOf(Measure measure) {
  for (const ClaimKind& kind : kClaimKinds) {
    if (kind.measure == measure) return &kind;
  }
  return nullptr;
}

Judgement JudgeBound(const ClaimKind& kind, double bound, double measured) {
  if (kind.most ? measured <= bound : measured >= bound) return {};
  return {Verdict::kFail, fmt::format("claims.{}: {:.4g} was claimed, {:.4g} was measured", kind.key, bound, measured)};
}

std::vector<Claimed> JudgeClaims(const Capability& capability,
                                 const std::vector<std::pair<std::string, double>>& measured) {
  constexpr double kReached = 0.8;
  std::vector<Claimed> claims;
  for (const ClaimKind& kind : kClaimKinds) {
    const std::optional<double> bound = kind.bound(capability.claims);
    if (!bound || capability.claims.level < Level::kBounded) continue;
    Claimed claim{kind.key, *bound, 0, {}};
    bool any = false;
    for (const auto& [id, value] : measured) {
      if (TestOf(id).scenario(capability).measure != kind.measure) continue;
      claim.reached = !any ? value : kind.most ? std::max(claim.reached, value) : std::min(claim.reached, value);
      any = true;
    }
    const bool slack = kind.most ? claim.reached < kReached * *bound : *bound < kReached * claim.reached;
    if (!any || !AllMeasured(capability, kind, measured)) continue;
    claim.judgement = JudgeBound(kind, *bound, claim.reached);
    if (slack) {
      claim.judgement = {
          Verdict::kFail,
          fmt::format("claims.{}: {:.4g} leaves slack: {:.4g} was measured; claim what the device does, to 20 %",
                      kind.key, *bound, claim.reached)};
    }
    claims.push_back(claim);
  }
  return claims;
}

}  // namespace tilefly::conform
