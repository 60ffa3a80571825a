// SPDX-License-Identifier: Apache-2.0
// Whether a time series has come to a steady state, and how well its mean is known (docs/steady-state.md).
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace tilefly {

/// One of the equal parts of a time series: a sum, and what the mean is taken over (packets, cycles).
struct SeriesBin {
  double sum = 0;
  double weight = 0;
};
using Series = std::vector<SeriesBin>;

/// Sum over weight of the bins from `from` on; NaN when they have no weight.
double MeanOf(const Series& series, std::size_t from = 0);

/// The first bin of the steady part by MSER-5 (White 1997, means of five): what is left out makes the squared error of
/// the mean of the rest as small as it gets. Empty when more than half would be left out, or there is too little to
/// say.
std::optional<std::size_t> WarmUpOf(const Series& series);

/// A mean by batches, each of so many neighbouring bins that batches are as good as independent.
struct BatchMeans {
  static constexpr int kMostBatches = 64;
  static constexpr int kLeastBatches = 10;
  static constexpr double kMostCorrelation = 0.1;

  /// Batches are long enough.
  bool settled() const { return batches >= kLeastBatches && correlation < kMostCorrelation; }
  /// The correlation of neighbours, and as much more as chance hides in so few batches.
  double most_correlation() const { return correlation + 1 / std::sqrt(static_cast<double>(batches)); }
  /// There is an interval.
  bool known() const { return settled() || (batches >= kLeastBatches && most_correlation() < 1); }

  double mean = 0;
  double half_width = 0;   ///< of the interval of the level asked for, by Student's distribution; see BatchMeansOf
  int batches = 0;         ///< 0: there are fewer than kLeastBatches bins, or they have no weight
  std::size_t bins = 0;    ///< of a batch
  double correlation = 0;  ///< of neighbouring batches
};

/// Begins with at most kMostBatches and makes batches longer, an eighth and at least a bin at a time, until the
/// correlation of neighbours is below kMostCorrelation; stops, not settled, when fewer than kLeastBatches would be left.
/// Then the half width is that of a series whose neighbours are correlated by r = most_correlation(), the square root of
/// (1 + r) / (1 - r) times as wide. `level`: 0.95. Bins that are left over are the first.
BatchMeans BatchMeansOf(const Series& series, double level);

/// Two-sided: the interval of `batches` values at this level is so many standard errors to each side.
double StudentFactor(int batches, double level);

}  // namespace tilefly
