// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "runs/switch/run_options.h"

namespace tilefly::runs {

/// A warning when the buffer of a standard port may overflow while a PAUSE is on its way to the partner (docs/blocks/
/// link_retry.md, PAUSE and PFC); empty: it cannot, or it is meant to (--ignore-pause).
std::string PauseWarning(const RunOptions& options);

}  // namespace tilefly::runs
