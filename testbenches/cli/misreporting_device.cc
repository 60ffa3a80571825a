// SPDX-License-Identifier: Apache-2.0
// A device of a user's own, as the manual says to make one: golden, but from some cycle on port 3 reports its grants to
// come from the neighbour of the input that has them. A run against it must end as the manual says that failures end.
#include <memory>

#include "cosim/device_factory.h"
#include "cosim/golden_device.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kFrom = 500;
constexpr std::size_t kPort = 3;

class MisreportingDevice final : public GoldenDevice {
 public:
  using GoldenDevice::GoldenDevice;
  const char* Name() const override { return "misreporting"; }
  const Observation& Observe() override {
    reported_ = GoldenDevice::Observe();
    Portobs& port = reported_.ports[kPort];
    if (cycle() >= kFrom && port.dec_valid) port.dec_src ^= 1;
    return reported_;
  }

 private:
  Observation reported_;
};

[[maybe_unused]] const bool registered =
    RegisterDevice("misreporting", [](const Profile& profile, const DeviceOptions&) -> std::unique_ptr<Device> {
      return std::make_unique<MisreportingDevice>(profile);
    });

}  // namespace
}  // namespace tilefly::cosim
