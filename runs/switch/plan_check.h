// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/setup/switch_setup.h"
#include "faults/plan.h"

namespace tilefly::runs {

/// Throws UsageError when the plan names a link that the switch does not have, a link without retry, or an event that a
/// switch's bench does not know. The message begins with file and line.
void CheckPlan(const faults::Plan& plan, const cosim::SwitchSetup& setup);

}  // namespace tilefly::runs
