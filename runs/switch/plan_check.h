// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cosim/setup/switch_setup.h"
#include "faults/plan.h"

namespace tilefly::runs {

/// What of a run a plan must fit, beside the setup of its switch.
struct PlanRun {
  int lanes = 4;            ///< SerDes lanes of each link
  bool outages = false;     ///< links go down by --outages
  bool reductions = false;  ///< packets of reductions must not be lost
  bool routed = false;      ///< frames with several ways
  bool everything = false;  ///< the seed drew them (--traffic everything)
  bool observes = true;     ///< a device has an observation record
};

/// Throws UsageError when the plan names a link that the switch does not have, a link without retry, or an event that cannot
/// be. The message begins with file and line.
void CheckPlan(const faults::Plan& plan, const cosim::SwitchSetup& setup, const PlanRun& run);

/// A register write of a plan.
struct PlannedWrite {
  std::int64_t at = 0;  ///< cycles since the begin of traffic
  int port = -1;        ///< -1: all ports
  Cfg write;
  std::string text;     ///< "PORT 9 = 0x20"
};
/// Those of the plan, which CheckPlan has seen, by time.
std::vector<PlannedWrite> WritesOf(const faults::Plan& plan);

}  // namespace tilefly::runs
