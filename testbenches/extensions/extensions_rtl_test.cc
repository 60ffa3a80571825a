// SPDX-License-Identifier: Apache-2.0
// What a rule says in tables, RTL does too; a scheduler of one's own it has not.
#include <gmock/gmock.h>

#include "cosim/system/device_rack.h"
#include "testbenches/extensions/examples.h"
#include "testbenches/system/system_rig.h"

namespace tilefly::cosim {
namespace {

class ExtensionsInRtl : public WithExamples {
 protected:
  static network::NetworkOptions WithRtl(network::NetworkOptions options) {
    DeviceOptions device;
    device.scheduler = options.scheduler;
    options.make_node = MakeDevices(ParseSystemDevices("1=rtl", 5), options.seed, device);
    return options;
  }
};

/// In every cycle of every link, and in the counter.
TEST_F(ExtensionsInRtl, ARuleRoutesAsInGolden) {
  const auto topology = topology::Build("ring:n=5,p=2");
  ExpectEqual(topology, WithRtl(Clockwise("clockwise", 1000)), 3000);
}

TEST_F(ExtensionsInRtl, ASchedulerIsRefused) {
  const auto topology = topology::Build("ring:n=5,p=2");
  network::NetworkOptions options = Clockwise();
  options.scheduler = network::ChooseScheduler("lottery:seed=3", "scheduler");
  EXPECT_THAT(RefusalOf([&] { network::Network(topology, WithRtl(options)); }),
              testing::HasSubstr("--scheduler lottery: device 'rtl' has the Deficit Table only"));
}

}  // namespace
}  // namespace tilefly::cosim
