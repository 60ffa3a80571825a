// SPDX-License-Identifier: Apache-2.0
// Makes the devices of Verilated models known by name.
#include "cosim/device_factory.h"
#include "cosim/verilated/verilated_array.h"
#include "cosim/verilated/verilated_switch.h"

namespace tilefly::cosim {
namespace {

[[maybe_unused]] const bool kArray = RegisterDevice("rtl", [](const Profile& profile, const DeviceOptions& options) {
  return std::make_unique<VerilatedArray>(profile, options);
});
[[maybe_unused]] const bool kFlat =
    RegisterDevice("rtl-flat", [](const Profile& profile, const DeviceOptions& options) {
      return std::make_unique<VerilatedSwitch>(profile, options);
    });

}  // namespace
}  // namespace tilefly::cosim
