// SPDX-License-Identifier: Apache-2.0
// Modes of routing under load: shares of minimal paths, saturation, congestion that only seems to be there.
#include <cmath>
#include <map>
#include <vector>

#include "golden/routing/route_names.h"
#include "testbenches/network/routed_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

TEST(Shares, OfMinimalPathsFollowTheModesUnderLoad) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const Cycle cycles = Tier() == bench::Tier::kQuick ? 10000 : 20000;
  std::map<std::string, RunResult> uniform, adversarial;
  for (const golden::RouteName& mode : golden::kRouteNames) {
    uniform[mode.name] = RunToTheEnd(topology, With(mode.name, "uniform", 0.5, cycles));
    adversarial[mode.name] = RunToTheEnd(topology, With(mode.name, "adversarial:1", 0.3, cycles));
  }
  for (const auto* of : {&uniform, &adversarial}) {
    for (const char* mode : {"min", "min_hash", "in_order"}) EXPECT_EQ(of->at(mode).share(), 0) << mode;
    for (const auto& [mode, outcome] : *of) {
      EXPECT_EQ(outcome.routed.again_minimal + outcome.routed.again_nonminimal > 0, mode == "adaptive_1") << mode;
    }
    EXPECT_GT(of->at("adaptive_0").share(), of->at("adaptive_2").share());
    EXPECT_GE(of->at("adaptive_2").share(), of->at("adaptive_3").share());
  }
  // Of the nine groups that are drawn, seven are neither source nor destination.
  for (const char* mode : {"valiant", "nmin_hash"}) EXPECT_NEAR(adversarial.at(mode).share(), 7.0 / 9, 0.02) << mode;
  EXPECT_LT(uniform.at("adaptive_0").share(), 0.2);
  EXPECT_LT(uniform.at("adaptive_3").share(), 0.001);
  for (const char* mode : {"adaptive_0", "adaptive_1", "adaptive_2"}) {
    EXPECT_GT(adversarial.at(mode).share(), 0.4) << mode;
    EXPECT_GT(adversarial.at(mode).accepted, 0.2) << mode;
  }
  EXPECT_GT(adversarial.at("adaptive_3").accepted, 0.15);
  EXPECT_LT(adversarial.at("min").accepted, 0.126) << "one link for the eight endpoints of a group";
}

TEST(Saturation, OfTheRelativeArrangement) {
  if (Tier() == bench::Tier::kQuick) GTEST_SKIP() << "1,056 endpoints: from tier ci on";
  const topology::Topology topology = topology::Build("dragonfly:p=4,a=8,h=4,arrangement=relative");
  const Cycle cycles = Tier() == bench::Tier::kCi ? 10000 : 60000;
  std::vector<std::string> modes = {"adaptive_0"};
  if (Tier() == bench::Tier::kFull) modes = {"adaptive_0", "adaptive_1", "adaptive_2", "adaptive_3", "valiant"};
  for (const bool bench_timing : {true, false}) {
    NetworkOptions options = With("min", "uniform", 1, cycles);
    options.bench_timing = bench_timing;
    EXPECT_GE(RunToTheEnd(topology, options).accepted, 0.8);
    options = With("min", "adversarial:1", 0.6, cycles);
    options.bench_timing = bench_timing;
    EXPECT_LE(RunToTheEnd(topology, options).accepted, 1.0 / 32 + 0.001) << "one link for 32 endpoints";
    for (const std::string& mode : modes) {
      options = With(mode, "adversarial:1", 0.6, cycles);
      options.bench_timing = bench_timing;
      options.acks = bench_timing ? AckUse::kOff : AckUse::kWherePossible;
      EXPECT_GE(RunToTheEnd(topology, options).accepted, 0.4) << mode << (bench_timing ? " bench" : " chip");
    }
  }
}

/// Mean and variance of the share of non-minimal paths.
struct Sample {
  double mean = 0;
  double variance = 0;
};

Sample SharesWithCables(const std::string& length, const std::string& mode, AckUse acks) {
  const int seeds = Tier() == bench::Tier::kQuick ? 5 : 10;
  const topology::Topology topology =
      topology::Build("dragonfly:p=2,a=4,h=2,arrangement=relative,global_cable=" + length);
  Sample sample;
  std::vector<double> shares;
  for (int seed = 1; seed <= seeds; ++seed) {
    NetworkOptions options = With(mode, "uniform", 0.4, 20000);
    options.acks = acks;
    options.seed = static_cast<std::uint64_t>(seed);
    const RunResult outcome = RunToTheEnd(topology, options);
    EXPECT_GT(outcome.accepted, 0.37) << "moderate: the network carries it";
    shares.push_back(outcome.share());
  }
  for (const double share : shares) sample.mean += share / seeds;
  for (const double share : shares) sample.variance += (share - sample.mean) * (share - sample.mean) / (seeds - 1);
  ::testing::Test::RecordProperty(mode + "_" + length + (acks == AckUse::kOn ? "_acks" : ""),
                                  std::to_string(sample.mean) + " +- " + std::to_string(std::sqrt(sample.variance)));
  return sample;
}

/// Cells that are under way on a longer cable hold credits for longer. The far buffers are as empty as before, but
/// requests wait, and routing sees it: here, and by acks in the neighbours.
TEST(PhantomCongestion, OfLongerCablesDrivesPacketsAwayUnlessTheBiasIsHigh) {
  for (const AckUse acks : {AckUse::kOff, AckUse::kOn}) {
    if (acks == AckUse::kOn && Tier() == bench::Tier::kQuick) continue;
    const auto deviations = [&](const char* mode) {
      const Sample near = SharesWithCables("100m", mode, acks);
      const Sample far = SharesWithCables("510m", mode, acks);
      const double change = far.mean - near.mean;
      EXPECT_TRUE(mode == std::string("adaptive_0") || change < 0.005) << near.mean << " and " << far.mean;
      return change == 0 ? 0 : change / std::sqrt(near.variance + far.variance);
    };
    EXPECT_GT(deviations("adaptive_0"), 5) << (acks == AckUse::kOn ? "with acks" : "without acks");
    EXPECT_LT(deviations("adaptive_3"), 5) << (acks == AckUse::kOn ? "with acks" : "without acks");
  }
}

}  // namespace
}  // namespace tilefly::network
