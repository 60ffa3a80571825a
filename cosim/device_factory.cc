// SPDX-License-Identifier: Apache-2.0
#include "cosim/device_factory.h"

#include "cosim/golden_device.h"
#include "cosim/text.h"
#include "cosim/verilated/verilated_switch.h"

namespace tilefly::cosim {

std::vector<std::string> DeviceNames() { return {"golden", "rtl", "rtl-flat"}; }

std::unique_ptr<Device> MakeDevice(const std::string& name, const Profile& profile, const ArrayOptions& options) {
  if (name == "golden") return std::make_unique<GoldenDevice>(profile);
  if (name == "rtl") return std::make_unique<VerilatedArray>(profile, options);
  if (name == "rtl-flat") return std::make_unique<VerilatedSwitch>(profile);
  ThrowUnknown("device", name, DeviceNames());
}

}  // namespace tilefly::cosim
