// SPDX-License-Identifier: Apache-2.0
// The golden switch as a device of words, in a system: what goes to it and comes from it as words is what goes as
// messages.
#include <gtest/gtest.h>

#include "testbenches/network/lossy_class.h"
#include "testbenches/system/system_rig.h"
#include "testbenches/system/word_devices.h"

namespace tilefly::cosim {
namespace {

TEST(WordDevices, AllOfThemAreGoldenSwitches) {
  const auto topology = topology::Build(kDragonfly);
  network::NetworkOptions options = Traffic("uniform", 0.8, "32,512,4224", 1500);
  options.make_node = Words(0, 1);
  ExpectEqual(topology, options, 100'000);
}

TEST(WordDevices, PassAcksOn) {
  const auto topology = topology::Build(kDragonfly);
  network::NetworkOptions options = Traffic("adversarial:1", 0.6, "32,512", 1500);
  options.acks = network::AckUse::kOn;
  for (const char* routing : {"adaptive_0", "in_order"}) {
    options.routing = network::RoutingOptions::Named(routing);
    options.make_node = Words(0, 1);
    ExpectEqual(topology, options, 100'000);
    options.make_node = Words(2, 3);
    ExpectEqual(topology, options, 100'000);
  }
}

TEST(WordDevices, AmongGoldenSwitchesWithShortLinks) {
  const auto topology = topology::Build(kDragonfly);
  network::NetworkOptions options = Traffic("adversarial:3", 1, "32,300", 1500);
  options.bench_timing = true;
  options.make_node = Words(1, 3);
  ExpectEqual(topology, options, 100'000);
}

TEST(WordDevices, SlowNicsAndManyClasses) {
  const auto topology = topology::Build(kDragonfly);
  network::NetworkOptions options = Traffic("uniform", 0.8, "64,700", 1500);
  options.nic_lanes = 2;
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) options.traffic.classes.push_back({tc, 1.0 + tc, kTile8.mtu_bytes});
  options.make_node = Words(0, 2);
  ExpectEqual(topology, options, 50'000);
}

TEST(WordDevices, PassOnMessagesOfJobs) {
  const auto topology = topology::Build(kDragonfly);
  network::NetworkOptions options = Jobs("halo3d:bytes=5000,iterations=2,compute=300ns,ranks=40+alltoall:bytes=300");
  options.make_node = Words(0, 2);
  ExpectEqual(topology, options, 50'000);
}

/// Copies of packets that are there, and of packets that a device has dropped.
TEST(WordDevices, PassCopiesOn) {
  const auto topology = topology::Build(kDragonfly);
  network::NetworkOptions options = Traffic("hotspot:9:0.3", 0.5, "64,500,2000", 1500);
  options.acks = network::AckUse::kOn;
  options.nics.window = 40;
  network::LoseBeyond(100, &options);
  options.make_node = Words(0, 2);
  for (const Cycle resend : {700, 2500}) {
    options.nics.resend = resend;
    ExpectEqual(topology, options, 50'000);
  }
}

TEST(WordDevices, PassOnMessagesWhoseModeIsChosen) {
  const auto topology = topology::Build(kDragonfly);
  network::NetworkOptions options = Jobs("alltoall:bytes=6000,order=random,ranks=30");
  options.acks = network::AckUse::kOn;
  options.routing = network::RoutingOptions::Named("app_aware");
  options.make_node = Words(0, 2);
  ExpectEqual(topology, options, 50'000);
}

/// Roots, nodes in between and leaves; with bytes, which hosts compare with what they must be, and without.
TEST(WordDevices, AreNodesOfReductionTrees) {
  const auto topology = topology::Build(kDragonfly);
  for (const char* jobs : {"allreduce:sharp,bytes=9000,iterations=2,lock=each,check=yes,ranks=30+allreduce:sharp-low,"
                           "bytes=2000,iterations=2,ranks=30",
                           "broadcast:sharp,bytes=5000,root=2,check=yes,ranks=40+alltoall:bytes=500,ranks=32"}) {
    network::NetworkOptions options = Jobs(jobs);
    for (const int step : {1, 2, 3}) {
      options.make_node = Words(0, step);
      ExpectEqual(topology, options, 20'000);
    }
  }
}

/// From a launch to its result 202 cycles pass, in which nothing is on any link.
TEST(WordDevices, AreNodesOfReductionTreesWith64Ports) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2,profile=rosetta64");
  network::NetworkOptions options =
      Jobs("allreduce:sharp,bytes=5000,check=yes,ranks=30+barrier:sharp,iterations=3,ranks=30");
  options.make_node = Words(0, 4);
  ExpectEqual(topology, options, 4'000);
}

/// A job's ranks give up before they are answered: its nodes fail, tell each other, and drop what comes later.
TEST(WordDevices, TearDownReductionTrees) {
  const auto topology = topology::Build(kDragonfly);
  network::NetworkOptions options =
      Jobs("allreduce:sharp,timeout=1us,ranks=36+allreduce:sharp,bytes=9000,iterations=3,ranks=36,check=yes");
  for (const int step : {1, 2}) {
    options.make_node = Words(0, step);
    ExpectEqual(topology, options, 10'000);
  }
}

TEST(WordDevices, LookaheadAndOrderChangeNothing) {
  const auto topology = topology::Build(kDragonfly);
  network::NetworkOptions options = Traffic("uniform", 0.6, "64,512", 500);
  network::NetworkOptions trees = Jobs("allreduce:sharp,bytes=5000,check=yes,ranks=24");
  for (network::NetworkOptions* one : {&options, &trees}) {
    one->make_node = Words(0, 5);
    for (const Cycle lookahead : {1, 37}) {
      one->lookahead = lookahead;
      one->order = static_cast<std::uint64_t>(lookahead);
      one->whole = lookahead == 37;
      ExpectEqual(topology, *one, 4'000);
    }
  }
}

}  // namespace
}  // namespace tilefly::cosim
