// SPDX-License-Identifier: Apache-2.0
// What `tilefly repro` can compute: studies, each some figures made of the times of operations (docs/repro.md).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runs/repro/figure.h"

namespace tilefly::runs {

/// A system and its hosts.
struct StudySystem {
  std::string topology;
  std::string nic_rate;
};

/// One run: some operations in a row, of which the time is wanted.
struct StudyRun {
  std::string curve;
  double x;
  StudySystem system;
  std::string traffic;        ///< of `tilefly net`
  double operations = 1;      ///< in an iteration
  bool hosts_reduce = false;  ///< the time depends on what a host takes to reduce
};

/// Times of operations in ns, by curve and x.
class StudyTimes {
 public:
  void Set(const StudyRun& run, double ns) { ns_[{run.curve, run.x}] = ns; }
  std::optional<double> Of(const std::string& curve, double x) const;
  /// All x of a curve, ascending.
  std::vector<double> XOf(const std::string& curve) const;

 private:
  std::map<std::pair<std::string, double>, double> ns_;
};

struct Study {
  std::string name;
  std::string title;
  std::vector<StudyRun> (*runs)(bool quick);
  std::vector<Figure> (*figures)(const StudyTimes& times);
};

const std::vector<Study>& Studies();
/// Throws UsageError.
const Study& FindStudy(const std::string& name);

}  // namespace tilefly::runs
