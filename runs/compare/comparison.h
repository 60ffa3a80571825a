// SPDX-License-Identifier: Apache-2.0
// What differs between two runs of a command: in settings, and in results beyond their confidence (docs/compare.md).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runs/compare/run_folder.h"

namespace tilefly::runs {

/// How a figure of one run stands to that of the other, from what matters most.
enum class Relation { kBeyond, kDifferent, kOnlyA, kOnlyB, kUndecided, kWithin, kEqual };
/// "beyond", "only in A".
const char* ToString(Relation relation);

/// A figure of the results. Null is a value that a run does not have.
struct ComparedFigure {
  std::string path;   ///< "latency_ns.mean"; of a sweep within its point
  std::string point;  ///< of a sweep or search, its name; else empty
  nlohmann::ordered_json a, b;
  Relation relation = Relation::kEqual;
  std::optional<double> half_width_a, half_width_b;  ///< of the 95 % intervals, where a run has them
  std::optional<double> half_width;                  ///< of the interval of the difference
  std::string doubt;                                 ///< of what is undecided, why

  /// b - a of two numbers.
  std::optional<double> Difference() const;
  /// Share of |a|; none when a is 0, or not known to be anything else.
  std::optional<double> Relative() const;
  /// "points[load=0.1].latency_mean_ns".
  std::string Name() const;
};

/// A value by its path in both runs, empty where one has none.
struct ComparedValue {
  std::string path, a, b;
};

struct Comparison {
  RunFolder a, b;
  std::vector<ComparedValue> program;   ///< version, digest and compiler that differ
  std::vector<ComparedValue> settings;  ///< that differ
  std::vector<ComparedValue> inputs;    ///< files that differ in their contents: name and digest
  std::vector<ComparedValue> machine;   ///< all of it
  std::size_t equal_settings = 0;
  std::vector<ComparedFigure> figures;  ///< all, from what matters most

  int Count(Relation relation) const;
  /// Figures with an interval in both runs: those beyond and within.
  int Judged() const { return Count(Relation::kBeyond) + Count(Relation::kWithin); }
  /// "different", "undecided", "within", "equal": the worst of the figures.
  const char* Verdict() const;
  /// 0 when nothing is different in the results, 1 otherwise, of what is undecided too.
  int ExitCode() const;
};

/// `judged_only`: of the figures only those that have an interval in one of the runs. Throws UsageError when the two
/// are of different commands.
Comparison Compare(RunFolder a, RunFolder b, bool judged_only = false);

}  // namespace tilefly::runs
