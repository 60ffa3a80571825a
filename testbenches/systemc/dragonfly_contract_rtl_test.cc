// SPDX-License-Identifier: Apache-2.0
// The contract over a dragonfly of (2,4,2): 36 switches of transaction models, each a device with a kernel of its own,
// against the same of golden switches (docs/systemc.md, Contract).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "cosim/errors.h"
#include "testbenches/bench/settings.h"
#include "testbenches/systemc/net.h"

namespace tilefly::systemc {
namespace {

using bench::Tier;
using ::testing::HasSubstr;

/// Cycles of traffic.
int Cycles() {
  const Tier tier = bench::TierFromEnvironment();
  return tier == Tier::kQuick ? 1000 : tier == Tier::kCi ? 3000 : 30'000;
}

struct Traffic {
  const char* pattern;
  const char* load;
};

Net Dragonfly(const Traffic& traffic, const std::string& routing, const std::string& devices, int cycles) {
  return Net("dragonfly", {{"topology", "dragonfly:p=2,a=4,h=2"},
                           {"devices.switches", devices},
                           {"traffic.pattern", traffic.pattern},
                           {"traffic.load", traffic.load},
                           {"traffic.size", "64,512,4096"},
                           {"routing", routing},
                           {"max_cycles", std::to_string(cycles)}});
}

std::string Share(const nlohmann::ordered_json& off) {
  char text[32] = "not bounded";
  if (!off.is_null()) std::snprintf(text, sizeof text, "%+.3f %%", 100 * off.get<double>());
  return text;
}

void ExpectBounded(const Traffic& traffic, const std::string& routing) {
  const int cycles = Cycles();
  Net net = Dragonfly(traffic, routing, "all=systemc", cycles);
  EXPECT_EQ(net.session->Run(), kPassed) << net.session->results()["message"];
  const auto& results = net.session->results();
  const auto& measured = results["measured"];
  EXPECT_EQ(results["contract"], "bounded");
  EXPECT_EQ(measured["against"], "golden");
  EXPECT_TRUE(measured["broken"].empty()) << measured;
  // Nothing that is approximate of the models happens in these runs.
  for (const char* figure : {"mean", "p99", "throughput"}) {
    EXPECT_EQ(measured[figure].is_null() ? 0.0 : measured[figure].get<double>(), 0.0) << figure << ", " << routing;
  }
  const int delivered = results["books"]["delivered"].get<int>();
  EXPECT_GE(delivered, cycles / 5) << "too few to be worth a comparison";
  std::printf("measured: (2,4,2) %-14s load %-4s %-11s %8d packets  mean %s  p99 %s  throughput %s\n", traffic.pattern,
              traffic.load, routing.c_str(), delivered, Share(measured["mean"]).c_str(), Share(measured["p99"]).c_str(),
              Share(measured["throughput"]).c_str());
}

/// In every tier the first modes, in the full tier all of them.
constexpr const char* kRoutings[] = {"adaptive_0", "valiant",    "min",     "adaptive_1",
                                     "adaptive_2", "adaptive_3", "in_order"};
constexpr std::size_t kShortRoutings = 3;

void ExpectBoundedWithAll(const Traffic& traffic) {
  const bool full = bench::TierFromEnvironment() == Tier::kFull;
  for (std::size_t r = 0; r < (full ? std::size(kRoutings) : kShortRoutings); ++r) ExpectBounded(traffic, kRoutings[r]);
}

TEST(DragonflyContract, HoldsUnderUniformTraffic) {
  ExpectBoundedWithAll({"uniform", "0.3"});
  ExpectBoundedWithAll({"uniform", "0.6"});
}

TEST(DragonflyContract, HoldsUnderAdversarialTraffic) { ExpectBoundedWithAll({"adversarial:1", "0.4"}); }

TEST(DragonflyContract, HoldsAtSaturation) { ExpectBounded({"uniform", "1"}, "adaptive_0"); }

/// NICs send again what comes late, and the ports of NICs forget the cells of what was lost (ACK_DEADLINE).
TEST(ResendingDragonfly, HoldsWithAWindowOfNumbers) {
  for (const char* routing : {"in_order", "adaptive_0"}) {
    Net net("resending", {{"topology", "dragonfly:p=2,a=4,h=2"},
                          {"devices.switches", "all=systemc"},
                          {"traffic.pattern", "hotspot:9:0.2"},
                          {"traffic.load", "0.3"},
                          {"traffic.size", "64,512,4096"},
                          {"routing", routing},
                          {"nic.resend", "2us"},
                          {"nic.resends", "100"},
                          {"nic.resend_window", "64"},
                          {"max_cycles", std::to_string(Cycles())}});
    EXPECT_EQ(net.session->Run(), kPassed) << net.session->results()["message"];
    const auto& results = net.session->results();
    EXPECT_EQ(results["contract"], "bounded");
    EXPECT_TRUE(results["measured"]["broken"].empty()) << results["measured"];
    EXPECT_GT(results["nic"]["resends"].get<int>(), 100) << routing;
  }
}

TEST(DragonflyContract, IsBrokenByLateSwitches) {
  Net net = Dragonfly({"uniform", "0.3"}, "adaptive_0", "all=late", 500);
  EXPECT_EQ(net.session->Run(), kCheckFailed);
  EXPECT_THAT(net.session->results()["message"].get<std::string>(), HasSubstr("contract broken: mean latency"));
}

}  // namespace
}  // namespace tilefly::systemc
