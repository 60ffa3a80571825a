// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cosim/device.h"
#include "cosim/verilated/verilated_array.h"
#include "golden/common/generated/profile.h"

namespace tilefly::cosim {

/// Names of the devices that can be made: golden, rtl, rtl-flat.
std::vector<std::string> DeviceNames();
/// A device by name. Throws UsageError for an unknown name or a profile without that device.
std::unique_ptr<Device> MakeDevice(const std::string& name, const Profile& profile, const ArrayOptions& options = {});

}  // namespace tilefly::cosim
