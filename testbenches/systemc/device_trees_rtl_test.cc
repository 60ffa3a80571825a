// SPDX-License-Identifier: Apache-2.0
// Devices of transaction models that are nodes of a job's reduction trees: hosts compare every result with what it must
// be, the golden twin holds the jobs to the contract (docs/systemc.md, As a device).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "cosim/errors.h"
#include "testbenches/systemc/net.h"

namespace tilefly::systemc {
namespace {

using ::testing::HasSubstr;

/// In a fat tree of two leaves, 0 and 1, the tree of all ranks has the first top as root.
constexpr const char* kFatTree = "fattree:leaves=2,hosts=4,uplinks=4";
constexpr int kRoot = 2;
/// In three groups of two switches some nodes have a parent and children that are nodes.
constexpr const char* kDragonfly = "dragonfly:p=2,a=2,h=1";
constexpr int kSwitches = 6;

Net Jobs(const std::string& name, const std::string& topology, const std::string& devices, const std::string& jobs) {
  return Net(name, {{"topology", topology},
                    {"devices.switches", devices},
                    {"traffic.pattern", jobs},
                    {"traffic.allocation", "random"},
                    {"max_cycles", "1000000"}});
}

void ExpectReduces(const std::string& name, const std::string& topology, const std::string& devices,
                   const std::string& jobs) {
  Net net = Jobs(name, topology, devices, jobs);
  EXPECT_EQ(net.session->Run(), kPassed) << name << ": " << net.session->results()["message"];
  const auto& results = net.session->results();
  EXPECT_EQ(results["contract"], "bounded");
  EXPECT_TRUE(results["measured"]["broken"].empty()) << results["measured"];
  ASSERT_FALSE(results["reduction_trees"].empty());
  for (const auto& job : results["jobs"]) {
    EXPECT_EQ(job["ranks_done"], job["ranks"]) << name;
    EXPECT_GT(job["messages"].get<int>(), 0) << name;
  }
  std::printf("measured: %-10s %-14s completion %+.3f %%\n", name.c_str(), devices.c_str(),
              100 * results["measured"]["completion"].get<double>());
}

TEST(SystemcDeviceInATree, IsRootAndLeaf) {
  const char* jobs = "allreduce:sharp,bytes=20000,iterations=4,lock=each,check=yes";
  for (const char* devices : {"0=systemc", "1=systemc", "2=systemc", "all=systemc"}) {
    ExpectReduces("stream", kFatTree, devices, jobs);
  }
  Net net = Jobs("shape", kFatTree, "2=systemc", jobs);
  EXPECT_EQ(net.session->Run(), kPassed);
  const auto& tree = net.session->results()["reduction_trees"][0];
  EXPECT_EQ(tree["root"], kRoot);
  EXPECT_EQ(tree["nodes"], 3);
}

TEST(SystemcDeviceInATree, IsInBetween) {
  for (int node = 0; node < kSwitches; ++node) {
    ExpectReduces("between", kDragonfly, std::to_string(node) + "=systemc",
                  "allreduce:sharp,bytes=9000,iterations=2,check=yes");
  }
  Net net = Jobs("depth", kDragonfly, "all=systemc", "allreduce:sharp-low,bytes=2000,check=yes");
  EXPECT_EQ(net.session->Run(), kPassed);
  EXPECT_GE(net.session->results()["reduction_trees"][0]["depth"].get<int>(), 3);
}

TEST(SystemcDeviceInATree, DoesAllPatterns) {
  for (const char* jobs :
       {"allreduce:sharp-low,bytes=3000,iterations=4,check=yes",
        "reduce:sharp,bytes=9000,root=3,iterations=3,check=yes",
        "broadcast:sharp,bytes=9000,root=2,iterations=3,check=yes", "barrier:sharp,iterations=10",
        "allreduce:sharp,bytes=9600,op=minmaxloc,type=int64,check=yes", "allreduce:sharp,bytes=9000,iterations=3"}) {
    ExpectReduces("pattern", kFatTree, "0-1=systemc", jobs);
  }
}

TEST(SystemcDeviceInATree, Has64Ports) {
  ExpectReduces("64 ports", "fattree:leaves=2,hosts=4,uplinks=4,profile=rosetta64", "all=systemc",
                "allreduce:sharp,bytes=20000,iterations=2,ranks=4,check=yes+barrier:sharp,iterations=3,ranks=4");
}

/// Two trees and messages at a time, in switches of all kinds.
TEST(SystemcDeviceInATree, ReducesAmongOtherJobsAndDevices) {
  const char* jobs =
      "allreduce:sharp,bytes=20000,iterations=3,ranks=5,check=yes+allreduce:sharp-low,bytes=3000,iterations=3,ranks=4,"
      "check=yes+alltoall:bytes=3000,ranks=3";
  ExpectReduces("among", kDragonfly, "0-2=systemc", jobs);
  ExpectReduces("mixed", kDragonfly, "0-1=systemc,2-3=rtl", jobs);
}

/// Both fail with the same code: that is the message, not the contract.
TEST(SystemcDeviceInATree, TearsItDown) {
  Net net = Jobs("failure", kFatTree, "all=systemc", "allreduce:sharp,timeout=1us,ranks=6");
  EXPECT_EQ(net.session->Run(), kCheckFailed);
  EXPECT_THAT(net.session->results()["message"].get<std::string>(), HasSubstr("TIMEOUT"));
  EXPECT_TRUE(net.session->results()["measured"]["broken"].empty()) << net.session->results()["measured"];
}

TEST(SystemcDeviceInATree, ThatIsLateBreaksTheContract) {
  Net net = Jobs("late", kFatTree, "0=slow", "barrier:sharp,iterations=10");
  EXPECT_EQ(net.session->Run(), kCheckFailed);
  EXPECT_THAT(net.session->results()["message"].get<std::string>(),
              HasSubstr("contract broken: job 0 (barrier:sharp): completion"));
  EXPECT_GT(net.session->results()["measured"]["completion"].get<double>(), 0.02);
}

TEST(SystemcDeviceInATree, IsRefusedWhenItDoesNotTellWhenItActs) {
  EXPECT_THROW(Jobs("unknown", kFatTree, "0=silent", "barrier:sharp"), UsageError);
}

}  // namespace
}  // namespace tilefly::systemc
