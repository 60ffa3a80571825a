// SPDX-License-Identifier: Apache-2.0
#include "topology/bisection_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tilefly::topology {
namespace {

constexpr double kRoundoff = std::numeric_limits<double>::epsilon() / 2;

/// A symmetric matrix, lower triangle by rows.
class Symmetric {
 public:
  explicit Symmetric(int size) : size_(size), rows_(static_cast<std::size_t>(size) * size) {}

  int size() const { return size_; }
  double* row(int i) { return rows_.data() + static_cast<std::size_t>(i) * size_; }
  const double* row(int i) const { return rows_.data() + static_cast<std::size_t>(i) * size_; }

  /// Replaces the matrix by its Cholesky factor; false when it is not positive definite.
  bool Factor() {
    for (int i = 0; i < size_; ++i) {
      for (int j = 0; j <= i; ++j) {
        double sum = row(i)[j];
        for (int k = 0; k < j; ++k) sum -= row(i)[k] * row(j)[k];
        if (i == j && !(sum > 0)) return false;
        row(i)[j] = i == j ? std::sqrt(sum) : sum / row(j)[j];
      }
    }
    return true;
  }

  /// x := (F F')^-1 x for a factor F.
  void Solve(std::vector<double>* x) const {
    for (int i = 0; i < size_; ++i) {
      for (int k = 0; k < i; ++k) (*x)[i] -= row(i)[k] * (*x)[k];
      (*x)[i] /= row(i)[i];
    }
    for (int i = size_ - 1; i >= 0; --i) {
      (*x)[i] /= row(i)[i];
      for (int k = 0; k < i; ++k) (*x)[k] -= row(i)[k] * (*x)[i];
    }
  }

 private:
  int size_;
  std::vector<double> rows_;
};

double Degree(const WeightedGraph& graph, int v) {
  double degree = 0;
  for (const auto* arc = graph.begin(v); arc != graph.end(v); ++arc) degree += static_cast<double>(arc->weight);
  return degree;
}

/// L - lambda*I + (lift/n) * J, J all ones: its eigenvalues are those of L less lambda, and lift - lambda for the ones.
Symmetric Shifted(const WeightedGraph& graph, double lambda, double lift) {
  Symmetric matrix(graph.size);
  for (int v = 0; v < graph.size; ++v) {
    std::fill_n(matrix.row(v), v + 1, lift / graph.size);
    matrix.row(v)[v] += Degree(graph, v) - lambda;
    for (const auto* arc = graph.begin(v); arc != graph.end(v); ++arc) {
      if (arc->to < v) matrix.row(v)[arc->to] -= static_cast<double>(arc->weight);
    }
  }
  return matrix;
}

void ProjectAndNormalise(std::vector<double>* x) {
  double sum = 0, squares = 0;
  for (const double value : *x) sum += value;
  for (double& value : *x) value -= sum / static_cast<double>(x->size());
  for (const double value : *x) squares += value * value;
  for (double& value : *x) value /= std::sqrt(squares);
}

/// About lambda2, never much below it: the Rayleigh quotient after inverse iteration.
double EstimateLambda2(const WeightedGraph& graph, double scale) {
  // A disconnected graph has lambda2 = 0; the small shift keeps its matrix invertible.
  Symmetric matrix = Shifted(graph, -1e-9 * scale, scale);
  if (!matrix.Factor()) return 0;
  std::vector<double> x(graph.size);
  for (int v = 0; v < graph.size; ++v) x[v] = std::sin(1.0 + v * 1.7);
  constexpr int kIterations = 200;
  for (int i = 0; i < kIterations; ++i) {
    ProjectAndNormalise(&x);
    matrix.Solve(&x);
  }
  ProjectAndNormalise(&x);
  double quotient = 0;
  for (int v = 0; v < graph.size; ++v) {
    for (const auto* arc = graph.begin(v); arc != graph.end(v); ++arc) {
      const double step = x[v] - x[arc->to];
      quotient += static_cast<double>(arc->weight) * step * step / 2;
    }
  }
  return quotient;
}

/// The whole weight above a bound that was computed with a relative error below `error`.
std::int64_t RoundUp(double bound, double error) {
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(bound * (1 - error))));
}

}  // namespace

std::int64_t SpectralBound(const WeightedGraph& graph) {
  const int n = graph.size;
  if (n < 2) return 0;
  double trace = 0, scale = 0;
  for (int v = 0; v < n; ++v) {
    trace += Degree(graph, v);
    scale = std::max(scale, Degree(graph, v));
  }
  if (scale == 0) return 0;
  const double estimate = EstimateLambda2(graph, scale);
  // Rounding of the factorisation at most gamma(n+1)/(1 - gamma(n+1)) times the trace of what is factored (below trace
  // + 2n*scale), of its entries at most 8n*roundoff*scale in norm; doubled for the rounding of these terms themselves.
  const double slack = 2 * kRoundoff * ((n + 2) * (trace + 2.0 * n * scale) + 8.0 * n * scale);
  for (const double part : {1e-10, 1e-8, 1e-6, 1e-4, 1e-2}) {
    const double lambda = estimate * (1 - part);
    if (lambda <= slack) return 0;
    if (!Shifted(graph, lambda, 2 * scale).Factor()) continue;
    const double squares = n % 2 == 0 ? n : n - 1.0 / n;
    return RoundUp((lambda - slack) * squares / 4, 1e-14);
  }
  return 0;
}

std::int64_t RoutingBound(const WeightedGraph& graph) {
  const int n = graph.size;
  std::vector<double> load(graph.arcs.size());  // units through each arc, towards the source
  std::vector<int> distance(n), queue(n);
  std::vector<double> paths(n), share(n);
  for (int source = 0; source < n; ++source) {
    std::fill(distance.begin(), distance.end(), -1);
    std::fill(paths.begin(), paths.end(), 0.0);
    std::fill(share.begin(), share.end(), 1.0);
    int reached = 0;
    queue[reached++] = source;
    distance[source] = 0;
    paths[source] = 1;
    for (int next = 0; next < reached; ++next) {
      const int v = queue[next];
      for (const auto* arc = graph.begin(v); arc != graph.end(v); ++arc) {
        if (distance[arc->to] < 0) {
          distance[arc->to] = distance[v] + 1;
          queue[reached++] = arc->to;
        }
        if (distance[arc->to] == distance[v] + 1) paths[arc->to] += paths[v] * static_cast<double>(arc->weight);
      }
    }
    if (reached < n) return 0;  // a cut of weight 0 may be a bisection
    for (int next = reached - 1; next > 0; --next) {
      const int v = queue[next];
      for (const auto* arc = graph.begin(v); arc != graph.end(v); ++arc) {
        if (distance[arc->to] != distance[v] - 1) continue;
        const double units = share[v] * paths[arc->to] * static_cast<double>(arc->weight) / paths[v];
        load[arc - graph.arcs.data()] += units;
        share[arc->to] += units;
      }
    }
  }
  double worst = 0;  // units for each unit of weight; by symmetry of the paths both directions carry the same
  for (std::size_t i = 0; i < graph.arcs.size(); ++i) {
    if (!std::isfinite(load[i])) return 0;  // more paths than a double counts
    worst = std::max(worst, load[i] / static_cast<double>(graph.arcs[i].weight));
  }
  if (worst == 0) return 0;
  const double units = static_cast<double>(n / 2) * (n - n / 2);
  // Sums and products of positive terms: the relative error is below the roundoff times (vertices + degree * diameter).
  return RoundUp(units / worst, 1e-6);
}

}  // namespace tilefly::topology
