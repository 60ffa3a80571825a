// SPDX-License-Identifier: Apache-2.0
// What has been published, and whether the figures of a study say the same (docs/repro.md, Claims).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "runs/repro/figure.h"

namespace tilefly::runs {

/// Which value of a curve a claim is about.
enum class Take {
  kAt,        ///< y at `x`
  kLast,      ///< y at the largest x
  kMost,      ///< the largest y
  kLeast,     ///< the smallest
  kFarthest,  ///< the y farthest from 1
  kCrossing   ///< the x where y passes from above 1 to below it, between the logarithms of two points' x
};

struct Claim {
  std::string study, figure, curve;
  std::string name;
  Take take = Take::kAt;
  double x = 0;     ///< of kAt
  double from = 0;  ///< of the others: the smallest x that counts
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::string published;           ///< as the source says it
  std::optional<CurvePoint> mark;  ///< where that stands in the figure
  std::string source;
  bool fixed = false;  ///< a constant was chosen so that it is met

  bool judged() const {
    return low > -std::numeric_limits<double>::infinity() || high < std::numeric_limits<double>::infinity();
  }
};

/// All claims of a text like published.yaml; `file` names it in messages. Throws UsageError.
std::vector<Claim> ReadClaims(const std::string& text, const std::string& file);
/// Those of the program about a study.
std::vector<Claim> ClaimsOf(const std::string& study);

/// What the figures say of a claim; none when it was not measured.
std::optional<double> ValueOf(const Claim& claim, const std::vector<Figure>& figures);
/// "hit", "miss"; "not judged" of a claim without bounds or that is fixed, "not measured".
std::string VerdictOf(const Claim& claim, std::optional<double> value);

}  // namespace tilefly::runs
