// SPDX-License-Identifier: Apache-2.0
// "What an error costs" of docs/blocks/retry.md: the closed forms against the blocks. The formulas are written here
// anew.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "testbenches/bench/settings.h"
#include "testbenches/retry/retry_link.h"

namespace tilefly::bench {
namespace {

constexpr int kTimer = 4096;

int Ceil(int a, int b) { return (a + b - 1) / b; }

/// A link over which packets of one length go back to back.
struct Case {
  int words;  ///< n
  int delay;  ///< D
  int lanes;  ///< m
  /// P, cycles
  int time() const { return Ceil(4 * words, lanes); }
  /// j, packets that are sent again when word k is bad
  int packets(int k) const { return Ceil(2 * delay + 6 + 4 * k / lanes, time()); }
  std::string name() const {
    return "n = " + std::to_string(words) + ", D = " + std::to_string(delay) + ", m = " + std::to_string(lanes);
  }
};

RetrySetup SetupOf(const Case& c, int depth) {
  RetrySetup setup;
  setup.out.depth = depth;
  setup.delay = c.delay;
  setup.mac.shortest = setup.mac.longest = c.words;
  return setup;
}

/// A link that is busy, with counts of what it did.
class BusyLink {
 public:
  BusyLink(const Case& c, int depth, std::uint32_t seed) : link(SetupOf(c, depth), Stimulus(seed)) {
    link.to_sender.lanes = link.to_receiver.lanes = c.lanes;
    link.to_sender.replay_timer_max = kTimer;
  }
  void Step() {
    link.Step();
    words_again += link.from_sender.repeated;
    nacks += link.from_receiver.bad || link.from_receiver.missing;
    timeouts += link.from_sender.timeout;
    came += link.to_receiver.word.valid;
    if (link.from_sender.start && !link.from_sender.again) {
      if (started == 0) first_start = link.cycle;
      last_start = link.cycle;
      ++started;
    }
  }
  void Run(Cycle cycles) {
    for (Cycle i = 0; i < cycles; ++i) Step();
  }

  RetryLink link;
  std::int64_t words_again = 0, nacks = 0, timeouts = 0, came = 0, started = 0;
  Cycle first_start = 0, last_start = 0;
};

/// The words sent again, and the cycles that new packets start later.
void ExpectCost(const Case& c, int k) {
  BusyLink busy(c, 4096, 1);
  const Cycle loop = 2 * c.delay + 3 * c.time() + 40;
  busy.Run(loop);
  // The words come in order, so the next to come is word `came` modulo n of its packet.
  const auto ahead = static_cast<int>(busy.came % c.words);
  busy.link.words.BadAfter((k - ahead + c.words) % c.words);
  busy.Run(4 * loop);
  const int j = c.packets(k);
  ASSERT_EQ(busy.nacks, 1) << c.name() << ", k = " << k;
  ASSERT_EQ(busy.timeouts, 0) << c.name() << ", k = " << k;
  ASSERT_EQ(busy.words_again, j * c.words) << c.name() << ", k = " << k;
  ASSERT_EQ(busy.last_start - busy.first_start - (busy.started - 1) * c.time(), j * c.time() + 1)
      << c.name() << ", k = " << k;
  ASSERT_EQ(busy.link.audit.Message(), "");
}

TEST(RetryCost, OfAnIsolatedErrorIsTheFormulasForEveryWord) {
  for (const int delay : {210, 591}) {
    for (const int words : {3, 33, 133}) {
      for (int k = 0; k < words; ++k) {
        ExpectCost({words, delay, 4}, k);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(RetryCost, OfAnIsolatedErrorIsTheFormulasWithFewerLanesAndOtherDelays) {
  for (const int lanes : {1, 2, 3, 4}) {
    for (const int delay : {1, 2, 37, 210}) {
      for (const int words : {1, 2, 5, 33}) {
        const int step = words > 5 ? 8 : 1;
        for (int k = 0; k < words; k += step) {
          ExpectCost({words, delay, lanes}, k);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

/// "Throughput": without errors nothing waits for room.
TEST(RetryCost, WithoutErrorsTheLinkIsNeverIdleWithThePagesBuffer) {
  for (const int lanes : {1, 2, 3, 4}) {
    for (const int delay : {1, 210, 591}) {
      for (const int words : {2, 3, 33, 100, 132, 133}) {
        const Case c{words, delay, lanes};
        BusyLink busy(c, 2 * delay + 2 * 133 + 8 + 10, 1);
        busy.Run(20 * delay + 20 * c.time());
        EXPECT_EQ(busy.last_start - busy.first_start, (busy.started - 1) * c.time()) << c.name();
        EXPECT_EQ(busy.words_again, 0) << c.name();
      }
    }
  }
}

TEST(RetryCost, PagesTableOfWordsSentAgain) {
  struct Line {
    int words, delay, least, most, mean;
  };
  for (const Line& line :
       {Line{3, 210, 426, 429, 428}, Line{33, 210, 429, 462, 458}, Line{133, 210, 532, 665, 558},
        Line{3, 591, 1188, 1191, 1190}, Line{33, 591, 1188, 1221, 1220}, Line{133, 591, 1197, 1330, 1320}}) {
    const Case c{line.words, line.delay, 4};
    int sum = 0;
    for (int k = 0; k < c.words; ++k) {
      const int again = c.packets(k) * c.words;
      sum += again;
      EXPECT_TRUE(again == line.least || again == line.most) << c.name() << ", k = " << k << ": " << again;
    }
    EXPECT_EQ(sum, line.mean * c.words) << c.name();
    EXPECT_EQ(line.mean, 2 * c.delay + 6 + c.words - 1) << c.name();
  }
}

TEST(RetryCost, PagesMeanIsTheSumOverTheWords) {
  for (const int lanes : {1, 2, 4}) {
    for (const int delay : {1, 17, 210, 591}) {
      for (int words = 1; words <= 133; ++words) {
        const Case c{words, delay, lanes};
        int sum = 0;
        for (int k = 0; k < words; ++k) sum += c.packets(k);
        EXPECT_EQ(sum, Ceil((2 * delay + 6) * lanes, 4) + words - 1) << c.name();
      }
    }
  }
}

/// Words sent again, in the mean over errors whose word is drawn evenly.
TEST(RetryCost, MeanOverManyErrorsIsTheFormulas) {
  constexpr std::int64_t kErrors = 1000;
  std::vector<Case> cases = {{33, 210, 2}, {33, 210, 1}};
  for (const int delay : {210, 591}) {
    for (const int words : {3, 33, 133}) cases.push_back({words, delay, 4});
  }
  for (const Case& c : cases) {
    BusyLink busy(c, 4096, 7);
    const Stimulus random(SeedOf(RootSeed(), CurrentTest()));
    const int in_vain =
        Ceil((2 * c.delay + 6) * c.lanes, 4) + 3 * c.words;  // words that come until the replay, at most
    const auto next = [&] {
      const auto more = random.Below(static_cast<std::uint64_t>(4 * c.words), "gap", busy.nacks);
      busy.link.words.BadAfter(in_vain + static_cast<std::int64_t>(more));
    };
    next();
    while (busy.nacks < kErrors) {
      busy.Step();
      if (busy.link.from_receiver.bad) next();
    }
    busy.Run(6 * c.delay + 10 * c.time());
    const double measured = static_cast<double>(busy.words_again) / static_cast<double>(busy.nacks);
    const double formula = Ceil((2 * c.delay + 6) * c.lanes, 4) + c.words - 1;
    EXPECT_NEAR(measured / formula, 1, 0.02) << c.name();
    EXPECT_EQ(busy.timeouts, 0) << c.name();
    std::printf("    %s: %.2f words again for an error, formula %.0f, %lld errors\n", c.name().c_str(), measured,
                formula, static_cast<long long>(busy.nacks));
  }
}

/// The costs of the efficiency formula, in cycles.
struct Costs {
  Costs(const Case& c, double ber) {
    const double q = 1 - std::pow(1 - ber, 256);
    good = std::pow(1 - q, c.words);
    mean = 0;
    for (int k = 0; k < c.words; ++k) {
      mean += (c.packets(k) * c.time() + 1) * std::pow(1 - q, k) * q / (1 - good);
    }
    const double first = c.packets(0) * c.time() + 1;
    const double behind = mean + q / (1 - good) * (timer - first);  // C_1
    efficiency = c.time() / (c.time() + (1 - good) * (mean + (1 - good) / good * behind));
  }
  double good;                ///< a
  double mean;                ///< C
  double timer = kTimer + 2;  ///< C_T
  double efficiency;          ///< before anything has happened
};

/// Efficiency at a bit error rate, against the formula with the errors that happened.
void ExpectEfficiency(const Case& c, double ber, Cycle cycles) {
  BusyLink busy(c, c.words == 133 && c.delay == 591 ? 2048 : 1536,
                SeedOf(RootSeed(), CurrentTest()) + c.words + c.delay);
  busy.link.to_sender.replay_ct_max = 255;
  busy.Run(4 * c.delay);
  busy.link.words.Set({0, 1 - std::pow(1 - ber, 256), 0, 0, 1});
  const std::int64_t accepted = busy.link.checker.accepted(), nacks = busy.nacks, timeouts = busy.timeouts;
  busy.Run(cycles);
  ASSERT_EQ(busy.link.audit.Message(), "");
  const Costs costs(c, ber);
  const auto useful = static_cast<double>((busy.link.checker.accepted() - accepted) * c.time());
  const double lost = static_cast<double>(busy.nacks - nacks) * costs.mean +
                      static_cast<double>(busy.timeouts - timeouts) * costs.timer;
  const double measured = useful / static_cast<double>(cycles);
  const double formula = useful / (useful + lost);
  EXPECT_NEAR(measured / formula, 1, 0.01) << c.name() << ", BER " << ber;
  std::printf("    %s, BER %.0e: efficiency %.4f; %.4f with the %lld + %lld errors that happened, %.4f expected\n",
              c.name().c_str(), ber, measured, formula, static_cast<long long>(busy.nacks - nacks),
              static_cast<long long>(busy.timeouts - timeouts), costs.efficiency);
}

TEST(RetryEfficiency, IsTheFormulasWithTheErrorsThatHappened) {
  if (TierFromEnvironment() == Tier::kQuick) GTEST_SKIP() << "some seconds, a minute with sanitizers: from tier ci on";
  const Cycle cycles = TierFromEnvironment() == Tier::kFull ? 20'000'000 : 1'000'000;
  for (const int delay : {210, 591}) {
    for (const int words : {3, 33, 133}) {
      for (const double ber : {1e-8, 1e-7, 1e-6, 1e-5}) ExpectEfficiency({words, delay, 4}, ber, cycles);
    }
  }
}

TEST(RetryEfficiency, PagesTable) {
  struct Line {
    int delay, words;
    double of[4];
  };
  constexpr double kBer[] = {1e-8, 1e-7, 1e-6, 1e-5};
  for (const Line& line :
       {Line{210, 3, {0.9989, 0.9891, 0.9008, 0.4702}}, Line{210, 33, {0.9988, 0.9884, 0.8943, 0.4443}},
        Line{210, 133, {0.9986, 0.9859, 0.8728, 0.3674}}, Line{591, 3, {0.9970, 0.9704, 0.7662, 0.2451}},
        Line{591, 33, {0.9969, 0.9697, 0.7610, 0.2336}}, Line{591, 133, {0.9966, 0.9672, 0.7440, 0.1982}}}) {
    const Case c{line.words, line.delay, 4};
    for (int i = 0; i < 4; ++i) {
      EXPECT_NEAR(Costs(c, kBer[i]).efficiency, line.of[i], 0.00005) << c.name() << ", BER " << kBer[i];
    }
  }
}

}  // namespace
}  // namespace tilefly::bench
