// SPDX-License-Identifier: Apache-2.0
// A system of `tilefly net`: golden switches and devices, and the golden twin that they are compared with.
#pragma once

#include <functional>
#include <optional>

#include "cosim/system/device_trace.h"
#include "cosim/system/system_lockstep.h"
#include "network/network.h"
#include "runs/system/net_settings.h"
#include "runs/system/system_contract.h"

namespace tilefly::runs {

class SystemRun {
 public:
  /// `trace` may be null. Throws UsageError, as for devices in several processes. `processes` must outlive the run.
  SystemRun(const NetRunOptions& options, cosim::DeviceTrace* trace, network::Processes* processes);

  /// As Network::Run. Throws LinkFailure: the first thing that a device does wrong, or otherwise than its golden twin.
  network::Ending Run(const std::function<bool(Cycle)>& poll);

  network::Network& network() { return network_; }
  /// Whose figures are told. What is seen inside of golden switches only (stalls, journeys, time series, books of flows) the
  /// twin has.
  const network::Network& told() const { return inside_ && twin_ ? *twin_ : network_; }
  network::Network& told() { return inside_ && twin_ ? *twin_ : network_; }
  /// The comparison, null without one.
  const cosim::SystemLockstep* lockstep() const { return lockstep_ ? &*lockstep_ : nullptr; }
  /// Some of the devices are bounded.
  bool bounded() const { return bounded_; }
  /// Of a bounded run that has drained, with its twin: how they compare. None in other cases.
  const std::optional<cosim::ContractComparison>& contract() const { return contract_; }

 private:
  network::Ending RunBounded(const std::function<bool(Cycle)>& poll);
  void Stop();
  void GiveUp();

  const bool bounded_;
  const bool inside_;  ///< what only golden switches show is wanted, and the twin shows it
  const bool timed_;  ///< when packets are made does not depend on others
  network::Network network_;
  std::optional<network::Network> twin_;
  std::optional<cosim::SystemLockstep> lockstep_;
  std::optional<DeliveryLog> log_;  ///< of a bounded run with its twin, as are these:
  std::optional<DeliveryLog> twin_log_;
  std::optional<cosim::ContractComparison> contract_;
};

}  // namespace tilefly::runs
