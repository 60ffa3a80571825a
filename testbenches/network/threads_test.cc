// SPDX-License-Identifier: Apache-2.0
// No result depends on the number of threads, in one process or in several (docs/network.md, Several threads).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <set>
#include <thread>

#include "network/crew.h"
#include "network/figures.h"
#include "network/network.h"
#include "network/places.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/lossy_class.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/systems.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

/// Mixed sizes at a load that makes queues: time series, journeys and stalls are in the text too.
NetworkOptions Loaded() {
  NetworkOptions options;
  options.traffic.load = 0.6;
  options.traffic.size = "64,496,4096";
  options.cycles = 3000;
  options.warmup = 500;
  options.seed = 5;
  options.stalls = true;
  options.sample = 100;
  options.journeys.slowest = 20;
  options.journeys.packets = {{0, 3}, {5, 1}};
  return options;
}

/// What a run on `processes` of `threads` each leaves behind, as the first process sees it.
std::string RunOn(int threads, const topology::Topology& topology, NetworkOptions options, int processes = 1,
                  Cycle stop = kNever) {
  options.threads = threads;
  std::string text;
  OnThreads(processes, [&](Processes& all) {
    Network network(topology, options, &all);
    const Ending ending = network.Run([&](Cycle cycle) { return cycle >= stop; });
    const Figures figures(network);
    if (all.first()) text = Text(network, ending, figures);
  });
  return text;
}

/// One, two, three and five threads, and two processes of two.
void ExpectSame(const topology::Topology& topology, const NetworkOptions& options, Cycle stop = kNever) {
  const std::string one = RunOn(1, topology, options, 1, stop);
  for (const int threads : {2, 3, 5}) EXPECT_EQ(RunOn(threads, topology, options, 1, stop), one) << threads;
  EXPECT_EQ(RunOn(2, topology, options, 2, stop), one) << "two processes";
}

class ThreadsWith : public testing::TestWithParam<std::pair<const char*, std::function<void(NetworkOptions*)>>> {};

TEST_P(ThreadsWith, AnyNumberOfThreadsGivesTheSame) {
  NetworkOptions options = Loaded();
  GetParam().second(&options);
  ExpectSame(Dragonfly(), options);
}

INSTANTIATE_TEST_SUITE_P(
    Features, ThreadsWith,
    testing::Values(std::pair{"chip_timing", [](NetworkOptions*) {}},
                    std::pair{"bench_timing", [](NetworkOptions* options) { options->bench_timing = true; }},
                    std::pair{"acks", [](NetworkOptions* options) { options->acks = AckUse::kOn; }},
                    std::pair{"adaptive",
                              [](NetworkOptions* options) {
                                options->routing = RoutingOptions::Named("adaptive_1");
                                options->traffic.pattern = "adversarial:1";
                                options->acks = AckUse::kWherePossible;
                              }},
                    std::pair{"valiant",
                              [](NetworkOptions* options) { options->routing = RoutingOptions::Named("valiant"); }},
                    std::pair{"outages",
                              [](NetworkOptions* options) {
                                options->faults = {{3, 6, 700}, {20, 0, 900}};
                              }},
                    std::pair{"drawn_order", [](NetworkOptions* options) { options->order = 7; }},
                    std::pair{"many_intervals", [](NetworkOptions* options) { options->sample = 1; }}),
    [](const auto& info) { return info.param.first; });

TEST(Threads, AStoppedRunIsTheSame) { ExpectSame(Dragonfly(), Loaded(), 2000); }

/// Classes, losses and copies.
TEST(Threads, LossyClassesAreTheSame) {
  NetworkOptions options = Loaded();
  options.acks = AckUse::kOn;
  options.nics.resend = 3000;
  options.nics.most_resends = 100;
  options.traffic.pattern = "hotspot:9:0.3";
  options.traffic.classes = {{0, 1, 4096}, {3, 2, 512}, {5, 1, 4096}};
  LoseBeyond(250, &options);
  EXPECT_NE(RunOn(1, Dragonfly(), options).find("drops "), std::string::npos);
  ExpectSame(Dragonfly(), options);
}

TEST(Threads, JobsAndReductionsAreTheSame) {
  for (const char* pattern : {"allreduce:rabenseifner,bytes=20000,iterations=2", "alltoall:bytes=3000",
                              "allreduce:sharp,bytes=20000,iterations=2,check=yes"}) {
    NetworkOptions options = Loaded();
    options.cycles = Cycle{1} << 40;
    options.warmup = 0;
    options.sample = 0;
    UseJobs(workload::MakeWorkload(pattern, "", 72, workload::Allocation::kRandom, 3), &options);
    ExpectSame(Dragonfly(), options);
  }
}

TEST(Threads, ABackgroundIsTheSame) {
  NetworkOptions options = Loaded();
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  options.sample = 0;
  UseJobs(workload::MakeWorkload("alltoall:ranks=20,bytes=3000", "", 72, workload::Allocation::kRandom, 3), &options);
  options.background.emplace();
  options.background->load = 0.3;
  options.background->endpoints = options.hosts.workload->Free();
  ExpectSame(Dragonfly(), options);
}

/// What a judge is shown, and so when traffic ends.
TEST(Threads, TheEndOfTrafficIsTheSame) {
  NetworkOptions options = Loaded();
  options.cycles = 20000;
  options.traffic.load = 0.2;
  const auto run = [&](int threads) {
    options.threads = threads;
    Network network(Dragonfly(), options);
    std::string told;
    network.EndTrafficWhen([&](const TrafficHistory& history, Cycle end) {
      told += fmt::format("{}:{}\n", end, Text(history));
      return std::count(told.begin(), told.end(), '\n') == 3;
    });
    const Ending ending = network.Run();
    return told + Text(network, ending, Figures(network));
  };
  const std::string one = run(1);
  EXPECT_EQ(std::count(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(one.find("ending")), '\n'), 3);
  for (const int threads : {2, 5}) EXPECT_EQ(run(threads), one) << threads;
}

/// Saved with one number of threads, loaded with another.
TEST(Threads, CheckpointsAreTheSame) {
  NetworkOptions options = Loaded();
  options.journeys = {};
  const std::string whole = RunOn(1, Dragonfly(), options);
  for (const auto& [before, after] : {std::pair(1, 3), std::pair(3, 1), std::pair(2, 5)}) {
    options.threads = before;
    std::vector<SavedBytes> pieces;
    Network first(Dragonfly(), options);
    first.SaveEvery(0, [&] { first.Save([&](const SavedBytes& piece) { pieces.push_back(piece); }); });
    ASSERT_EQ(first.Run([](Cycle cycle) { return cycle >= 2000; }), Ending::kStopped);
    options.threads = after;
    Network second(Dragonfly(), options);
    std::size_t next = 0;
    second.Load([&] { return pieces.at(next++); });
    const Ending ending = second.Run();
    EXPECT_EQ(Text(second, ending, Figures(second)), whole) << before << " to " << after;
  }
}

/// Every packet, in the order of the files.
TEST(Threads, EachPacketIsToldInTheSameOrder) {
  NetworkOptions options = Loaded();
  options.journeys = {};
  options.journeys.all = true;
  const auto run = [&](int threads) {
    options.threads = threads;
    Network network(Dragonfly(), options);
    std::string told;
    network.TellJourneys([&](const Journey& journey, bool counted) {
      told += fmt::format("{} {} {} {} {}\n", journey.record.source, journey.number, journey.last,
                          journey.hops.size(), counted);
    });
    network.Run([](Cycle cycle) { return cycle >= 2000; });
    network.TellJourneysInside();
    return told;
  };
  const std::string one = run(1);
  EXPECT_GT(std::count(one.begin(), one.end(), '\n'), 1000);
  for (const int threads : {2, 5}) EXPECT_EQ(run(threads), one) << threads;
}

/// Idle rounds are skipped, and nothing that waits for a domain is skipped with them.
TEST(Threads, LongIdleSystemsAreSkipped) {
  NetworkOptions options;
  options.cycles = Cycle{1} << 40;
  options.traffic.plan = {{0, 3, 60, 512}, {(Cycle{1} << 40) - 10, 60, 3, 512}};
  const std::string one = RunOn(1, Dragonfly(), options);
  EXPECT_NE(one.find("class 2 2 "), std::string::npos) << one.substr(0, 400);
  ExpectSame(Dragonfly(), options);
}

TEST(Threads, NoMoreThanDomainsTakePart) {
  NetworkOptions options = Loaded();
  options.threads = 50;
  EXPECT_EQ(Network(Dragonfly(), options).threads(), 9);
  EXPECT_EQ(Network(topology::Build("tree:k=4,n=2"), options).threads(), 1);
}

/// Of groups that fail in the same round the first one's failure is told, whoever came to it first.
TEST(Threads, TheFirstDomainsFailureIsTold) {
  constexpr int kEndpointsOfAGroup = 8;
  Patterns().Add("failing", "fails in all groups but the first", [](const PatternRequest&) {
    return [](int source, std::uint64_t id) {
      if (id > 20 && source >= kEndpointsOfAGroup)
        throw std::runtime_error(fmt::format("group {}", source / kEndpointsOfAGroup));
      return 71 - source;
    };
  });
  NetworkOptions options = Loaded();
  options.traffic.pattern = "failing";
  options.traffic.size = "512";
  options.traffic.periodic = true;
  std::set<std::string> told;
  for (const int threads : {1, 2, 5}) {
    options.threads = threads;
    Network network(Dragonfly(), options);
    try {
      network.Run();
      ADD_FAILURE() << "no failure";
    } catch (const std::exception& error) {
      told.insert(error.what());
    }
  }
  EXPECT_EQ(told.size(), 1u) << fmt::format("{}", told);
  EXPECT_NE(told.begin()->find("group 1"), std::string::npos) << *told.begin();
}

TEST(Crew, EachPartIsDoneOnce) {
  for (const bool own_cores : {false, true}) {
    Crew crew(4, own_cores);
    for (int turn = 0; turn < 2000; ++turn) {
      std::vector<std::atomic<int>> done(turn % 40);
      std::atomic<std::size_t> next{0};
      crew.Run([&](int) {
        for (std::size_t i; (i = next++) < done.size();) ++done[i];
      });
      for (const auto& one : done) ASSERT_EQ(one, 1);
    }
  }
}

/// Three threads that have nothing to do take no processor time.
TEST(Crew, WhoWaitsSleeps) {
  Crew crew(4, true);
  crew.Run([](int) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 0.05);
}

TEST(Places, StayWhereTheyAre) {
  Places<int> places;
  places.Make(5);
  int* const place = &places[5];
  *place = 7;
  for (golden::Index i = 0; i < 100000; i += 1000) places.Make(i);
  EXPECT_EQ(&places[5], place);
  int count = 0, sum = 0;
  places.ForEach([&](int value) { ++count, sum += value; });
  EXPECT_EQ(count % 4096, 0);
  EXPECT_EQ(sum, 7);
}

}  // namespace
}  // namespace tilefly::network
