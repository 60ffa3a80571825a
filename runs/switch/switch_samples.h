// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runs/common/sample_table.h"
#include "runs/switch/switch_run.h"

namespace tilefly::runs {

/// Time series of a run of a switch that kept them: the switch, classes, ports, their links. `levels`: the device's
/// record has them. The run must outlive the table.
SampleTable SwitchSamples(const SwitchRun& run, bool levels);

}  // namespace tilefly::runs
