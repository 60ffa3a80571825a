// SPDX-License-Identifier: Apache-2.0
// RTL switches in systems whose links damage words and control slots, and send them again: the RTL equals golden in every
// cycle, and the system equals the golden one at every link and in all results.
#include <gtest/gtest.h>

#include "cosim/system/device_rack.h"
#include "testbenches/network/planned_event.h"
#include "testbenches/system/repeating_devices.h"

namespace tilefly::cosim {
namespace {

void ExpectRtl(const char* devices, network::NetworkOptions options, std::int64_t least_resent) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=2,h=1");
  options.seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  options.make_node = MakeDevices(ParseSystemDevices(devices, static_cast<int>(topology.switches.size())), options.seed, {});
  EXPECT_GE(ExpectEqual(topology, options, 500).retry.resent_words, least_resent);
}

TEST(RepeatingLinksOfRtl, EqualGoldenOnesWithErrorsOfWords) {
  network::NetworkOptions options = network::Repeating(Short("uniform", 0.5, "64,512,4224"), 1e-5);
  ExpectRtl("2=rtl", options, 20);
  ExpectRtl("3=rtl+golden", options, 20);
}

TEST(RepeatingLinksOfRtl, EqualGoldenOnesWithEveryKindOfFault) {
  network::NetworkOptions options = network::With(Short("uniform", 0.4, "32,64,512"), network::Mixed());
  ExpectRtl("3=golden+rtl", options, 20);
  options.bench_timing = true;
  options.nic_lanes = 2;
  options.routing = network::RoutingOptions::Named("adaptive_0");
  ExpectRtl(TierNow() == bench::Tier::kQuick ? "0=golden+rtl" : "all=rtl", options, 20);
}

TEST(RepeatingLinksOfRtl, EqualGoldenOnesThatSendAgainExactlyOnce) {
  if (TierNow() == bench::Tier::kQuick) GTEST_SKIP() << "from tier ci on";
  network::NetworkOptions options = network::With(Short("uniform", 0.4, "64,512"), network::Mixed());
  options.acks = network::AckUse::kOn;
  options.routing = network::RoutingOptions::Named("in_order");
  options.nics.resend = 3000;
  options.nics.most_resends = 200;
  options.nics.resend_window = 100;
  ExpectRtl("1=rtl,4=rtl+golden", options, 20);
}

/// A lane of each direction, one after the other: what an end tells of its lanes must come over the other direction.
TEST(RepeatingLinksOfRtl, EqualGoldenOnesWhoseLanesDie) {
  faults::Plan plan;
  for (const faults::Direction direction : {faults::Direction::kOut, faults::Direction::kIn}) {
    const bool out = direction == faults::Direction::kOut;
    faults::PlannedEvent event =
        network::Event(out ? 250 : 1200, faults::EventKind::kLaneDown, {faults::LinkName::End::kSwitchPort, 2, 3});
    event.direction = direction;
    event.lane = out ? 1 : 2;
    plan.events.push_back(event);
    event.link = {faults::LinkName::End::kEndpoint, 5, 0};
    plan.events.push_back(event);
  }
  network::NetworkOptions options = network::With(Short("uniform", 0.5, "64,512"), plan);
  options.stall_cycles = 10'000;  // a dead lane is looked at to the end
  ExpectRtl("2=rtl+golden", options, 10);
}

TEST(RepeatingLinksOfRtl, ReduceAsGoldenOnes) {
  const char* const jobs = "allreduce:sharp,bytes=5000,iterations=2,check=yes,ranks=12";
  ExpectRtl("0=rtl,3=rtl+golden", network::With(Jobs(jobs, 12), network::Mixed()), 10);
}

}  // namespace
}  // namespace tilefly::cosim
