// SPDX-License-Identifier: Apache-2.0
// A device of a user's own, as the manual says to make one: golden, but from some cycle on port 3 reports its grants to
// come from the neighbour of the input that has them; another one reports the port's load wrong, in a cycle in which
// nothing happens there. A run against one of them must end as the manual says that failures end.
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

class MisloadingDevice final : public GoldenDevice {
 public:
  using GoldenDevice::GoldenDevice;
  const char* Name() const override { return "misloading"; }
  const Observation& Observe() override {
    reported_ = GoldenDevice::Observe();
    Portobs& port = reported_.ports[kPort];
    const bool quiet = !port.req_valid && !port.dec_valid && !port.gin_valid && !port.pick_valid && !port.take_valid &&
                       port.arr_rows == 0;
    if (cycle() >= kFrom && quiet && port.load >= 20) port.load = static_cast<std::uint16_t>(port.load - 20);
    return reported_;
  }

 private:
  Observation reported_;
};

template <typename Wrong>
std::unique_ptr<Device> Make(const Profile& profile, const DeviceOptions&) {
  return std::make_unique<Wrong>(profile);
}

[[maybe_unused]] const bool registered =
    RegisterDevice("misreporting", Make<MisreportingDevice>) && RegisterDevice("misloading", Make<MisloadingDevice>);

}  // namespace
}  // namespace tilefly::cosim
