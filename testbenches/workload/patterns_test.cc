// SPDX-License-Identifier: Apache-2.0
// Patterns are matched, send as many bytes as their closed forms say, and end; on a network of unit time after as many
// rounds as they have.
#include "workload/patterns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/errors.h"
#include "testbenches/workload/ideal_network.h"
#include "workload/goal.h"
#include "workload/host_costs.h"

namespace tilefly::workload {
namespace {

Schedule Make(const std::string& text, int ranks, std::uint64_t seed = 1) {
  const PatternText pattern(text);
  KeyValues keys("--traffic " + pattern.name, pattern.keys);
  Schedule schedule = MakePattern(pattern, &keys, ranks, seed);
  keys.Finish();
  return schedule;
}

int RoundsOf(int n) { return n <= 1 ? 0 : 1 + RoundsOf((n + 1) / 2); }

/// Matched, of so many bytes and messages in all, complete; returns the cycles that it takes.
Cycle Expect(const Schedule& schedule, std::int64_t bytes, std::int64_t messages) {
  Check(schedule);
  IdealNetwork network(schedule);
  const Cycle cycles = network.Run();
  EXPECT_TRUE(network.done()) << schedule.name << " of " << schedule.ranks.size();
  EXPECT_EQ(network.bytes, bytes) << schedule.name << " of " << schedule.ranks.size();
  EXPECT_EQ(schedule.Bytes(), bytes);
  EXPECT_EQ(network.messages, messages) << schedule.name << " of " << schedule.ranks.size();
  EXPECT_EQ(network.statistics.last, cycles);
  Cycle before = -1;
  for (const Cycle end : network.statistics.phase_end) {
    EXPECT_GT(end, before);
    before = end;
  }
  return cycles;
}

const std::vector<int> kCounts = {2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33};

TEST(Patterns, TimesAreWholeNanosecondsInAnyUnit) {
  for (const auto& [text, ns] : {std::pair{"250ns", 250}, std::pair{"1.5us", 1500}, std::pair{"1e3ns", 1000},
                                 std::pair{"0.000001ms", 1}, std::pair{"0.29us", 290}, std::pair{"0ns", 0}})
    EXPECT_EQ(ParseNanoseconds(text, "t"), ns) << text;
  EXPECT_EQ(ParseNanoseconds("1000000ms", "t"), 1'000'000'000'000);
  for (const char* text : {"1.5ns", "0.0001us", "-1us", "1s", "us", "infus", "nanms", "1000001ms", "1e400ns", "1 us"})
    EXPECT_THROW(ParseNanoseconds(text, "t"), UsageError) << text;
}

TEST(Patterns, PingPongGoesThereAndBack) {
  EXPECT_EQ(Expect(Make("pingpong:bytes=100,iterations=7", 2), 2 * 7 * 100, 14), 14);
  EXPECT_EQ(Expect(Make("pingpong:bytes=100,iterations=7", 8), 8 * 7 * 100, 56), 14);
}

TEST(Patterns, AStreamSendsInItsTime) {
  EXPECT_EQ(Expect(Make("stream:bytes=100,iterations=5", 2), 5 * 100, 5), 5);
  EXPECT_EQ(Expect(Make("stream:bytes=100,iterations=5,every=7ns", 6), 3 * 5 * 100, 15), 4 * 7 + 1);
}

TEST(Patterns, AllToAllSendsToEveryOther) {
  for (const int n : kCounts) {
    EXPECT_EQ(Expect(Make("alltoall:bytes=64,iterations=2", n), 2LL * n * (n - 1) * 64, 2LL * n * (n - 1)),
              2 * (n - 1));
    for (const char* text :
         {"alltoall:bytes=64,window=4", "alltoall:bytes=64,order=random", "alltoall:bytes=64,order=random,window=3"})
      Expect(Make(text, std::max(n, 5)), std::max(n, 5) * (std::max(n, 5) - 1LL) * 64,
             std::max(n, 5) * (std::max(n, 5) - 1LL));
  }
}

TEST(Patterns, OrdersOfAllToAllAreDrawn) {
  const Schedule first = Make("alltoall:order=random", 9, 1);
  EXPECT_EQ(GoalText(first), GoalText(Make("alltoall:order=random", 9, 1)));
  EXPECT_NE(GoalText(first), GoalText(Make("alltoall:order=random", 9, 2)));
}

TEST(Patterns, BisectionPairsTheHalves) {
  for (const int n : {2, 6, 16}) {
    const Schedule schedule = Make("bisection:bytes=10,iterations=3", n);
    EXPECT_EQ(Expect(schedule, 3LL * n * 10, 3LL * n), 3);
    for (int r = 0; r < n; ++r) {
      for (const Operation& one : schedule.ranks[r].operations) {
        if (one.kind == Kind::kSend) EXPECT_NE(one.peer < n / 2, r < n / 2);
      }
    }
  }
}

TEST(Patterns, RingAllReduceSendsEachBlockTwiceRound) {
  for (const int n : kCounts) {
    for (const int bytes : {1000, 7}) {
      EXPECT_EQ(
          Expect(Make("allreduce:ring,bytes=" + std::to_string(bytes), n), 2LL * (n - 1) * bytes, 2LL * n * (n - 1)),
          2 * (n - 1));
    }
  }
  // n - 1 reductions of 30 cycles.
  EXPECT_EQ(Expect(Make("allreduce:ring,bytes=100,compute=30ns", 5), 800, 40), 8 + 4 * 30);
}

TEST(Patterns, RabenseifnerSendsTwiceTheVectorForEachRankButOne) {
  for (const int n : kCounts) {
    int core = 1;
    while (2 * core <= n) core *= 2;
    const int pairs = n - core;
    const int steps = 2 * RoundsOf(core);
    for (const int bytes : {4096, 1001, 3}) {
      EXPECT_EQ(Expect(Make("allreduce:rabenseifner,bytes=" + std::to_string(bytes), n), 2LL * (n - 1) * bytes,
                       static_cast<std::int64_t>(core) * steps + 2 * pairs),
                steps + (pairs > 0 ? 2 : 0))
          << n;
    }
  }
}

TEST(Patterns, ThoseOfTheSwitchesAreOneOperationARankAndIteration) {
  for (const char* text : {"allreduce:sharp,bytes=20000,iterations=3", "allreduce:sharp-low,bytes=600,iterations=3",
                           "reduce:sharp,iterations=3", "broadcast:sharp,iterations=3", "barrier:sharp,iterations=3"}) {
    const Schedule schedule = Make(text, 5);
    Check(schedule);
    EXPECT_EQ(schedule.phases, 3);
    for (const Rank& rank : schedule.ranks) {
      ASSERT_EQ(rank.operations.size(), 3u) << text;
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(rank.operations[i].kind, Kind::kReduce);
        EXPECT_EQ(rank.operations[i].phase, i);
      }
      ASSERT_EQ(rank.dependencies.size(), 2u) << "one after another";
    }
  }
  EXPECT_FALSE(Make("allreduce:ring", 5).reduction.has_value());
}

TEST(Patterns, ThoseOfTheSwitchesHaveTheirKeys) {
  const Reduction plain = *Make("allreduce:sharp", 4).reduction;
  EXPECT_EQ(plain.what, Reduction::What::kAllReduce);
  EXPECT_FALSE(plain.is_short);
  EXPECT_EQ(plain.op, "sum");
  EXPECT_EQ(plain.type, "float32");
  EXPECT_EQ(plain.locked, 0);
  EXPECT_EQ(plain.timeout_ns, 10'000'000);
  EXPECT_FALSE(plain.check);
  const Reduction all =
      *Make("reduce:sharp,op=minloc,type=int64,lock=7,timeout=3us,check=yes,root=2,bytes=64", 4).reduction;
  EXPECT_EQ(all.what, Reduction::What::kReduce);
  EXPECT_EQ(all.op, "minloc");
  EXPECT_EQ(all.type, "int64");
  EXPECT_EQ(all.locked, 7);
  EXPECT_EQ(all.timeout_ns, 3000);
  EXPECT_TRUE(all.check);
  EXPECT_EQ(all.root, 2);
  EXPECT_EQ(Make("allreduce:sharp,lock=each,timeout=0", 4).reduction->locked, 1);
  EXPECT_EQ(Make("allreduce:sharp,lock=each,timeout=0", 4).reduction->timeout_ns, 0);
  EXPECT_TRUE(Make("allreduce:sharp-low,bytes=1MiB", 4).reduction->is_short);
  EXPECT_TRUE(Make("allreduce:sharp-auto", 4).reduction->is_short) << "4096 are not above 4096";
  EXPECT_FALSE(Make("allreduce:sharp-auto,bytes=4100", 4).reduction->is_short);
  EXPECT_EQ(Make("allreduce:sharp-auto,bytes=5000,switch-over=8KiB,lock=3", 4).reduction->locked, 3);
  EXPECT_TRUE(Make("allreduce:sharp-auto,bytes=5000,switch-over=8KiB", 4).reduction->is_short);
  EXPECT_EQ(Make("broadcast:sharp,root=1", 4).reduction->op, "or");
  EXPECT_TRUE(Make("barrier:sharp", 4).reduction->is_short);
}

TEST(Patterns, OnesOfTheSwitchesThatMakeNoSenseAreRefused) {
  EXPECT_THROW(Make("allreduce:sharp,lock=0", 4), UsageError);
  EXPECT_THROW(Make("allreduce:sharp-low,lock=each", 4), UsageError) << "it locks nothing";
  EXPECT_THROW(Make("barrier:sharp,bytes=8", 4), UsageError);
  EXPECT_THROW(Make("barrier:sharp,op=sum", 4), UsageError);
  EXPECT_THROW(Make("reduce:sharp,root=4", 4), UsageError);
  EXPECT_THROW(Make("allreduce:sharp,root=1", 4), UsageError);
  EXPECT_THROW(Make("reduce", 4), UsageError) << "the hosts have none";
  EXPECT_THROW(Make("broadcast:ring", 4), UsageError);
}

TEST(Patterns, CostsOfHostsAreCalcsOfTheirCpu) {
  const auto cycles = [](const std::string& text, int ranks, const HostCosts& costs) {
    const PatternText pattern(text);
    KeyValues keys("--traffic " + pattern.name, pattern.keys);
    const Schedule schedule = MakePattern(pattern, &keys, ranks, 1, costs);
    Check(schedule);
    IdealNetwork network(schedule);
    const Cycle end = network.Run();
    EXPECT_TRUE(network.done());
    return end;
  };
  EXPECT_EQ(cycles("pingpong:iterations=1", 2, {100, 7, 0}), 2 * (100 + 1 + 7));
  EXPECT_EQ(cycles("pingpong:iterations=1", 2, {100, 0, 0}), 2 * 101);
  EXPECT_EQ(cycles("gather", 4, {0, 50, 0}), 1 + 3 * 50) << "one after another";
  // Two ranks: half of the vector is reduced.
  EXPECT_EQ(cycles("allreduce:rabenseifner,bytes=4096", 2, {0, 0, 10}), 2 + 20);
  EXPECT_EQ(cycles("allreduce:ring,bytes=4098", 2, {0, 0, 10}), 2 + 21) << "2049 B, rounded up";
  EXPECT_EQ(cycles("allreduce:rabenseifner,bytes=4096,compute=5ns", 2, {3, 4, 10}), 3 + 1 + 4 + 25 + 3 + 1 + 4);
  EXPECT_EQ(cycles("barrier", 4, {0, 0, 1000}), 2) << "nothing is reduced";
}

TEST(Patterns, BarrierTakesLogarithmicRounds) {
  for (const int n : kCounts)
    EXPECT_EQ(Expect(Make("barrier:iterations=3", n), 0, 3LL * n * RoundsOf(n)), 3 * RoundsOf(n));
}

/// No rank leaves a barrier before all have come.
TEST(Patterns, BarrierHoldsAllUntilTheLastHasCome) {
  for (const int n : {2, 5, 8, 13}) {
    Schedule schedule = Make("barrier", n);
    for (Rank& rank : schedule.ranks) {  // the last rank comes 100 cycles late
      if (&rank != &schedule.ranks.back()) continue;
      const auto calc = static_cast<int>(rank.operations.size());
      for (int i = 0; i < calc; ++i) rank.dependencies.push_back({i, calc, false});
      rank.operations.push_back({Kind::kCalc, 0, -1, 0, 0, 100});
    }
    std::vector<Cycle> ends;
    for (int probed = 0; probed < n; ++probed) {
      Schedule one = schedule;
      one.phases = 2;
      Rank& rank = one.ranks[probed];
      const auto last = static_cast<int>(rank.operations.size());
      rank.operations.push_back({Kind::kCalc, 0, -1, 0, 1, 0});
      for (int i = 0; i < last; ++i) rank.dependencies.push_back({last, i, false});
      IdealNetwork network(one);
      network.Run();
      EXPECT_TRUE(network.done());
      EXPECT_GT(network.statistics.phase_end[1], 100) << "rank " << probed << " of " << n;
    }
  }
}

TEST(Patterns, BroadcastReachesEachOnce) {
  for (const int n : kCounts) {
    for (const int root : {0, n - 1, n / 2}) {
      const Schedule schedule = Make("broadcast:bytes=50,root=" + std::to_string(root), n);
      EXPECT_EQ(Expect(schedule, 50LL * (n - 1), n - 1), RoundsOf(n)) << n;
      for (int r = 0; r < n; ++r) {
        int received = 0;
        for (const Operation& one : schedule.ranks[r].operations) received += one.kind == Kind::kReceive;
        EXPECT_EQ(received, r == root ? 0 : 1);
      }
    }
  }
}

TEST(Patterns, GatherSendsAllToOne) {
  for (const int n : kCounts)
    EXPECT_EQ(Expect(Make("gather:bytes=9,root=1,iterations=4", n), 36LL * (n - 1), 4LL * (n - 1)), 4);
}

TEST(Patterns, RingExchangesWithBothNeighbours) {
  for (const int n : kCounts) {
    // Two messages of a rank an iteration, and a cycle for each.
    EXPECT_EQ(Expect(Make("ring:bytes=9,iterations=3", n), 54LL * n, 6LL * n), 6);
    Expect(Make("ring:bytes=9,iterations=3,order=random", n), 54LL * n, 6LL * n);
    const std::int64_t barrier = static_cast<std::int64_t>(n) * RoundsOf(n);
    EXPECT_EQ(Expect(Make("ring:bytes=9,iterations=3,order=random,sync=yes", n), 54LL * n, 6LL * n + 3 * barrier),
              3 * (2 + RoundsOf(n)));
  }
  EXPECT_EQ(GoalText(Make("ring:order=random", 9, 1)), GoalText(Make("ring:order=random", 9, 1)));
  EXPECT_NE(GoalText(Make("ring:order=random", 9, 1)), GoalText(Make("ring:order=random", 9, 2)));
  EXPECT_NE(GoalText(Make("ring:order=random", 9)), GoalText(Make("ring", 9)));
}

/// Of a rank: for each operation of `kind` the number of the one of `on` that it waits for; -1: none.
std::vector<int> Waits(const Rank& rank, Kind kind, Kind on) {
  std::vector<int> number(rank.operations.size());
  int counts[4] = {};
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = counts[static_cast<int>(rank.operations[i].kind)]++;
  std::vector<int> waits(static_cast<std::size_t>(counts[static_cast<int>(kind)]), -1);
  for (const Dependency& one : rank.dependencies) {
    if (rank.operations[one.operation].kind == kind && rank.operations[one.on].kind == on) waits[number[one.operation]] = number[one.on];
  }
  return waits;
}

TEST(Patterns, GathersInWindowsHaveSoManyMessagesUnderWay) {
  using ::testing::ElementsAre;
  for (const int n : kCounts) {
    for (const char* how : {"gather:two-sided", "gather:put"})
      Expect(Make(std::string(how) + ",bytes=9,root=1,iterations=6,window=2", n), 54LL * (n - 1), 6LL * (n - 1));
  }
  const Schedule two_sided = Make("gather:two-sided,iterations=4,window=3", 2);
  EXPECT_THAT(Waits(two_sided.ranks[1], Kind::kSend, Kind::kSend), ElementsAre(-1, -1, -1, 0));
  EXPECT_THAT(Waits(two_sided.ranks[0], Kind::kReceive, Kind::kReceive), ElementsAre(-1, -1, -1, 0));
  const Schedule put = Make("gather:put,iterations=4,window=2", 2);
  EXPECT_THAT(Waits(put.ranks[1], Kind::kSend, Kind::kSend), ElementsAre(-1, -1, 0, 1));
  EXPECT_THAT(Waits(put.ranks[0], Kind::kReceive, Kind::kReceive), ElementsAre(-1, -1, -1, -1));
}

TEST(Patterns, GetsAreARequestAndAnAnswer) {
  for (const int n : kCounts)
    Expect(Make("broadcast:get,bytes=9,root=1,iterations=6", n), 6LL * (32 + 9) * (n - 1), 12LL * (n - 1));
  EXPECT_EQ(Expect(Make("broadcast:get,bytes=9,iterations=6,window=1", 2), 6 * 41, 12), 12) << "there and back";
  EXPECT_EQ(Expect(Make("broadcast:get,bytes=9,iterations=6,window=6", 2), 6 * 41, 12), 7) << "one behind the other";
}

TEST(Patterns, TheTargetOfAPutOrAGetDoesNoWork) {
  const auto calcs = [](const std::string& text, std::size_t rank) {
    const PatternText pattern(text);
    KeyValues keys("--traffic " + pattern.name, pattern.keys);
    HostCosts costs;
    costs.send_ns = 10;
    costs.receive_ns = 20;
    const Schedule schedule = MakePattern(pattern, &keys, 3, 1, costs);
    const auto& operations = schedule.ranks[rank].operations;
    return std::count_if(operations.begin(), operations.end(), [](const Operation& one) { return one.kind == Kind::kCalc; });
  };
  EXPECT_EQ(calcs("gather:two-sided", 0), 2);
  EXPECT_EQ(calcs("gather:put", 0), 0);
  EXPECT_EQ(calcs("gather:put", 1), 1);
  EXPECT_EQ(calcs("broadcast:get", 0), 0);
  EXPECT_EQ(calcs("broadcast:get", 1), 2);
}

TEST(Patterns, Halo3dExchangesFaces) {
  const auto faces = [](int x, int y, int z) { return 2LL * ((x - 1) * y * z + x * (y - 1) * z + x * y * (z - 1)); };
  Expect(Make("halo3d:bytes=800,iterations=2", 24), 2 * faces(4, 3, 2) * 800, 2 * faces(4, 3, 2));
  Expect(Make("halo3d:bytes=800,grid=24x1x1", 24), faces(24, 1, 1) * 800, faces(24, 1, 1));
  Expect(Make("halo3d:bytes=8,grid=4x2x3,periodic=yes", 24), 24 * 6 * 8, 24 * 6);
  Expect(Make("halo3d:bytes=8,grid=4x6x1,periodic=yes", 24), 24 * 4 * 8, 24 * 4);
  EXPECT_EQ(Expect(Make("halo3d:bytes=1,grid=2x1x1,iterations=5,compute=100ns", 2), 10, 10), 5 * 101);
}

TEST(Patterns, Sweep3dIsAWavefrontFromEachCornerTwice) {
  const auto messages = [](int x, int y, int blocks) { return 8LL * blocks * ((x - 1) * y + x * (y - 1)); };
  Expect(Make("sweep3d:bytes=70,blocks=3,iterations=2", 20), 2 * 70 * messages(5, 4, 3), 2 * messages(5, 4, 3));
  Expect(Make("sweep3d:bytes=70,grid=20x1,blocks=1", 20), 70 * messages(20, 1, 1), messages(20, 1, 1));
  // Two ranks: a block takes 100 cycles of calc and one of the message; the second rank begins after the first.
  Expect(Make("sweep3d:bytes=1,grid=2x1,blocks=1,compute=100ns", 2), 8, 8);
}

TEST(Patterns, GoalTextIsReadAsTheSameSchedule) {
  for (const char* text :
       {"alltoall:window=2", "allreduce:rabenseifner,compute=5ns", "halo3d:compute=7ns", "sweep3d", "barrier"}) {
    const Schedule schedule = Make(text, 12);
    const Schedule again = ParseGoal(GoalText(schedule), "again");
    EXPECT_EQ(GoalText(again), GoalText(schedule));
    IdealNetwork first(schedule), second(again);
    EXPECT_EQ(first.Run(), second.Run());
  }
}

TEST(Patterns, RefusalsNameKeyAndRemedy) {
  const auto refused = [](const std::string& text, int ranks, const std::vector<std::string>& words) {
    try {
      Make(text, ranks);
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      for (const std::string& word : words) EXPECT_THAT(error.what(), testing::HasSubstr(word)) << text;
    }
  };
  refused("alltoal", 4, {"alltoall"});
  refused("alltoall:byte=4", 4, {"'byte'", "'bytes'"});
  refused("alltoall:bytes=-4", 4, {"bytes", "'-4'"});
  refused("alltoall:order=rnd", 4, {"order", "random"});
  refused("alltoall:window=4", 4, {"window=4", "between 1 and 3"});
  refused("alltoall", 1, {"1 ranks", "two"});
  refused("pingpong", 3, {"3 ranks", "even"});
  refused("allreduce", 4, {"allreduce:ring"});
  refused("allreduce:rign", 4, {"ring"});
  refused("allreduce:ring:bytes=8,compute=5ns", 4, {"comma", "allreduce:ring,bytes=8,compute=5ns"});
  refused("broadcast:sharp:bytes=8", 4, {"broadcast:sharp,bytes=8"});
  refused("broadcast:root=4", 4, {"root=4", "0 and 3"});
  refused("halo3d:grid=2x2", 8, {"grid=2x2", "3 sizes"});
  refused("halo3d:grid=2x2x3", 8, {"12 places for 8 ranks", "ranks=12"});
  refused("stream:every=5", 8, {"every", "'5'", "250ns"});
  refused("stream", 5, {"no pairs", "an even number"});
  refused("sweep3d:compute=5", 8, {"compute", "'5'", "250ns"});
}

}  // namespace
}  // namespace tilefly::workload
