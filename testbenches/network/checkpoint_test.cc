// SPDX-License-Identifier: Apache-2.0
// A run that goes on from a saved state ends like one that was never interrupted, whatever was under way, on any number
// of processes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/errors.h"
#include "testbenches/network/checkpoint_runs.h"
#include "testbenches/network/jobs.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

NetworkOptions Loaded(const std::string& pattern, const std::string& routing = "min") {
  NetworkOptions options;
  options.traffic.pattern = pattern;
  options.traffic.load = 0.7;
  options.traffic.size = "64,496,4096";
  options.routing = RoutingOptions::Named(routing);
  options.cycles = 3000;
  options.warmup = 500;
  options.seed = 9;
  options.stalls = true;
  return options;
}

void ExpectTheSame(const char* name, const NetworkOptions& options, const std::vector<Cycle>& cycles) {
  const auto topology = topology::Build(name);
  const std::string whole = WholeRun(topology, options);
  for (const Cycle at : cycles) {
    EXPECT_EQ(RestOfRun(1, topology, options, StateOf(1, topology, options, at)), whole) << name << " from " << at;
  }
}

const std::vector<Cycle> kCycles = {0, 1, 300, 700, 1500, 2999, 3600};

TEST(Checkpoint, ARunGoesOnAsIfNothingHadHappened) {
  for (const bool bench : {false, true}) {
    NetworkOptions options = Loaded("uniform");
    options.bench_timing = bench;
    ExpectTheSame("dragonfly:p=2,a=4,h=2", options, kCycles);
  }
  ExpectTheSame("aries:p=2,chassis=2,blades=4,h=2,g=4", Loaded("adversarial:1"), {300, 1500});
  ExpectTheSame("tree:k=4,n=2", Loaded("hotspot:0:0.3"), {300, 1500});
}

TEST(Checkpoint, WithAdaptiveRoutingAndAcks) {
  for (const char* routing : {"adaptive_0", "adaptive_2", "nmin_hash", "in_order"}) {
    NetworkOptions options = Loaded("adversarial:1", routing);
    options.acks = AckUse::kOn;
    ExpectTheSame("dragonfly:p=2,a=4,h=2", options, {300, 1500, 3100});
  }
}

TEST(Checkpoint, WithEveryScheduler) {
  for (const golden::SchedulerName& one : golden::kSchedulerNames) {
    NetworkOptions options = Loaded("uniform");
    options.scheduler.kind = one.kind;
    options.traffic.classes = {{0, 1, 4096}, {3, 2, 512}};
    ExpectTheSame("dragonfly:p=2,a=4,h=2", options, {700});
  }
}

/// In the middle of packets that passed others of another class.
TEST(Checkpoint, WithClassesThatWait) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const bool class_queues : {true, false}) {
    NetworkOptions options = Loaded("hotspot:9:0.3");
    options.bench_timing = true;
    options.traffic.classes = {{0, 1, 4096}, {3, 2, 512}, {5, 1, 4096}};
    options.nics.class_queues = class_queues;
    const std::string whole = WholeRun(topology, options);
    for (const int resuming : {1, 3})
      EXPECT_EQ(RestOfRun(resuming, topology, options, StateOf(2, topology, options, 1500)), whole) << resuming;
  }
}

TEST(Checkpoint, WithJobs) {
  NetworkOptions options = Loaded("uniform");
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  UseJobs(workload::MakeWorkload("allreduce:rabenseifner,bytes=20000,iterations=2", "", 72,
                                 workload::Allocation::kRandom, 3),
          &options);
  ExpectTheSame("dragonfly:p=2,a=4,h=2", options, {500, 3000, 6000});
}

TEST(Checkpoint, OnAnyNumberOfProcesses) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const NetworkOptions options = Loaded("uniform");
  const std::string whole = WholeRun(topology, options);
  for (const int saving : {1, 3}) {
    const std::deque<SavedBytes> pieces = StateOf(saving, topology, options, 1500);
    for (const int resuming : {1, 2, 4}) {
      EXPECT_EQ(RestOfRun(resuming, topology, options, pieces), whole) << saving << " then " << resuming;
    }
  }
}

TEST(Checkpoint, IsSavedOnScheduleAndWhenTheRunIsStopped) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const NetworkOptions options = Loaded("uniform");
  const std::string whole = WholeRun(topology, options);
  Network network(topology, options);
  std::deque<SavedBytes> pieces;
  int saved = 0;
  network.SaveEvery(500, [&] {
    pieces.clear();
    ++saved;
    network.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
  });
  const Cycle stop = network.nics().begin + 2000;
  EXPECT_EQ(network.Run([&](Cycle cycle) { return cycle >= stop; }), Ending::kStopped);
  EXPECT_GE(saved, 3);  // the last one when it was stopped
  EXPECT_EQ(RestOfRun(1, topology, options, pieces), whole);
}

TEST(Checkpoint, WhatCannotBeSavedIsRefused) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = Loaded("uniform");
  options.journeys.slowest = 3;
  Network network(topology, options);
  EXPECT_THROW(network.SaveEvery(100, [] {}), UsageError);
}

}  // namespace
}  // namespace tilefly::network
