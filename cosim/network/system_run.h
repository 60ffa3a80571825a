// SPDX-License-Identifier: Apache-2.0
// A system of `tilefly net`: golden switches and devices, and the golden twin that they are compared with.
#pragma once

#include <functional>
#include <optional>

#include "cosim/network/device_trace.h"
#include "cosim/network/net_settings.h"
#include "cosim/network/system_lockstep.h"
#include "golden/network/network.h"

namespace tilefly::cosim {

class SystemRun {
 public:
  /// `trace` may be null. Throws UsageError, as for devices in several processes. `ranks` must outlive the run.
  SystemRun(const NetRunOptions& options, DeviceTrace* trace, golden::Ranks* ranks);

  /// As Network::Run. Throws LinkFailure: the first thing that a device does wrong, or otherwise than its golden twin.
  golden::Ending Run(const std::function<bool(golden::Cycle)>& poll);

  golden::Network& network() { return network_; }
  /// Whose figures are told. What is seen inside of golden switches only (stalls, journeys) the twin has.
  const golden::Network& told() const { return inside_ && twin_ ? *twin_ : network_; }
  /// The comparison, null without one.
  const SystemLockstep* lockstep() const { return lockstep_ ? &*lockstep_ : nullptr; }

 private:
  void Stop();

  const bool inside_;  ///< stalls or journeys are wanted
  golden::Network network_;
  std::optional<golden::Network> twin_;
  std::optional<SystemLockstep> lockstep_;
};

}  // namespace tilefly::cosim
