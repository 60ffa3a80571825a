// SPDX-License-Identifier: Apache-2.0
// A run whose switches run as halves goes on from a saved state as if it had not been interrupted.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>
#include <utility>

#include "golden/common/register_write.h"
#include "testbenches/halves/halved_run.h"
#include "testbenches/network/checkpoint_runs.h"
#include "testbenches/network/jobs.h"

namespace tilefly::network {
namespace {

/// Saves far apart, or one after the other; also before anything has happened, and while the system drains.
std::vector<Cycle> DrawSaves(Draw* draw) {
  std::vector<Cycle> saves;
  if (draw->OneIn(4)) {
    const Cycle step = draw->Of({150, 400});
    for (Cycle at = 0; at < 3700; at += step) saves.push_back(at);
  } else {
    for (int left = 1 + draw->Below(4); left > 0; --left) saves.push_back(draw->Below(3800) - 100);
  }
  std::sort(saves.begin(), saves.end());
  return saves;
}

/// Some classes have a maximum.
void LimitRates(Draw* draw, NetworkOptions* options) {
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    if (draw->OneIn(2)) continue;
    const ClassMaximum maximum = ClassMaximum::Of(draw->Of({300, 1000}), draw->Of({2000, 100000}));
    options->writes.push_back(golden::WriteRegister(golden::kAllPorts, CfgSpace::kClass,
                                                    golden::IndexOf(tc, ClassReg::kMaximum), maximum.ToBits()));
  }
}

TEST(HalvesCheckpoint, RandomSystemsGoOnAsIfNothingHadHappened) {
  const int count = Tier() == bench::Tier::kFull ? 400 : 80;
  golden::HalfWays ways;
  std::size_t saved = 0;
  for (int number = 1; number <= count && !testing::Test::HasFailure(); ++number) {
    SCOPED_TRACE(number);
    Case one = DrawCase(0x5A7E0000u + static_cast<std::uint64_t>(number));
    Draw draw(static_cast<std::uint64_t>(number));
    std::vector<Cycle> saves = DrawSaves(&draw);
    if (one.stop != kNever) saves.erase(std::lower_bound(saves.begin(), saves.end(), one.stop - 600), saves.end());
    if (!one.log) one.options.threads = draw.Of({1, 2, 3});
    if (draw.OneIn(4)) one.options.scheduler.kind = golden::SchedulerKind::kPaperTable;
    if (draw.OneIn(3)) LimitRates(&draw, &one.options);
    const Result stepped = RunCase(one, false, nullptr, draw.OneIn(2) ? saves : std::vector<Cycle>());
    const Result resumed = RunCase(one, true, &ways, saves);
    ExpectEqual(stepped, RunCase(one, true, nullptr));
    ExpectEqual(stepped, resumed);
    saved += resumed.saved;
  }
  EXPECT_GT(saved, 300u);
  EXPECT_GT(ways.moved, 1000);
  EXPECT_GT(ways.acks_stepped, 300);
  EXPECT_GT(ways.routed_late, 1000);
}

/// Whatever is under way, in each round from before the start to the end.
TEST(HalvesCheckpoint, ARunMayBeSavedBetweenAnyTwoRounds) {
  for (const bool crowded : {false, true}) {
    Case one = crowded ? Plain("32", 1) : Plain("32,496,4224", 0.8);
    const Cycle round = crowded ? 1 : 7;
    std::vector<Cycle> saves;
    for (Cycle at = -200; at < 900 * round; at += round) saves.push_back(at);
    one.options.routing = RoutingOptions::Named(crowded ? "min" : "adaptive_2");
    one.options.acks = AckUse::kOn;
    one.options.cycles = 600;
    one.options.warmup = 100;
    one.options.sample = 90;
    one.options.lookahead = round;
    one.options.bench_timing = true;
    one.moves = 50;
    const Result resumed = RunCase(one, true, nullptr, saves);
    ExpectEqual(RunCase(one, false, nullptr), resumed);
    EXPECT_GT(resumed.saved, 100u);
  }
}

/// Idle switches hear of a packet long after they did something.
TEST(HalvesCheckpoint, IdleTimeEndsWhereAMessageWaits) {
  constexpr Cycle kLong = Cycle{1} << 40;
  Case one = Plain("512", 0.5);
  one.options.cycles = kLong;
  one.options.traffic.plan = {{0, 3, 10, 512}, {kLong - 10, 10, 3, 512}};
  for (const bool bench : {false, true}) {
    one.options.bench_timing = bench;
    std::vector<Cycle> saves = {0, 5000};
    for (Cycle after = -20; after < (bench ? 160 : 600); after += 20) {
      saves.push_back(kLong + after);
      ExpectSame(one, nullptr, {kLong + after});
    }
    ExpectSame(one, nullptr, saves);
  }
}

/// The last event is a credit return, or an ack, that comes by a long link.
TEST(HalvesCheckpoint, TheLastCycleIsThatOfAMessageThatWaits) {
  Case one = Plain("512", 0.5);
  one.topology = topology::Build("dragonfly:p=2,a=2,h=1,global_cable=510m");
  one.options.traffic.plan = {{0, 3, 10, 512}};
  for (const AckUse acks : {AckUse::kOff, AckUse::kOn}) {
    one.options.acks = acks;
    const Result stepped = RunCase(one, false, nullptr);
    for (Cycle at = 0; at < 7000; at += 100) ExpectEqual(stepped, RunCase(one, true, nullptr, {at}));
  }
}

TEST(HalvesCheckpoint, WithJobs) {
  Case one = Plain("512", 0.5);
  one.topology = topology::Build("dragonfly:p=2,a=4,h=2");
  one.options.warmup = 0;
  one.options.cycles = 1'000'000;
  UseJobs(workload::MakeWorkload("halo3d:bytes=9000,compute=500ns,iterations=2,ranks=24+alltoall:bytes=100", "", 72,
                                 workload::Allocation::kRandom, 5),
          &one.options);
  ExpectSame(one, nullptr, {0, 300, 1700, 4000, 9000});
}

/// Seventy-two endpoints, with acks, loads and time series.
NetworkOptions ManyThings() {
  NetworkOptions options = Plain("64,496,4096", 0.7).options;
  options.routing = RoutingOptions::Named("adaptive_2");
  options.sample = 100;
  options.acks = AckUse::kOn;
  return options;
}

TEST(HalvesCheckpoint, OnAnyNumberOfThreadsAndProcesses) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = ManyThings();
  const std::string stepped = WholeRun(topology, options);
  options.halves = true;
  EXPECT_EQ(WholeRun(topology, options), stepped);
  for (const int threads : {1, 3}) {
    NetworkOptions first = options, then = options;
    first.threads = threads;
    then.threads = 4 - threads;
    for (const int saving : {1, 3}) {
      const std::deque<SavedBytes> state = StateOf(saving, topology, first, 1500);
      for (const int resuming : {1, 2}) {
        EXPECT_EQ(RestOfRun(resuming, topology, then, state), stepped)
            << threads << " threads in " << saving << " processes, then " << resuming;
      }
    }
  }
}

TEST(HalvesCheckpoint, IsSavedOnScheduleAndWhenTheRunIsStopped) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = ManyThings();
  options.halves = true;
  const std::string whole = WholeRun(topology, options);
  Network network(topology, options);
  std::deque<SavedBytes> state;
  int saved = 0;
  network.SaveEvery(500, [&] {
    state.clear();
    ++saved;
    network.Save([&](const SavedBytes& piece) { state.push_back(piece); });
  });
  const Cycle stop = network.nics().begin + 2000;
  EXPECT_EQ(network.Run([&](Cycle cycle) { return cycle >= stop; }), Ending::kStopped);
  EXPECT_GE(saved, 3);
  EXPECT_EQ(RestOfRun(1, topology, options, state), whole);
}

/// With equal options both run by one engine. A state of other options is not taken for one's own.
TEST(HalvesCheckpoint, AStateOfTheOtherEngineIsRefused) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const bool halves : {false, true}) {
    NetworkOptions options = ManyThings();
    options.halves = halves;
    const std::deque<SavedBytes> state = StateOf(1, topology, options, 700);
    options.halves = !halves;
    try {
      RestOfRun(1, topology, options, state);
      ADD_FAILURE() << "taken";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()),
                fmt::format("checkpoint: switch 0 was saved by another engine: {} as halves here",
                            halves ? "it does not run" : "it runs"));
    }
  }
}

}  // namespace
}  // namespace tilefly::network
