// SPDX-License-Identifier: Apache-2.0
// What `tilefly repro` can compute: studies, each some figures made of what runs of `tilefly net` measure
// (docs/repro.md).
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runs/repro/figure.h"
#include "runs/repro/study_options.h"

namespace tilefly::runs {

/// A system and its hosts.
struct StudySystem {
  std::string topology;
  std::string nic_rate;
};

/// A file of the study's folder.
struct StudyFile {
  std::string name;  ///< below the folder
  std::string text;
};

/// One run: a point of a curve.
struct StudyRun {
  std::string curve;
  double x;
  StudySystem system;
  std::string traffic;        ///< of `tilefly net`
  double operations = 1;      ///< in an iteration
  bool hosts_reduce = false;  ///< the time depends on what a host takes to reduce
  std::vector<std::pair<std::string, std::string>> settings{};  ///< further settings, by their paths
  std::optional<StudyFile> fault_plan{};
  std::vector<std::string> links{};  ///< of the incast: those that are looked at, by their names in samples.csv
};

/// What the runs measured, by curve and x: times of operations in ns, shares of a link.
class StudyValues {
 public:
  void Set(const std::string& curve, double x, double value) { values_[{curve, x}] = value; }
  void Set(const StudyRun& run, double value) { Set(run.curve, run.x, value); }
  std::optional<double> Of(const std::string& curve, double x) const;
  /// All x of a curve, ascending.
  std::vector<double> XOf(const std::string& curve) const;

 private:
  std::map<std::pair<std::string, double>, double> values_;
};

struct Study {
  std::string name;
  std::string title;
  std::string quick;  ///< what --quick leaves out
  bool fits_hosts;    ///< constants of the hosts are fixed first, and its runs have them
  /// Throws UsageError for options that the study cannot have.
  std::vector<StudyRun> (*runs)(const StudyOptions& options);
  /// Takes what it needs from results.json and the folder of a run that has passed.
  void (*measure)(const StudyRun& run, const nlohmann::ordered_json& results, const std::filesystem::path& folder,
                  StudyValues* values);
  /// The main figure of a run that has ended, in words, from results.json or the folder; empty: it has none.
  std::string (*summary)(const StudyRun& run, const nlohmann::ordered_json& results,
                         const std::filesystem::path& folder, const StudyOptions& options);
  std::vector<Figure> (*figures)(const StudyOptions& options, const StudyValues& values);
  /// Field `options` of results.json; null: the study has no options of its own.
  nlohmann::ordered_json (*described)(const StudyOptions& options) = nullptr;
  /// Files beside those that every study has; null: none.
  std::vector<StudyFile> (*files)(const StudyOptions& options, const StudyValues& values) = nullptr;
};

const std::vector<Study>& Studies();
/// Throws UsageError.
const Study& FindStudy(const std::string& name);

}  // namespace tilefly::runs
