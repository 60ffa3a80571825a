// SPDX-License-Identifier: Apache-2.0
// Verdicts of systems: loads around bounds that follow from their links on paper, a class and a source that are not
// like the others, traffic that ends with a verdict.
#include "network/steadiness.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>

#include "support/random.h"
#include "testbenches/network/routed_run.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

Steadiness JudgementOf(const Network& network, const Figures& figures) {
  const NicSetup& nics = network.nics();
  return JudgeSteadiness(figures.statistics.history, nics.history,
                         {network.options().warmup, network.judged_to() - nics.begin})
      .value();
}

Steadiness JudgementOf(const topology::Topology& topology, const NetworkOptions& options) {
  Network network(topology, options);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  return JudgementOf(network, Figures(network));
}

const char* NameOf(SteadyVerdict verdict) {
  if (verdict == SteadyVerdict::kUndecided) return "undecided";
  return verdict == SteadyVerdict::kConverged ? "converged" : "saturated";
}

/// BookSim calls a run unstable whose mean latency is above `latency_thres`, 500 cycles when nothing is given.
constexpr double kBookSimLatency = 500;

struct BoundedSystem {
  const char* topology;
  const char* routing;
  const char* pattern;
  double bound;  ///< load at which the first link is full
};

/// The link from a group of 8 to the next; one of the links among groups of 16 of 80 endpoints; the NIC that 71 others
/// send to; by detours over drawn groups, of five of which two are source or destination: the direct link has 2/5 of
/// what 16 endpoints send, each other link 1/5 from its own group and 1/5 on the way through.
constexpr BoundedSystem kBounded[] = {{"dragonfly:p=2,a=4,h=2", "min", "adversarial:1", 1.0 / 8},
                                      {"dragonfly:p=4,a=4,h=1", "min", "uniform", 79.0 / 256},
                                      {"dragonfly:p=2,a=4,h=2", "min", "incast:0", 1.0 / 71},
                                      {"dragonfly:p=4,a=4,h=1", "valiant", "adversarial:1", 1 / 6.4}};

TEST(Steadiness, LoadsAroundSaturationAreJudgedRight) {
  const int seeds = Tier() == bench::Tier::kFull ? 5 : Tier() == bench::Tier::kCi ? 2 : 1;
  int judged = 0, undecided = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    for (const BoundedSystem& system : kBounded) {
      const topology::Topology topology = topology::Build(system.topology);
      for (const double share : {0.8, 0.9, 0.95, 1.05, 1.15}) {
        NetworkOptions options = With(system.routing, system.pattern, share * system.bound, 100000);
        options.seed = static_cast<std::uint64_t>(seed);
        const Steadiness steadiness = JudgementOf(topology, options);
        const BatchMeans& latency = steadiness.parts.front().latency;
        fmt::print("{} {} {} at {:.2f} of the bound: {}, mean latency {:.0f} +- {:.0f} cycles; BookSim: {}\n",
                   system.topology, system.routing, system.pattern, share, NameOf(steadiness.verdict), latency.mean,
                   latency.half_width, latency.mean > kBookSimLatency ? "unstable" : "stable");
        ++judged;
        undecided += steadiness.verdict == SteadyVerdict::kUndecided;
        EXPECT_NE(steadiness.verdict, share < 1 ? SteadyVerdict::kSaturated : SteadyVerdict::kConverged)
            << system.topology << " " << system.pattern << " " << share << " seed " << seed;
      }
    }
  }
  EXPECT_EQ(judged, 20 * seeds);
  EXPECT_LE(10 * undecided, judged) << "more than one in ten";
}

/// Sources that send packets of 16 words at drawn times over queues of their own, which pass a word every `slow`
/// cycles.
class Queues {
 public:
  static constexpr Cycle kCycles = 100000;
  static constexpr Cycle kWarmup = 20000;
  static constexpr int kWords = 16;

  explicit Queues(int sources) : random_(1) { history_.KeepSources(static_cast<std::size_t>(sources)); }

  void Add(int source, int tc, double load, double slow) {
    double created = 0, free = 0;
    for (;;) {
      created -= kWords / load * std::log(1 - std::uniform_real_distribution<double>()(random_));
      if (created >= kCycles) return;
      free = std::max(free, created) + slow * kWords;
      const auto at = static_cast<Cycle>(created), last = static_cast<Cycle>(free);
      history_.Create(cut_, tc, source, at, kWords);
      history_.Send(cut_, tc, last - kWords, kWords);
      history_.Receive(cut_, tc, source, last, kWords, last - at);
    }
  }
  Steadiness Judgement() const { return JudgeSteadiness(history_, cut_, {kWarmup, kCycles}).value(); }

 private:
  std::mt19937_64 random_;
  HistoryCut cut_ = HistoryCut::For(0, kCycles);
  TrafficHistory history_;
};

TEST(Steadiness, OneStarvedSourceIsFound) {
  Queues queues(256);
  for (int source = 0; source < 256; ++source) queues.Add(source, 0, 0.2, 1);
  EXPECT_EQ(queues.Judgement().verdict, SteadyVerdict::kConverged);
  EXPECT_TRUE(queues.Judgement().starved.empty());
  Queues with(256);
  for (int source = 0; source < 256; ++source) with.Add(source, 0, 0.2, source == 77 ? 7 : 1);
  EXPECT_EQ(with.Judgement().starved, std::vector<int>{77});
  EXPECT_EQ(with.Judgement().verdict, SteadyVerdict::kSaturated);
}

TEST(Steadiness, TheWorstClassDecides) {
  Queues queues(64);
  for (int source = 0; source < 64; ++source) {
    queues.Add(source, 1, 0.3, 1);
    queues.Add(source, 4, 0.01, 101);
  }
  const Steadiness steadiness = queues.Judgement();
  ASSERT_EQ(steadiness.parts.size(), 3u);
  EXPECT_EQ(steadiness.parts[1].tc, 1);
  EXPECT_EQ(steadiness.parts[1].verdict, SteadyVerdict::kConverged);
  EXPECT_EQ(steadiness.parts[2].tc, 4);
  EXPECT_NE(steadiness.parts[2].verdict, SteadyVerdict::kConverged);
  EXPECT_EQ(steadiness.verdict, steadiness.parts[2].verdict);
  EXPECT_EQ(steadiness.worst_part, 2u);
}

/// What is missing is many times its uncertainty, and its batches are correlated however long they are.
TEST(Steadiness, AnySaturatedLoadIsSaturatedAndNotOnlyWhatIsNearIt) {
  const topology::Topology topology = topology::Build("dragonfly:p=4,a=4,h=1");
  for (const double load : {0.4, 0.6, 0.8}) {
    EXPECT_EQ(JudgementOf(topology, With("adaptive_0", "uniform", load, 60000)).verdict, SteadyVerdict::kSaturated)
        << load;
  }
}

/// Uniform traffic on a balanced dragonfly has no bound below 0.97.
TEST(Steadiness, ANetworkThatStillFillsIsNotSaturated) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const double load : {0.94, 0.96}) {
      NetworkOptions options = With("min", "uniform", load, 8192);
      options.warmup = 4000;
      options.seed = seed;
      EXPECT_NE(JudgementOf(topology, options).verdict, SteadyVerdict::kSaturated) << load << ", seed " << seed;
    }
  }
}

TEST(Steadiness, ARunInWhichNothingIsReceivedStarvesNoSource) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const Cycle cycles : {500, 600, 700}) {
    const Steadiness steadiness = JudgementOf(topology, With("min", "uniform", 0.5, cycles));
    EXPECT_EQ(steadiness.verdict, SteadyVerdict::kUndecided) << cycles;
    EXPECT_TRUE(steadiness.starved.empty()) << cycles;
  }
}

TEST(Steadiness, AShortRunIsUndecidedAndSaysWhy) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const Steadiness filling = JudgementOf(topology, With("min", "uniform", 0.3, 2000));
  EXPECT_EQ(filling.verdict, SteadyVerdict::kUndecided) << "its packets take most of the run";
  EXPECT_EQ(filling.worst().doubt, SteadyDoubt::kTooShort);
  const Steadiness empty = JudgementOf(topology, With("min", "uniform", 0.3, 300));
  EXPECT_EQ(empty.worst().doubt, SteadyDoubt::kTooShort);
  NetworkOptions hasty = With("min", "uniform", 0.3, 20000);
  hasty.warmup = 200;
  const Steadiness early = JudgementOf(topology, hasty);
  EXPECT_EQ(early.verdict, SteadyVerdict::kUndecided);
  EXPECT_EQ(early.worst().doubt, SteadyDoubt::kLongWarmUp);
  EXPECT_GT(early.worst().warm_up.value(), 1000);
  hasty.warmup = 4000;
  EXPECT_EQ(JudgementOf(topology, hasty).verdict, SteadyVerdict::kConverged);
}

/// What classes drop does not wait.
TEST(Steadiness, WordsThatAreDroppedDoNotWait) {
  Queues queues(8);
  for (int source = 0; source < 8; ++source) queues.Add(source, 0, 0.3, 1);
  HistoryCut cut = HistoryCut::For(0, Queues::kCycles);
  TrafficHistory history;
  history.KeepSources(1);
  Stream stream(1, 0, 0, Purpose::kOrder);
  for (Cycle at = 0; at < Queues::kCycles; at += 50) {
    history.Create(cut, 0, 0, at, 16);
    history.Send(cut, 0, at, 16);
    if (stream.Below(2) == 0) {
      history.Lose(cut, 0, 0, at + 20, 16);
    } else {
      history.Receive(cut, 0, 0, at + 20, 16, 20 + static_cast<Cycle>(stream.Below(8)));
    }
  }
  const Steadiness steadiness = JudgeSteadiness(history, cut, {Queues::kWarmup, Queues::kCycles}).value();
  EXPECT_EQ(steadiness.verdict, SteadyVerdict::kConverged);
  EXPECT_NEAR(steadiness.parts[0].missing.mean, 0.16, 0.01);
  EXPECT_TRUE(steadiness.starved.empty());
}

TEST(TrafficHistory, FoldedItIsWhatLongerBinsCount) {
  HistoryCut fine = HistoryCut::For(100, 20000), coarse = HistoryCut::For(100, 300000);
  fine.end = coarse.end = 21000;
  ASSERT_LT(fine.shift, coarse.shift);
  ASSERT_LT(fine.source_shift, coarse.source_shift);
  TrafficHistory one, other;
  for (TrafficHistory* history : {&one, &other}) {
    history->KeepSources(3);
    const HistoryCut& cut = history == &one ? fine : coarse;
    Stream stream(7, 0, 0, Purpose::kOrder);
    for (Cycle at = 100; at < 20100; at += 1 + static_cast<Cycle>(stream.Below(30))) {
      const int source = static_cast<int>(stream.Below(3)), tc = static_cast<int>(stream.Below(2));
      history->Create(cut, tc, source, at, 5);
      history->Send(cut, tc, at + 3, 5);
      if (at % 7 == 0) {
        history->Lose(cut, tc, source, at + 400, 5);
      } else {
        history->Receive(cut, tc, source, at + 500, 5, 500);
      }
    }
  }
  EXPECT_NE(Text(one), Text(other));
  one.Fold(fine, coarse);
  EXPECT_EQ(Text(one), Text(other));
}

/// Traffic ends when the network has converged or is saturated.
void EndWhenJudged(Network* network) {
  network->EndTrafficWhen([network](const TrafficHistory& history, Cycle end) {
    const NicSetup& nics = network->nics();
    return JudgeSteadiness(history, nics.history, {network->options().warmup, end - nics.begin})->verdict !=
           SteadyVerdict::kUndecided;
  });
}

/// Such a run as the first process sees it.
std::string RunUntilJudged(int size, const topology::Topology& topology, const NetworkOptions& options,
                           Steadiness* steadiness, Cycle* traffic) {
  std::string text;
  OnThreads(size, [&](Processes& processes) {
    Network network(topology, options, &processes);
    EndWhenJudged(&network);
    const Ending ending = network.Run();
    const Figures figures(network);
    if (!processes.first()) return;
    text = Text(network, ending, figures);
    *steadiness = JudgementOf(network, figures);
    *traffic = network.nics().end - network.nics().begin;
  });
  return text;
}

TEST(UntilJudged, TrafficEndsWithAVerdictOrAtTheCap) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  struct Case {
    double load;
    Cycle most;
    SteadyVerdict verdict;
  };
  for (const Case& one : {Case{0.1, 1000000, SteadyVerdict::kConverged}, Case{0.2, 1000000, SteadyVerdict::kSaturated},
                          Case{0.12, 7000, SteadyVerdict::kUndecided}}) {
    NetworkOptions options = With("min", "adversarial:1", one.load, one.most);
    options.warmup = 4000;
    Steadiness steadiness, again;
    Cycle traffic = 0;
    const std::string text = RunUntilJudged(1, topology, options, &steadiness, &traffic);
    EXPECT_EQ(steadiness.verdict, one.verdict) << one.load;
    if (one.verdict == SteadyVerdict::kUndecided) {
      EXPECT_EQ(traffic, one.most);
    } else {
      EXPECT_LT(traffic, 60000) << one.load;
    }
    EXPECT_EQ(RunUntilJudged(3, topology, options, &again, &traffic), text) << "on three processes";
    // The same system whose traffic has this end from the start.
    if (one.verdict == SteadyVerdict::kUndecided) continue;
    options.cycles = traffic;
    Network fixed(topology, options);
    EXPECT_EQ(fixed.Run(), Ending::kDrained);
    const std::string same = Text(fixed, Ending::kDrained, Figures(fixed));
    EXPECT_EQ(same.substr(0, same.find("batch")), text.substr(0, text.find("batch")));
  }
}

/// Before the first judgement, after one that decided nothing, and after the last.
TEST(UntilJudged, GoesOnFromACheckpoint) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = With("min", "adversarial:1", 0.124, 40000);
  options.warmup = 4000;
  Steadiness steadiness;
  Cycle traffic = 0;
  const std::string whole = RunUntilJudged(1, topology, options, &steadiness, &traffic);
  ASSERT_GT(traffic, 9216) << "the first judgement is to decide nothing";
  for (const Cycle at : {Cycle{7000}, Cycle{9000}, traffic - 500}) {
    std::deque<SavedBytes> pieces;
    Network first(topology, options);
    EndWhenJudged(&first);
    ASSERT_FALSE(first.RunTo(first.nics().begin + at));
    first.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
    Network second(topology, options);
    second.Load([&] {
      SavedBytes piece = std::move(pieces.front());
      pieces.pop_front();
      return piece;
    });
    EndWhenJudged(&second);
    const Ending ending = second.Run();
    EXPECT_EQ(Text(second, ending, Figures(second)), whole) << at;
  }
}

}  // namespace
}  // namespace tilefly::network
