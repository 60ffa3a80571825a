// SPDX-License-Identifier: Apache-2.0
// The rule of steady states on series whose means are known: queues of one server, steps, trends.
#include "support/steady_state.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace tilefly {
namespace {

double Drawn(std::mt19937_64* random, double mean) {
  return -mean * std::log(1 - static_cast<double>((*random)() >> 11) * 0x1p-53);
}

struct Queue {
  double load;
  double time;
  bool fixed_service;

  double mean() const { return fixed_service ? 1 + load / (2 * (1 - load)) : 1 / (1 - load); }
};

/// Customers of a queue with one server, in the order in which they leave it; served in time 1 on the average.
class Customers {
 public:
  Customers(std::uint64_t seed, const Queue& queue) : random_(seed), queue_(queue) {}

  /// Times in the system of those that have left before `time`, in a thousand bins.
  Series Until(double time) {
    constexpr std::size_t kBins = 1000;
    while (left_.empty() || left_.back().when < time) Serve();
    Series series(kBins);
    for (const Left& customer : left_) {
      if (customer.when >= time) break;
      SeriesBin& bin = series[static_cast<std::size_t>(customer.when / time * kBins)];
      bin.sum += customer.stayed;
      bin.weight += 1;
    }
    return series;
  }

 private:
  struct Left {
    double when, stayed;
  };

  void Serve() {
    came_ += Drawn(&random_, 1 / queue_.load);
    const double begins = left_.empty() ? came_ : std::max(left_.back().when, came_);
    const double ends = begins + (queue_.fixed_service ? 1 : Drawn(&random_, 1));
    left_.push_back({ends, ends - came_});
  }

  std::mt19937_64 random_;
  Queue queue_;
  double came_ = 0;
  std::vector<Left> left_;
};

/// `first` of a series, in time, left out.
BatchMeans MeansBehind(Series series, double first, double time) {
  const double bins = std::ceil(first / time * static_cast<double>(series.size()));
  series.erase(series.begin(), series.begin() + static_cast<std::ptrdiff_t>(bins));
  return BatchMeansOf(series, 0.95);
}

class Coverage : public testing::TestWithParam<Queue> {};

TEST_P(Coverage, IntervalsHoldTheMeanOfAQueue) {
  constexpr int kSeeds = 200;
  const Queue& queue = GetParam();
  int known = 0, held = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Customers customers(static_cast<std::uint64_t>(seed), queue);
    const BatchMeans means = MeansBehind(customers.Until(queue.time), queue.time / 5, queue.time);
    if (!means.known()) continue;
    ++known;
    held += std::abs(means.mean - queue.mean()) <= means.half_width;
  }
  fmt::print("{} of {} intervals hold the mean\n", held, known);
  EXPECT_GE(known, kSeeds * 9 / 10);
  EXPECT_GE(held, known * 0.90);
  EXPECT_LE(held, known * 0.99);
}

class UntilConverged : public testing::TestWithParam<Queue> {};

/// `time` of the queue is that of the first look; each next one is a quarter later, as with --until converged.
TEST_P(UntilConverged, IntervalsAtTheFirstLookThatIsSureHoldTheMeanOfAQueue) {
  constexpr int kSeeds = 200;
  const Queue& queue = GetParam();
  int held = 0;
  double at_the_end = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Customers customers(static_cast<std::uint64_t>(seed), queue);
    BatchMeans means;
    double time = queue.time / 1.25;
    do {
      time *= 1.25;
      ASSERT_LT(time, 1e7);
      means = MeansBehind(customers.Until(time), 0.8 * queue.time, time);
    } while (!means.known() || means.half_width > 0.05 * means.mean);
    held += std::abs(means.mean - queue.mean()) <= means.half_width;
    at_the_end += time / kSeeds;
  }
  fmt::print("{} of {} intervals hold the mean; looks end at {:.0f} on the average\n", held, kSeeds, at_the_end);
  EXPECT_GE(held, kSeeds * 0.90);
  EXPECT_LE(held, kSeeds * 0.99);
}

INSTANTIATE_TEST_SUITE_P(OfQueues, UntilConverged,
                         testing::Values(Queue{0.5, 2000, false}, Queue{0.5, 2000, true}, Queue{0.8, 2000, true}));

INSTANTIATE_TEST_SUITE_P(OfQueues, Coverage,
                         testing::Values(Queue{0.5, 3e4, false}, Queue{0.8, 1e5, false}, Queue{0.5, 3e4, true},
                                         Queue{0.8, 1e5, true}));

Series SeriesWith(std::size_t bins, double (*mean)(double share)) {
  std::mt19937_64 random(3);
  Series series;
  for (std::size_t i = 0; i < bins; ++i)
    series.push_back({mean(static_cast<double>(i) / static_cast<double>(bins)) + Drawn(&random, 1), 1});
  return series;
}

TEST(WarmUp, EndsWhereAStepIsOver) {
  for (const std::size_t bins : {100u, 1000u}) {
    const auto from = WarmUpOf(SeriesWith(bins, [](double at) { return at < 0.3 ? 100.0 : 10.0; }));
    ASSERT_TRUE(from);
    EXPECT_GE(*from, bins * 3 / 10);
    EXPECT_LE(*from, bins * 35 / 100);
  }
}

TEST(WarmUp, IsNotFoundWhenItIsMoreThanHalf) {
  EXPECT_FALSE(WarmUpOf(SeriesWith(1000, [](double at) { return at < 0.7 ? 100.0 : 10.0; })));
  EXPECT_FALSE(WarmUpOf(SeriesWith(1000, [](double at) { return 1000 * at; })));
  EXPECT_FALSE(WarmUpOf(SeriesWith(30, [](double) { return 1.0; }))) << "too few";
  EXPECT_FALSE(WarmUpOf(Series(1000))) << "nothing came";
}

TEST(WarmUp, BinsBeforeTheFirstWeightBelongToIt) {
  Series series = SeriesWith(1000, [](double) { return 5.0; });
  for (std::size_t i = 0; i < 40; ++i) series[i] = {};
  EXPECT_GE(WarmUpOf(series).value(), 40u);
  for (std::size_t i = 0; i < 1000; i += 2) series[i] = {};
  EXPECT_LE(WarmUpOf(series).value(), 200u) << "a bin without weight is no zero";
}

TEST(BatchMeans, NeverSettleOnATrend) {
  const BatchMeans means = BatchMeansOf(SeriesWith(1000, [](double at) { return 20 * at; }), 0.95);
  EXPECT_FALSE(means.settled());
  EXPECT_FALSE(means.known());
  EXPECT_GT(means.correlation, 0.5);
}

/// Of a series in which each value is so much of the one before, and something drawn.
Series SeriesOfCorrelation(std::uint64_t seed, double correlation) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> drawn;
  Series series;
  double value = drawn(random) / std::sqrt(1 - correlation * correlation);
  for (int i = 0; i < 1000; ++i) {
    series.push_back({value, 1});
    value = correlation * value + drawn(random);
  }
  return series;
}

TEST(BatchMeans, ThatStayCorrelatedHaveAWiderIntervalThatHoldsTheMean) {
  constexpr int kSeeds = 400;
  int unsettled = 0, held = 0;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const BatchMeans means = BatchMeansOf(SeriesOfCorrelation(static_cast<std::uint64_t>(seed), 0.98), 0.95);
    if (means.settled() || !means.known()) continue;
    EXPECT_LT(means.batches, 12) << "batches were made as long as they can be";
    ++unsettled;
    held += std::abs(means.mean) <= means.half_width;
  }
  fmt::print("{} of {} intervals hold the mean\n", held, unsettled);
  EXPECT_GE(unsettled, kSeeds / 10);
  EXPECT_GE(held, unsettled * 0.90);
}

TEST(BatchMeans, OfIndependentValuesAreTheTextbookInterval) {
  const BatchMeans means =
      BatchMeansOf({{1, 1}, {3, 1}, {2, 1}, {2, 1}, {3, 1}, {1, 1}, {1, 1}, {3, 1}, {2, 1}, {2, 1}}, 0.95);
  EXPECT_EQ(means.batches, 10);
  EXPECT_DOUBLE_EQ(means.mean, 2);
  EXPECT_NEAR(means.half_width, 2.2622 * std::sqrt(6.0 / 9 / 10), 1e-3);
  EXPECT_DOUBLE_EQ(means.correlation, -2.0 / 6);
}

TEST(BatchMeans, WeighBins) {
  Series series;
  for (int i = 0; i < 20; ++i) series.push_back({i % 2 == 0 ? 30.0 : 1.0, i % 2 == 0 ? 3.0 : 1.0});
  EXPECT_DOUBLE_EQ(BatchMeansOf(series, 0.95).mean, 31.0 / 4);
  EXPECT_EQ(BatchMeansOf(Series(20), 0.95).batches, 0) << "no weight";
  EXPECT_EQ(BatchMeansOf(Series(9, {1, 1}), 0.95).batches, 0) << "too few";
}

}  // namespace
}  // namespace tilefly
