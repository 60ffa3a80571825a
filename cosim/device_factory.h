// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cosim/device.h"
#include "generated/profile.h"
#include "golden/scheduler/schedulers.h"

namespace tilefly::cosim {

class WaveWriter;

/// How a device is made. Only golden has a choice of the scheduler; golden and the Verilated models number their cycles
/// inside from `first_cycle`; the rest is for Verilated models and changes no result. A device in a library gets
/// `random_reset`.
struct DeviceOptions {
  golden::SchedulerChoice scheduler;
  Cycle first_cycle = 0;        ///< a multiple of the load ring's epoch; Device::cycle() is 0 in it
  bool evaluate_all = false;    ///< also clock quiescent tiles (for the test of TILE-2)
  bool two_threads = false;     ///< half of the rows each
  bool assertions = true;       ///< of the tiles, in every cycle
  int random_reset = 0;         ///< not 0: initial register values are random, of this seed
  int shuffle = 0;              ///< not 0: tiles are evaluated in an order drawn in every cycle, of this seed
  WaveWriter* waves = nullptr;  ///< traces the device; must outlive it
};

using DeviceMaker = std::function<std::unique_ptr<Device>(const Profile&, const DeviceOptions&)>;

/// What a device has in common with the others: the same in every cycle, or the contract of transaction models
/// (docs/systemc.md).
enum class Contract { kEqual, kBounded };

/// Name of the device of transaction models, which programs without SystemC do not have.
inline constexpr const char* kSystemc = "systemc";

/// Makes a device known by name. A library of devices (cosim/verilated) calls it while the program starts; the result
/// is of use as an initialiser.
bool RegisterDevice(const std::string& name, DeviceMaker maker, Contract contract = Contract::kEqual);
/// Names of the devices that this program has: golden and what was registered. Others are in libraries: "lib:FILE".
std::vector<std::string> DeviceNames();
/// Throws UsageError, with the remedy, unless there is a device of this name; `what` says where it was given.
void RequireDevice(const std::string& name, const std::string& what);
/// Of a device that there is.
Contract ContractOf(const std::string& name);
/// A device by name. Throws UsageError for an unknown name, a profile without that device, or a scheduler that it does
/// not have.
std::unique_ptr<Device> MakeDevice(const std::string& name, const Profile& profile, const DeviceOptions& options = {});

}  // namespace tilefly::cosim
