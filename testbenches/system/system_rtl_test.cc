// SPDX-License-Identifier: Apache-2.0
// RTL switches inside a live dragonfly: the system equals the golden one at every link in every cycle.
#include <gtest/gtest.h>

#include "cosim/system/device_rack.h"
#include "testbenches/bench/settings.h"
#include "testbenches/system/system_rig.h"

namespace tilefly::cosim {
namespace {

using bench::Tier;

Cycle CyclesOf(Cycle quick, Cycle ci, Cycle full) {
  const Tier tier = bench::TierFromEnvironment();
  return tier == Tier::kQuick ? quick : tier == Tier::kCi ? ci : full;
}

void ExpectRtl(const char* system, const char* devices, network::NetworkOptions options, std::int64_t least_busy,
               const DeviceOptions& how = {}) {
  const auto topology = topology::Build(system);
  const SystemDevices parsed = ParseSystemDevices(devices, static_cast<int>(topology.switches.size()));
  options.seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  options.make_node = MakeDevices(parsed, options.seed, how);
  ExpectEqual(topology, options, least_busy);
}

/// What the 36 switches do; `least`: busy words and returns a cycle of the traffic.
struct Workload {
  const char* traffic;
  double load;
  const char* size;
  int least;
};

constexpr Workload kUniform{"uniform", 0.6, "32,512,4224", 60};
constexpr Workload kAdversarial{"adversarial:1", 0.4, "64,512", 10};

/// In CI the first three modes, in the full tier all of them.
constexpr const char* kRoutings[] = {"min",        "adaptive_0", "adaptive_1", "adaptive_2",
                                     "adaptive_3", "valiant",    "in_order"};
constexpr int kCiRoutings = 3;

class Dragonfly36 : public ::testing::TestWithParam<int> {
 protected:
  static void ExpectEqualWith(network::NetworkOptions options, const char* devices, std::int64_t least_busy) {
    options.routing = network::RoutingOptions::Named(kRoutings[GetParam()]);
    options.acks = network::AckUse::kWherePossible;
    ExpectRtl(kDragonfly, devices, options, least_busy);
  }
  static void ExpectEqualWith(const Workload& workload, const char* devices, Cycle cycles) {
    ExpectEqualWith(Traffic(workload.traffic, workload.load, workload.size, cycles), devices, cycles * workload.least);
  }
  void SetUp() override {
    const Tier tier = bench::TierFromEnvironment();
    if (GetParam() >= kCiRoutings && tier != Tier::kFull) GTEST_SKIP() << "in the full tier";
    if (GetParam() >= 1 && tier == Tier::kQuick) GTEST_SKIP() << "in CI and the full tier";
  }
};

TEST_P(Dragonfly36, AllSwitchesInRtlEqualTheGoldenSystemUnderUniformTraffic) {
  ExpectEqualWith(kUniform, "all=rtl", CyclesOf(300, 3000, 100'000));
}

TEST_P(Dragonfly36, AllSwitchesInRtlEqualTheGoldenSystemUnderAdversarialTraffic) {
  ExpectEqualWith(kAdversarial, "all=rtl", CyclesOf(300, 3000, 100'000));
}

/// One iteration takes about 2,600 cycles.
TEST_P(Dragonfly36, AllSwitchesInRtlEqualTheGoldenSystemUnderHalo3d) {
  const Tier tier = bench::TierFromEnvironment();
  if (tier == Tier::kQuick) GTEST_SKIP() << "in CI and the full tier";
  ExpectEqualWith(
      Jobs(tier == Tier::kCi ? "halo3d:bytes=2048,compute=500ns" : "halo3d:bytes=2048,compute=500ns,iterations=40"),
      "all=rtl", 30'000);
}

TEST_P(Dragonfly36, AGroupAndOneSwitchInRtlEqualTheGoldenSystem) {
  ExpectEqualWith(kUniform, "8-11=rtl,17=rtl", CyclesOf(300, 3000, 20'000));
}

INSTANTIATE_TEST_SUITE_P(Routings, Dragonfly36, ::testing::Range(0, static_cast<int>(std::size(kRoutings))),
                         [](const auto& info) { return std::string(kRoutings[info.param]); });

TEST(DevicesInSystems, ShortLinksSlowNicsAndRandomReset) {
  network::NetworkOptions options = Traffic("uniform", 0.7, "64,700", CyclesOf(300, 2000, 20'000));
  options.bench_timing = true;
  options.nic_lanes = 2;
  DeviceOptions how;
  how.random_reset = 7;
  ExpectRtl(kDragonfly, "3=rtl,20-23=rtl", options, options.cycles * 20, how);
}

TEST(DevicesInSystems, ObservationRecordsEqualThoseOfAGoldenDevice) {
  const network::NetworkOptions options = Traffic("uniform", 0.7, "64,1024", CyclesOf(300, 2000, 20'000));
  ExpectRtl(kDragonfly, "5=rtl+golden", options, options.cycles * 60);
}

TEST(DevicesInSystems, ClockingIdleTilesTooChangesNothing) {
  network::NetworkOptions options = Traffic("uniform", 0.05, "64", CyclesOf(500, 3000, 20'000));
  DeviceOptions how;
  how.evaluate_all = true;
  ExpectRtl(kDragonfly, "9=rtl", options, options.cycles, how);
  ExpectRtl(kDragonfly, "9=rtl", options, options.cycles);
}

/// All ranks reduce, so every switch is a node: with bytes that hosts compare, streams and short operations; and torn
/// down.
TEST(DevicesInTrees, RtlSwitchesEqualTheGoldenSystem) {
  const char* devices = bench::TierFromEnvironment() == Tier::kQuick ? "0-2=rtl,17=rtl" : "all=rtl";
  ExpectRtl(kDragonfly, devices,
            Jobs("allreduce:sharp,bytes=9000,iterations=2,lock=each,check=yes,ranks=36+allreduce:sharp-low,bytes=2000,"
                 "check=yes,ranks=36"),
            20'000);
  ExpectRtl(kDragonfly, devices, Jobs("allreduce:sharp,timeout=1us,ranks=72"), 1'000);
}

/// Streams of more than 64 and more than 512 segments in one lock, which takes 130 cycles a segment: credits, that
/// count modulo 256, have come round twice. A leaf's parent is a switch, the switch on top has switches below.
void ExpectLongStream(const char* devices, int segments) {
  network::NetworkOptions options = Jobs("allreduce:sharp,check=yes,bytes=" + std::to_string(segments * 4096), 2);
  ExpectRtl("fattree:leaves=2,hosts=1,uplinks=1,profile=tile8", devices, options, 2 * 128 * segments);
}

TEST(DevicesInTrees, MoreThan64SegmentsInOneLock) { ExpectLongStream("0=rtl,2=rtl", 67); }

TEST(DevicesInTrees, MoreThan512SegmentsInOneLock) {
  if (bench::TierFromEnvironment() == Tier::kQuick) GTEST_SKIP() << "in CI and the full tier";
  ExpectLongStream("0=rtl", 530);
}

/// 16 switches of 64 ports in 4 groups, 128 endpoints; one switch is RTL.
TEST(DevicesInSystems, OneSwitchOf64PortsInFourGroups) {
  if (bench::TierFromEnvironment() == Tier::kQuick) GTEST_SKIP() << "in CI and the full tier";
  const network::NetworkOptions options = Traffic("uniform", 0.6, "32,512,4224", CyclesOf(0, 3000, 50'000));
  ExpectRtl("dragonfly:p=8,a=4,h=6,g=4,links=8,profile=rosetta64", "6=rtl", options, options.cycles * 60);
}

}  // namespace
}  // namespace tilefly::cosim
