// SPDX-License-Identifier: Apache-2.0
// Which runs a sweep makes: settings that are ranges, and the product of their values (docs/sweeps.md).
#pragma once

#include <string>
#include <vector>

#include "runs/sweep/run_pool.h"

namespace tilefly::runs {

/// Whether a setting's value is a range: FROM:TO:STEP, three numbers and nothing else.
bool IsRange(const std::string& text);
/// The numbers of a range, from FROM by STEP up to TO, with as many decimals as the range has. Throws UsageError,
/// naming `option`, for a step that does not lead from FROM to TO, and for too many values.
std::vector<std::string> ValuesOfRange(const std::string& text, const std::string& option);

/// A setting that is a range.
struct SweptSetting {
  const Setting* setting;
  std::string range;
  std::vector<std::string> values;
};

/// One run of a sweep, named "load=0.1,size=512".
struct SweepPoint : NetRun {
  std::vector<std::string> values;  ///< by swept setting
};

struct SweepPlan {
  /// Files and a random seed in `settings` must be resolved. Throws UsageError.
  explicit SweepPlan(const NetSettings& settings);

  std::vector<SweptSetting> swept;  ///< in the order of the settings; empty: there is only one run
  std::vector<SweepPoint> points;   ///< the last setting's value changes first

 private:
  static SweptSetting Reseeds(const NetSettings& settings, int runs);
  void AddPoints(const NetSettings& settings);
};

/// Whether any setting is a range, or there is more than one seed.
bool IsSweep(const NetSettings& settings);

}  // namespace tilefly::runs
