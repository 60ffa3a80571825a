// SPDX-License-Identifier: Apache-2.0
// RTL switches in systems whose NICs send again exactly once (docs/blocks/link_retry.md, NIC): the program writes ACK_DEADLINE
// of their edge ports, packets are lost beside them, and every link and result equals that of the golden system.
#include <gtest/gtest.h>

#include "cosim/system/device_rack.h"
#include "testbenches/bench/settings.h"
#include "testbenches/network/dying_link.h"
#include "testbenches/network/nic_runs.h"
#include "testbenches/system/system_rig.h"

namespace tilefly::cosim {
namespace {

using bench::Tier;

bool IsQuick() { return bench::TierFromEnvironment() == Tier::kQuick; }

network::NetworkOptions WithWindow(const std::string& routing, Cycle resend) {
  network::NetworkOptions options = network::WithAcks(routing);
  options.seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest() + routing);
  options.nics.resend = resend;
  options.nics.most_resends = 200;
  options.nics.resend_window = 100;
  return options;
}

/// The system with `devices` equals the golden one, and the golden one did what the test is about.
void ExpectRtl(const topology::Topology& topology, const char* devices, network::NetworkOptions options,
               std::int64_t least_busy, std::int64_t least_lost) {
  {
    network::Network alone(topology, options);
    ASSERT_EQ(alone.Run(), network::Ending::kDrained);
    const network::Nic::Counters sum = network::SumOf(alone);
    EXPECT_GT(alone.statistics().dropped() + alone.statistics().lost, least_lost);
    EXPECT_GT(sum.resends, least_lost);
    EXPECT_EQ(sum.given_up, 0);
  }
  options.make_node = MakeDevices(ParseSystemDevices(devices, static_cast<int>(topology.switches.size())), options.seed, {});
  ExpectEqual(topology, options, least_busy);
}

/// Endpoint 9 is of switch 4, whose inputs lose packets. TIME is one sweep, and then several.
TEST(ResendWindowOfDevices, RtlEqualsGoldenOverALossyClass) {
  const auto topology = topology::Build(kDragonfly);
  for (const char* routing : {"in_order", "min", "adaptive_0"}) {
    if (IsQuick() && routing != std::string("in_order")) continue;
    network::NetworkOptions options = WithWindow(routing, routing == std::string("min") ? 900 : 4000);
    options.traffic.pattern = "hotspot:9:0.3";
    options.traffic.load = 0.5;
    options.traffic.size = "64,500,2000";
    options.cycles = IsQuick() ? 600 : 2500;
    network::LoseBeyond(100, &options);
    ExpectRtl(topology, IsQuick() ? "4=rtl" : "2=rtl,4-7=rtl,20=rtl", options, options.cycles * 10, IsQuick() ? 10 : 100);
  }
}

/// The link between switches 5 and 7 dies, and packets of all others are lost there. Links of RTL switches do not go down.
TEST(ResendWindowOfDevices, RtlEqualsGoldenBesideALinkThatDies) {
  if (IsQuick()) GTEST_SKIP() << "in CI and the full tier";
  const auto topology = topology::Build(kDragonfly);
  for (const char* routing : {"in_order", "min"}) {
    network::NetworkOptions options = WithWindow(routing, 3000);
    options.traffic.load = 0.3;
    options.traffic.size = "64,512,4096";
    options.cycles = 3000;
    network::LetLinkDie(topology, 1000, &options);
    ExpectRtl(topology, "0-1=rtl,4=rtl,30=rtl", options, options.cycles * 10, 3);
  }
}

}  // namespace
}  // namespace tilefly::cosim
