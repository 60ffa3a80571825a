// SPDX-License-Identifier: Apache-2.0
// A device that does something wrong when a link of it goes down or comes up is named, with the cycle.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbenches/network/planned_event.h"
#include "testbenches/network/repeating_run.h"
#include "testbenches/system/faulty_device.h"
#include "testbenches/system/system_rig.h"
#include "testbenches/system/word_devices.h"

namespace tilefly::cosim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using End = faults::LinkName::End;

constexpr int kDyingSwitch = 2, kDyingLink = 3;
constexpr Cycle kDown = 600, kSpan = 1100;  ///< of traffic

class PlantedDowns : public ::testing::Test {
 protected:
  /// The failure of a run in which the link of the device goes down in cycle `down_` and comes up in `up_`.
  std::string FailureWith(const FaultyDevice::Tamper& tamper, const FaultyDevice::TamperInputs& inputs) {
    faults::Plan plan;
    plan.channel.word_ber = 1e-6;
    plan.events = {network::Event(kDown, faults::EventKind::kDown, {End::kSwitchPort, kDyingSwitch, kDyingLink}, kSpan)};
    network::NetworkOptions options = network::Sized("uniform", 0.6, "64,512", true);
    options.cycles = 3000;
    options = network::With(options, plan);
    const topology::Topology topology = topology::Build("dragonfly:p=2,a=2,h=1");
    down_ = network::Network(topology, options).nics().begin + kDown;
    up_ = down_ + kSpan;
    options.make_node = [&](int node, const Profile& profile, network::NodeContext* context) {
      if (node != kDyingSwitch) return std::unique_ptr<DeviceNode>();
      auto faulty = std::make_unique<FaultyDevice>(std::make_unique<GoldenDevice>(profile), tamper);
      faulty->SetInputs(inputs);
      return std::make_unique<DeviceNode>(profile, node, context, 3, std::move(faulty), nullptr);
    };
    return RunPair(topology, options).failure;
  }
  std::string FailureWithInputs(const FaultyDevice::TamperInputs& inputs) {
    return FailureWith([](Cycle, int, Link*) {}, inputs);
  }

  Cycle down_ = 0, up_ = 0;
};

TEST_F(PlantedDowns, NoneIsNone) {
  EXPECT_EQ(FailureWithInputs([](Cycle, Device::Inputs*) {}), "");
}

TEST_F(PlantedDowns, ALinkThatIsDownACycleLate) {
  const std::string failure = FailureWithInputs([&](Cycle now, Device::Inputs* inputs) {
    if (now == down_) inputs->link_up[kDyingLink] = true;
  });
  EXPECT_THAT(failure, HasSubstr(fmt::format("switch {}", kDyingSwitch)));
}

TEST_F(PlantedDowns, ALinkThatIsUpACycleLate) {
  const std::string failure = FailureWithInputs([&](Cycle now, Device::Inputs* inputs) {
    if (now == up_) inputs->link_up[kDyingLink] = false;
  });
  EXPECT_THAT(failure, HasSubstr(fmt::format("switch {}", kDyingSwitch)));
}

/// The device goes on to send, and to take packets to its link.
TEST_F(PlantedDowns, ALinkThatStaysUp) {
  const std::string failure = FailureWithInputs([&](Cycle, Device::Inputs* inputs) { inputs->link_up[kDyingLink] = true; });
  EXPECT_THAT(failure, HasSubstr(fmt::format("switch {}", kDyingSwitch)));
}

TEST_F(PlantedDowns, AWordOnALinkThatIsDown) {
  const std::string failure = FailureWith(
      [&](Cycle now, int port, Link* link) {
        if (now != down_ + 40 || port != kDyingLink) return;
        link->word.valid = link->word.enh = link->word.sop = true;
      },
      {});
  EXPECT_THAT(failure, AllOf(HasSubstr(fmt::format("cycle {}, switch {}, port {}: ", down_ + 40, kDyingSwitch, kDyingLink)),
                             HasSubstr("a word on a link that is down")));
}

/// What the switch still holds when the link comes up.
TEST_F(PlantedDowns, AFirstReturnOfTooManyCells) {
  bool done = false;
  const std::string failure = FailureWith(
      [&](Cycle now, int port, Link* link) {
        if (done || now <= up_ || port != kDyingLink || !link->ctrl.credit_valid) return;
        done = true;
        link->ctrl.credit_cells = static_cast<std::uint16_t>(link->ctrl.credit_cells + 1);
      },
      {});
  EXPECT_TRUE(done);
  EXPECT_THAT(failure, HasSubstr("a credit return of lane"));
}

/// It has missed words and slots of a NIC.
TEST_F(PlantedDowns, ADeviceThatTakesOtherPacketsThanGolden) {
  const std::string failure = FailureWithInputs([&](Cycle now, Device::Inputs* inputs) {
    if (now > down_ - 100 && now < down_) inputs->links[0].ctrl = {};
    if (now > down_ - 100 && now < down_) inputs->links[0].word = {};
  });
  EXPECT_THAT(failure, HasSubstr(fmt::format("switch {}", kDyingSwitch)));
}

}  // namespace
}  // namespace tilefly::cosim
