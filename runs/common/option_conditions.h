// SPDX-License-Identifier: Apache-2.0
// What rows of several commands ask of a run's options, and the parts of the table of options without effect.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "runs/common/option_effects.h"

namespace tilefly::runs {

inline constexpr NoEffect kWarned = NoEffect::kWarned, kRefused = NoEffect::kRefused, kLeftOut = NoEffect::kLeftOut;

inline bool AtBlockLevel(const OptionValues& run) { return run.Get("level") != "switch"; }
inline bool AtSwitchLevel(const OptionValues& run) { return !AtBlockLevel(run); }

inline bool HasCapture(const OptionValues& run) { return !run.Get("pcap").empty(); }

/// All packets are of one traffic class.
inline bool HasOneClass(const OptionValues& run) {
  const bool marked = HasCapture(run) || run.Get("traffic").find("class=") != std::string::npos ||
                      run.Get("background").find("class=") != std::string::npos;
  return run.Off("qos") && !marked && run.Off("reductions") && run.Get("classes").find(',') == std::string::npos;
}

/// A share that is a whole.
inline bool IsAll(const OptionValues& run, const std::string& option) {
  return std::strtod(run.Get(option).c_str(), nullptr) == 1;
}

/// Rows of `cosim` alone, of `net` alone, and of several commands or another one.
const std::vector<OptionEffect>& EffectsOfCosim();
const std::vector<OptionEffect>& EffectsOfNet();
const std::vector<OptionEffect>& EffectsOfSeveral();

}  // namespace tilefly::runs
