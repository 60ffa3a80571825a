// SPDX-License-Identifier: Apache-2.0
// SerDes lanes of the links of devices of words that a fault plan takes down (docs/blocks/link_retry.md, SerDes lanes):
// the systems equal golden ones.
#include <gtest/gtest.h>

#include "testbenches/network/hand_made.h"
#include "testbenches/network/planned_event.h"
#include "testbenches/system/repeating_devices.h"

namespace tilefly::cosim {
namespace {

using End = faults::LinkName::End;
using faults::Direction;

faults::PlannedEvent Lane(Cycle at, faults::LinkName link, int lane, std::optional<Cycle> cycles,
                          Direction direction = Direction::kOut) {
  faults::PlannedEvent event = network::Event(at, faults::EventKind::kLaneDown, link, cycles);
  event.direction = direction;
  event.lane = lane;
  return event;
}

/// Lanes of links between switches and of NICs, out and in, one after the other and several at once.
faults::Plan Lanes() {
  faults::Plan plan;
  plan.events = {Lane(200, {End::kSwitchPort, 1, 2}, 2, {}),
                 Lane(300, {End::kEndpoint, 3, 0}, 1, 700),
                 Lane(310, {End::kSwitchPort, 2, 3}, 0, {}, Direction::kIn),
                 Lane(400, {End::kEndpoint, 5, 0}, 0, {}, Direction::kIn),
                 Lane(450, {End::kSwitchPort, 1, 2}, 0, {}),
                 Lane(500, {End::kSwitchPort, 3, 3}, 1, {}),
                 Lane(500, {End::kSwitchPort, 3, 3}, 3, {}),
                 Lane(600, {End::kEndpoint, 5, 0}, 3, {}, Direction::kIn)};
  return plan;
}

topology::Topology Six() { return topology::Build("dragonfly:p=2,a=2,h=1"); }

network::NetworkOptions Patient(network::NetworkOptions options) {
  options.stall_cycles = 2000;  // a dead lane is looked at to the end
  return options;
}

TEST(LanesOfDevices, ThatDieEqualGoldenOnes) {
  ExpectGolden(Six(), network::With(Patient(Short("uniform", 0.4, "64,512,4224")), Lanes()), 20);
  ExpectGolden(Six(), network::With(Patient(Short("uniform", 0.6, "32,512", true)), Lanes()), 20);
}

TEST(LanesOfDevices, EqualGoldenOnesBesideOtherFaults) {
  faults::Plan plan = network::Mixed();
  plan.events = Lanes().events;
  network::NetworkOptions options = Patient(Short("uniform", 0.4, "32,64,512,4224"));
  options.acks = network::AckUse::kOn;
  options.nics.resend = 3000;
  ExpectGolden(Six(), network::With(options, plan), 20);
}

TEST(LanesOfDevices, OfOneSwitchEqualGoldenOnesWithTwoLanesInACable) {
  faults::Plan plan;
  for (int e = 0; e < 3; ++e) {
    plan.events.push_back(Lane(200 + 100 * e, {End::kEndpoint, e, 0}, e % 2, {}));
    plan.events.push_back(Lane(600 + 50 * e, {End::kEndpoint, e, 0}, 1 - e % 2, {}, Direction::kIn));
  }
  network::NetworkOptions options = Patient(Short("uniform", 0.7, "32,300", true));
  for (const int lanes : {4, 2}) {
    options.nic_lanes = lanes;
    options.make_node = Words(0, 1);
    ExpectEqual(network::LoneSwitch(), network::With(options, plan), 500);
  }
}

/// Epochs have 16,384 cycles; a lane that works again is in use behind the second one.
TEST(LanesOfDevices, ThatWorkAgainEqualGoldenOnes) {
  if (TierNow() == bench::Tier::kQuick) GTEST_SKIP() << "two epochs: from tier ci on";
  faults::Plan plan;
  plan.lanes.fail = 3;
  plan.lanes.back = 1;
  plan.lanes_origin = "plan:1: lanes";
  plan.events = {Lane(200, {End::kEndpoint, 0, 0}, 1, 900),
                 Lane(900, {End::kEndpoint, 1, 0}, 2, 17'000, Direction::kIn),
                 Lane(1200, {End::kEndpoint, 1, 0}, 0, 400, Direction::kIn)};
  network::NetworkOptions options = Patient(network::Sized("uniform", 0.3, "64,512", true));
  options.cycles = 33'500;
  options.make_node = Words(0, 1);
  const PairRun run = ExpectEqual(network::LoneSwitch(), network::With(options, plan), 500);
  EXPECT_EQ(run.retry.lanes_failed, 3);
  EXPECT_EQ(run.retry.lanes_back, 2);
}

}  // namespace
}  // namespace tilefly::cosim
