// SPDX-License-Identifier: Apache-2.0
// RTL switches in systems whose links go down and come up again: the RTL equals golden in every cycle, and the system
// equals the golden one at every link and in all results.
#include <gtest/gtest.h>

#include "cosim/system/device_rack.h"
#include "testbenches/network/planned_event.h"
#include "testbenches/system/repeating_devices.h"

namespace tilefly::cosim {
namespace {

using faults::EventKind;
using End = faults::LinkName::End;
using network::Event;

PairRun ExpectRtlDowns(const char* devices, network::NetworkOptions options) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=2,h=1");
  options.seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  options.make_node = MakeDevices(ParseSystemDevices(devices, static_cast<int>(topology.switches.size())), options.seed, {});
  const PairRun run = RunPair(topology, options);
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.ending, network::Ending::kDrained) << "all packets are in the books";
  EXPECT_GE(run.compared_busy, 500);
  return run;
}

/// Links of switch 2 and of its NICs, the link to switch 3 twice.
faults::Plan DownsOfSwitch2() {
  faults::Plan plan = network::Mixed();
  plan.events = {Event(250, EventKind::kDown, {End::kSwitchPort, 2, 2}, 10),
                 Event(300, EventKind::kDown, {End::kEndpoint, 4, 0}, 700),
                 Event(450, EventKind::kDown, {End::kSwitchPort, 2, 3}, 900),
                 Event(1400, EventKind::kDown, {End::kSwitchPort, 2, 2}, 500)};
  return plan;
}

TEST(DownsOfRtl, EqualGoldenOnes) {
  network::NetworkOptions options = Short("uniform", 0.5, "64,512");
  options.routing = network::RoutingOptions::Named("adaptive_0");
  ExpectRtlDowns("2=rtl", network::With(options, DownsOfSwitch2()));
  faults::Plan blocks = DownsOfSwitch2();
  blocks.retry.down = faults::kBlock;
  ExpectRtlDowns("2=golden+rtl", network::With(Short("uniform", 0.5, "32,512,4224", true), blocks));
}

TEST(DownsOfRtl, EqualGoldenOnesWhoseLinksAreGivenUp) {
  faults::Plan plan = network::Mixed();
  plan.retry.timer = 500;
  plan.retry.limit = 1;
  plan.retrain = 700;
  plan.events = {Event(300, EventKind::kStuck, {End::kSwitchPort, 2, 3}, 2500), Event(350, EventKind::kStuck, {End::kEndpoint, 5, 0}, 2500)};
  ExpectRtlDowns("2=rtl+golden", network::With(Short("uniform", 0.4, "64,512"), plan));
}

TEST(DownsOfRtl, EqualGoldenOnesWithLossyClassesAndResends) {
  if (TierNow() == bench::Tier::kQuick) GTEST_SKIP() << "from tier ci on";
  network::NetworkOptions options = network::With(Short("hotspot:3:0.3", 0.5, "64,512"), DownsOfSwitch2());
  options.acks = network::AckUse::kOn;
  options.nics.resend = 3000;
  options.nics.most_resends = 200;
  options.nics.resend_window = 100;
  ExpectRtlDowns("1=rtl,2=rtl+golden", options);
}

TEST(DownsOfRtl, ReduceAsGoldenOnes) {
  faults::Plan plan = network::Mixed();
  plan.events = {Event(900, EventKind::kDown, {End::kSwitchPort, 0, 2}, 500)};
  network::NetworkOptions options = Jobs("allreduce:sharp,bytes=5000,iterations=2,check=yes,timeout=3us,ranks=12", 12);
  ExpectRtlDowns("0=rtl", network::With(options, plan));
}

}  // namespace
}  // namespace tilefly::cosim
