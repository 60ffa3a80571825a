// SPDX-License-Identifier: Apache-2.0
#include "runs/system/system_run.h"

#include <algorithm>

#include "cosim/errors.h"
#include "cosim/system/link_failure.h"
#include "network/reduction_check.h"

namespace tilefly::runs {
namespace {

network::NetworkOptions WithDevices(const NetRunOptions& options, cosim::DeviceTrace* trace,
                                    const network::Processes& processes) {
  network::NetworkOptions network = options.network;
  if (options.devices.empty()) return network;
  if (processes.size() > 1) throw UsageError("--device: systems with devices run in one process; leave mpirun out");
  network.stalls = false;
  network.journeys = {};
  network.sample = 0;
  cosim::DeviceOptions device;
  device.scheduler = network.scheduler;
  network.make_node =
      MakeDevices(options.devices, network.seed, device, trace != nullptr ? trace->watched() : cosim::WatchedSwitch{});
  return network;
}

bool AnyBounded(const cosim::SystemDevices& devices) {
  return std::any_of(devices.begin(), devices.end(), [](const auto& device) {
    return cosim::ContractOf(cosim::NamesOf(device.second).front()) == cosim::Contract::kBounded;
  });
}

}  // namespace

SystemRun::SystemRun(const NetRunOptions& options, cosim::DeviceTrace* trace, network::Processes* processes)
    : bounded_(AnyBounded(options.devices)),
      inside_(options.network.SeesInside() || (options.network.congestion.on && !bounded_)),
      timed_(!options.network.hosts.used()),
      network_(*options.topology, WithDevices(options, trace, *processes), processes) {
  if (bounded_ && inside_) {
    throw UsageError("--stalls, --journey, --sample: what is seen inside of golden switches is not that of a bounded device's system; "
                     "leave them out, or the device");
  }
  if (!options.lockstep) return;
  twin_.emplace(*options.topology, options.network, processes);
  if (bounded_) return;
  lockstep_.emplace(&network_, &*twin_);
}

network::Ending SystemRun::Run(const std::function<bool(Cycle)>& poll) {
  try {
    const network::Ending ending = lockstep_          ? lockstep_->Run(poll)
                                  : bounded_ && twin_ ? RunBounded(poll)
                                                      : network_.Run(poll);
    if (ending != network::Ending::kDrained) Stop();
    return ending;
  } catch (const cosim::LinkFailure&) {
    GiveUp();
    throw;
  } catch (const network::WrongResult&) {
    GiveUp();
    throw;
  }
}

/// One after the other: they are not in step.
network::Ending SystemRun::RunBounded(const std::function<bool(Cycle)>& poll) {
  network_.set_probe(&log_.emplace(network_.wiring()));
  twin_->set_probe(&twin_log_.emplace(twin_->wiring()));
  network::Ending ending = network_.Run(poll);
  if (ending == network::Ending::kDrained) {
    const network::Ending twin = twin_->Run(poll);
    if (twin == network::Ending::kDrained) {
      contract_.emplace("golden", ContractFiguresOf(network_, network::Figures(network_)),
                        ContractFiguresOf(*twin_, network::Figures(*twin_)), log_->DifferenceFrom(*twin_log_, timed_));
    } else {
      ending = twin;
    }
  }
  return ending;
}

/// The same when one of them has failed: nothing runs any more.
void SystemRun::GiveUp() {
  if (!network_.ended()) network_.GiveUp();
  if (twin_ && !twin_->ended()) twin_->GiveUp();
}

/// Ends what has not ended, so that its figures are whole.
void SystemRun::Stop() {
  const auto at_once = [](Cycle) { return true; };
  if (!network_.ended()) network_.Run(at_once);
  if (twin_ && !twin_->ended()) twin_->Run(at_once);
}

}  // namespace tilefly::runs
