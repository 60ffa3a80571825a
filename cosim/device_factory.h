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

/// How a device is made. Only the golden device has a choice of the scheduler. The golden device and the Verilated
/// models number their cycles inside from `first_cycle`. The other options are for Verilated models and change no
/// result. A device in a library gets `random_reset`.
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

/// How a device compares with the others: it is equal in every cycle, or it keeps the contract of transaction models
/// (docs/systemc.md).
enum class Contract { kEqual, kBounded };

/// Name of the device of transaction models. A program without SystemC does not have this device.
inline constexpr const char* kSystemc = "systemc";

/// Makes a device known by its name. A library of devices (cosim/verilated) calls it while the program starts; it
/// returns a value so that it can initialise a variable.
bool RegisterDevice(const std::string& name, DeviceMaker maker, Contract contract = Contract::kEqual);
/// Names of the devices in this program: golden, and the devices that were registered. Others are in shared libraries:
/// "lib:FILE".
std::vector<std::string> DeviceNames();
/// Throws UsageError, with the remedy, unless there is a device of this name. `what` says where the name was given.
void RequireDevice(const std::string& name, const std::string& what);
/// The contract of a device, which must exist.
Contract ContractOf(const std::string& name);
/// Makes a device by its name. Throws UsageError for an unknown name, for a profile without that device, and for a
/// scheduler that the device does not have.
std::unique_ptr<Device> MakeDevice(const std::string& name, const Profile& profile, const DeviceOptions& options = {});

}  // namespace tilefly::cosim
