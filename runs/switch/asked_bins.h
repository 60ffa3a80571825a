// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "runs/switch/switch_run.h"

namespace tilefly::runs {

/// Functional bins that the run's own options give it no reason to reach, each with what would ask for it
/// (docs/cosimulation.md, Functional bins). A bin that is not among them and was not hit was missed.
std::map<std::string, std::string> BinsNotAskedFor(const SwitchRun& run);

}  // namespace tilefly::runs
