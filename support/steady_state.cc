// SPDX-License-Identifier: Apache-2.0
#include "support/steady_state.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace tilefly {
namespace {

SeriesBin SumOf(const Series& series, std::size_t from, std::size_t to) {
  SeriesBin sum;
  for (std::size_t i = from; i < to; ++i) {
    sum.sum += series[i].sum;
    sum.weight += series[i].weight;
  }
  return sum;
}

/// Means of `bins` neighbouring bins from `from` on; empty when one has no weight.
std::vector<double> MeansOf(const Series& series, std::size_t from, std::size_t bins) {
  std::vector<double> means;
  for (std::size_t i = from; i + bins <= series.size(); i += bins) {
    const SeriesBin part = SumOf(series, i, i + bins);
    if (part.weight <= 0) return {};
    means.push_back(part.sum / part.weight);
  }
  return means;
}

/// Batches of `bins` bins each, the last ones of the series.
BatchMeans MeansOfBatches(const Series& series, std::size_t bins, double level) {
  const std::size_t batches = series.size() / bins;
  const std::size_t from = series.size() - batches * bins;
  const SeriesBin all = SumOf(series, from, series.size());
  BatchMeans result;
  if (all.weight <= 0) return result;
  result.mean = all.sum / all.weight;
  result.batches = static_cast<int>(batches);
  result.bins = bins;
  const double usual = all.weight / static_cast<double>(batches);
  double squares = 0, neighbours = 0, before = 0;
  for (std::size_t b = 0; b < batches; ++b) {
    const SeriesBin part = SumOf(series, from + b * bins, from + (b + 1) * bins);
    const double off = (part.sum - result.mean * part.weight) / usual;
    squares += off * off;
    neighbours += off * before;
    before = off;
  }
  const auto count = static_cast<double>(batches);
  result.half_width = StudentFactor(result.batches, level) * std::sqrt(squares / (count - 1) / count);
  result.correlation = squares > 0 ? neighbours / squares : 0;
  return result;
}

}  // namespace

double MeanOf(const Series& series, std::size_t from) {
  const SeriesBin sum = SumOf(series, std::min(from, series.size()), series.size());
  return sum.weight > 0 ? sum.sum / sum.weight : std::nan("");
}

std::optional<std::size_t> WarmUpOf(const Series& series) {
  constexpr std::size_t kGroup = 5;
  constexpr std::size_t kLeastGroups = 10;
  std::size_t first = 0;
  while (first < series.size() && series[first].weight <= 0) ++first;
  std::vector<double> means;
  std::size_t group = kGroup;
  for (;; group *= 2) {
    if ((series.size() - first) / group < kLeastGroups) return std::nullopt;
    means = MeansOf(series, first, group);
    if (!means.empty()) break;
  }
  double sum = 0, squares = 0, least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  const double origin = means.back();
  for (std::size_t d = means.size(); d-- > 0;) {
    const double value = means[d] - origin;
    sum += value;
    squares += value * value;
    const auto left = static_cast<double>(means.size() - d);
    if (left < kGroup) continue;
    const double error = std::max(0.0, squares - sum * sum / left) / (left * left);
    if (error <= least) {
      least = error;
      best = d;
    }
  }
  if (2 * best > means.size()) return std::nullopt;
  return best == 0 ? first : first + best * group;
}

BatchMeans BatchMeansOf(const Series& series, double level) {
  BatchMeans last;
  std::size_t bins =
      std::max<std::size_t>(1, (series.size() + BatchMeans::kMostBatches - 1) / BatchMeans::kMostBatches);
  for (; series.size() / bins >= BatchMeans::kLeastBatches; bins += (bins + 7) / 8) {
    last = MeansOfBatches(series, bins, level);
    if (last.batches == 0 || last.settled()) return last;
  }
  if (last.known()) last.half_width *= std::sqrt((1 + last.most_correlation()) / (1 - last.most_correlation()));
  return last;
}

double StudentFactor(int batches, double level) {
  const boost::math::students_t student(batches - 1);
  return quantile(student, (1 + level) / 2);
}

}  // namespace tilefly
