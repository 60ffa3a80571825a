// SPDX-License-Identifier: Apache-2.0
// Switches of a system that are devices of transaction models: the golden twin holds them to the contract.
#include <gtest/gtest.h>

#include "cosim/errors.h"
#include "testbenches/systemc/net.h"

namespace tilefly::systemc {
namespace {

void ExpectPass(const std::string& name, const std::vector<std::pair<std::string, std::string>>& values) {
  Net net(name, values);
  EXPECT_EQ(net.session->Run(), kPassed) << net.session->results()["message"];
  const auto& results = net.session->results();
  EXPECT_EQ(results["contract"], "bounded");
  EXPECT_TRUE(results.at("compared").is_null());
  EXPECT_EQ(results["measured"]["against"], "golden");
  EXPECT_TRUE(results["measured"]["broken"].empty()) << results["measured"];
  EXPECT_GT(results["books"]["delivered"].get<int>(), 1000);
}

TEST(SystemcDeviceInASystem, KeepsTheContract) {
  ExpectPass("one", {{"devices.switches", "2=systemc"}, {"traffic.load", "0.4"}, {"routing", "min"}});
  ExpectPass("all", {{"devices.switches", "all=systemc"}, {"traffic.load", "0.4"}, {"routing", "min_hash"}});
  ExpectPass("beside", {{"devices.switches", "1=systemc,3=rtl"}, {"traffic.load", "0.6"}, {"routing", "in_order"}});
}

TEST(SystemcDeviceInASystem, AnswersAcksAndAdapts) {
  ExpectPass("adaptive", {{"devices.switches", "0-1=systemc"}, {"traffic.load", "0.3"}, {"routing", "adaptive_0"}, {"traffic.size", "64,512"}});
}

/// Packets of jobs are made when others have come: they are compared by their number.
TEST(SystemcDeviceInASystem, CarriesJobs) {
  ExpectPass("jobs", {{"devices.switches", "1=systemc"}, {"traffic.pattern", "alltoall:bytes=40000"}, {"max_cycles", "200000"}});
}

/// Flow channels hold what goes to the crowded NICs, and NICs obey the pauses in the devices' control slots.
TEST(SystemcDeviceInASystem, HoldsBackTheFlowsThatFillALink) {
  const auto expect_throttled = [](const std::string& name, std::vector<std::pair<std::string, std::string>> values) {
    values.insert(values.end(), {{"congestion_control", "on"}, {"profile.flow_mark_on", "60"},
                                 {"profile.flow_mark_hard", "250"}});
    Net net(name, values);
    ASSERT_EQ(net.session->Run(), kPassed) << net.session->results()["message"];
    const auto& results = net.session->results();
    EXPECT_EQ(results["contract"], "bounded");
    EXPECT_TRUE(results["measured"]["broken"].empty()) << results["measured"];
    const auto& control = results["congestion_control"];
    for (const char* count : {"marks_made", "marks_in", "held", "throttled", "pauses"}) {
      EXPECT_GT(control[count].get<int>(), 5) << name << ": " << count << " of " << control;
    }
    EXPECT_GT(results["nic"]["pauses"].get<int>(), 20);
    EXPECT_GT(results["books"]["delivered"].get<int>(), 1000);
  };
  const std::pair<std::string, std::string> hotspot{"traffic.pattern", "hotspot:4:0.5"}, load{"traffic.load", "0.4"};
  expect_throttled("one", {{"devices.switches", "2=systemc"}, hotspot, load, {"traffic.size", "64,1024"}});
  expect_throttled("all", {{"devices.switches", "all=systemc"}, hotspot, load, {"routing", "min_hash"}});
  expect_throttled("beside rtl", {{"devices.switches", "1=systemc,2=rtl"}, hotspot, load, {"routing", "in_order"}});
}

TEST(SystemcDeviceInASystem, IsNotComparedInEveryCycle) {
  EXPECT_THROW(Net("pair", {{"devices.switches", "1=systemc+golden"}}), UsageError);
  EXPECT_THROW(Net("stalls", {{"devices.switches", "1=systemc"}, {"stalls", "on"}}), UsageError);
}

}  // namespace
}  // namespace tilefly::systemc
