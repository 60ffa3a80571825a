// SPDX-License-Identifier: Apache-2.0
#include "cosim/network/system_run.h"

#include "cosim/errors.h"
#include "cosim/network/link_failure.h"
#include "golden/network/reduction_check.h"

namespace tilefly::cosim {
namespace {

golden::NetworkOptions WithDevices(const NetRunOptions& options, DeviceTrace* trace, const golden::Ranks& ranks) {
  golden::NetworkOptions network = options.network;
  if (options.devices.empty()) return network;
  if (ranks.size() > 1) throw UsageError("--device: systems with devices run in one process; leave mpirun out");
  network.stalls = false;
  network.journeys = {};
  DeviceOptions device;
  device.scheduler = network.scheduler;
  network.make_node =
      MakeDevices(options.devices, network.seed, device, trace != nullptr ? trace->watched() : WatchedSwitch{});
  return network;
}

}  // namespace

SystemRun::SystemRun(const NetRunOptions& options, DeviceTrace* trace, golden::Ranks* ranks)
    : inside_(options.network.stalls || options.network.journeys.any()),
      network_(*options.topology, WithDevices(options, trace, *ranks), ranks) {
  if (!options.lockstep) return;
  twin_.emplace(*options.topology, options.network, ranks);
  lockstep_.emplace(&network_, &*twin_);
}

golden::Ending SystemRun::Run(const std::function<bool(golden::Cycle)>& poll) {
  try {
    const golden::Ending ending = lockstep_ ? lockstep_->Run(poll) : network_.Run(poll);
    if (ending != golden::Ending::kDrained) Stop();
    return ending;
  } catch (const LinkFailure&) {
    Stop();
    throw;
  } catch (const golden::WrongResult&) {
    Stop();
    throw;
  }
}

/// Ends what has not ended, so that its figures are whole.
void SystemRun::Stop() {
  const auto at_once = [](golden::Cycle) { return true; };
  if (!network_.ended()) network_.Run(at_once);
  if (twin_ && !twin_->ended()) twin_->Run(at_once);
}

}  // namespace tilefly::cosim
