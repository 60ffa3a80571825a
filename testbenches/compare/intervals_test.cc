// SPDX-License-Identifier: Apache-2.0
#include "runs/compare/intervals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "support/steady_state.h"

namespace tilefly::runs {
namespace {

using Json = nlohmann::ordered_json;

TEST(DifferenceOfMeans, IsWelchsWhereTheBatchesAreKnown) {
  // Standard errors 1 and 2 of 10 and 20 batches: 26.2 degrees of freedom, whose Student factor is 2.0547.
  const Interval a{StudentFactor(10, 0.95) * 1, 10, ""}, b{StudentFactor(20, 0.95) * 2, 20, ""};
  const double freedom = 25.0 / (1.0 / 9 + 16.0 / 19);
  EXPECT_NEAR(freedom, 26.227, 0.001);
  EXPECT_NEAR(HalfWidthOfDifference(a, b), 2.0547 * std::sqrt(5), 0.001);
  EXPECT_DOUBLE_EQ(HalfWidthOfDifference(a, b), HalfWidthOfDifference(b, a));
}

TEST(DifferenceOfMeans, IsTheRootOfTheSumOfSquaresWhereTheyAreNot) {
  EXPECT_DOUBLE_EQ(HalfWidthOfDifference({3, 0, ""}, {4, 0, ""}), 5);
  EXPECT_DOUBLE_EQ(HalfWidthOfDifference({3, 0, ""}, {4, 20, ""}), 5);
}

TEST(DifferenceOfMeans, ExcludesZeroInFivePerCentWhereNothingDiffers) {
  std::mt19937 random(7);
  const auto mean_of = [&](int batches, double spread, Interval* interval) {
    std::normal_distribution<double> draw(100, spread);
    double sum = 0, squares = 0;
    for (int i = 0; i < batches; ++i) {
      const double value = draw(random);
      sum += value;
      squares += value * value;
    }
    const double mean = sum / batches, variance = (squares - sum * mean) / (batches - 1);
    *interval = {StudentFactor(batches, 0.95) * std::sqrt(variance / batches), batches, ""};
    return mean;
  };
  constexpr int kPairs = 10000;
  int excluded = 0;
  for (int i = 0; i < kPairs; ++i) {
    Interval a, b;
    const double difference = mean_of(12, 1, &a) - mean_of(40, 5, &b);
    excluded += std::abs(difference) > HalfWidthOfDifference(a, b);
  }
  EXPECT_NEAR(100.0 * excluded / kPairs, 5, 0.7);
}

Json Results() {
  return Json::parse(R"({"latency_ns": {"mean": 128}, "latency_cycles": {"mean": 100}, "accepted_load": 0.5,
    "latency_depends_on_length": false, "steady_state": {"verdict": "converged",
      "latency_cycles": {"mean": 101, "half_width": 2, "batches": 30, "batch_correlation": 0.05},
      "accepted_load": {"mean": 0.5, "half_width": 0.01, "batches": 30, "batch_correlation": 0.2},
      "missing_load": null, "classes": [{"class": 3,
        "latency_cycles": {"mean": 101, "half_width": 2, "batches": 9, "batch_correlation": 0}}]}})");
}

TEST(IntervalsOfARun, AreThoseOfItsSteadyState) {
  const auto intervals = IntervalsOf(Results());
  EXPECT_EQ(intervals.size(), 5u);
  EXPECT_DOUBLE_EQ(intervals.at("steady_state.latency_cycles.mean").half_width, 2);
  EXPECT_DOUBLE_EQ(intervals.at("latency_ns.mean").half_width, 2.56) << "in nanoseconds";
  EXPECT_EQ(intervals.at("latency_ns.mean").doubt, "");
  EXPECT_NE(intervals.at("accepted_load").doubt.find("correlated by 0.20"), std::string::npos);
  EXPECT_NE(intervals.at("steady_state.classes[3].latency_cycles.mean").doubt.find("9 batches"), std::string::npos);
}

TEST(IntervalsOfARun, OfSaturatedLatenciesDoNotHold) {
  Json results = Results();
  results["latency_depends_on_length"] = true;
  const auto intervals = IntervalsOf(results);
  EXPECT_NE(intervals.at("latency_ns.mean").doubt.find("saturated"), std::string::npos);
  EXPECT_EQ(intervals.at("accepted_load").doubt.find("saturated"), std::string::npos);
}

TEST(IntervalsOfARun, AreNoneWhereNothingWasJudged) {
  Json results = Results();
  results["steady_state"] = {{"verdict", nullptr}, {"reason", "jobs have no offered load"}};
  EXPECT_TRUE(IntervalsOf(results).empty());
  EXPECT_TRUE(IntervalsOf(Json::object()).empty());
}

}  // namespace
}  // namespace tilefly::runs
