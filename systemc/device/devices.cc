// SPDX-License-Identifier: Apache-2.0
// Makes the device of transaction models known by name.
#include "cosim/device_factory.h"
#include "systemc/device/systemc_device.h"

namespace tilefly::systemc {
namespace {

[[maybe_unused]] const bool kSystemc = cosim::RegisterDevice(
    cosim::kSystemc,
    [](const Profile& profile, const cosim::DeviceOptions& options) {
      return std::make_unique<SystemcDevice>(profile, options.scheduler);
    },
    cosim::Contract::kBounded);

}  // namespace
}  // namespace tilefly::systemc

/// What SystemC's library calls in programs that begin in it. This one does not; its tests do, with their own.
extern "C" __attribute__((weak)) int sc_main(int, char**) { return 0; }
