// SPDX-License-Identifier: Apache-2.0
#include "runs/repro/retry_cost.h"

#include <cmath>

#include "faults/plan.h"
#include "generated/registers.h"

namespace tilefly::runs {
namespace {

/// Cycles from a bad first word to the first start that its replay prevents, less the two ways of the link.
constexpr Cycle kLoop = 6;

/// The cycles that the link loses, when word `k` is bad.
double CostAt(const FullLink& link, int k) { return static_cast<double>(ResentPackets(link, k) * link.words + 1); }

/// q, the chance that a word is bad.
double ChanceOfBad(double ber) { return faults::ChanceOfBad(ber, faults::kBitsOfWord); }

/// a, the chance that a packet has no bad word.
double ChanceOfGood(const FullLink& link, double ber) { return std::pow(1 - ChanceOfBad(ber), link.words); }

}  // namespace

std::int64_t ResentPackets(const FullLink& link, int k) {
  return (2 * link.delay + kLoop + k + link.words - 1) / link.words;
}

double NackCost(const FullLink& link, double ber) {
  const double q = ChanceOfBad(ber);
  double sum = 0, weights = 0;
  for (int k = 0; k < link.words; ++k) {
    const double weight = std::pow(1 - q, k);
    sum += weight * CostAt(link, k);
    weights += weight;
  }
  return sum / weights;
}

double TimerCost() { return PortRetry().timer + 2; }

double ExpectedEfficiency(const FullLink& link, double ber) {
  const double good = ChanceOfGood(link, ber), cost = NackCost(link, ber);
  const double in_a_replay = cost + ChanceOfBad(ber) / (1 - good) * (TimerCost() - CostAt(link, 0));  // C_1
  return link.words / (link.words + (1 - good) * (cost + (1 - good) / good * in_a_replay));
}

double EfficiencyOfErrors(const FullLink& link, double ber, double useful, const LinkErrors& errors) {
  const double lost = static_cast<double>(errors.nacked) * NackCost(link, ber) +
                      static_cast<double>(errors.timed_out) * TimerCost();
  return useful / (useful + lost);
}

}  // namespace tilefly::runs
