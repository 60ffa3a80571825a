// SPDX-License-Identifier: Apache-2.0
// Which runs a sweep makes: settings with several values, and the product of these (docs/sweeps.md).
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runs/sweep/run_pool.h"
#include "runs/sweep/value_list.h"
#include "runs/switch/settings.h"
#include "runs/system/net_settings.h"

namespace tilefly::runs {

/// In what the sweeps of commands differ.
struct SweepKind {
  const char* command;             ///< "net"
  bool reseeds;                    ///< each seed of --reseeds is a run of its own
  std::vector<std::string> named;  ///< options that tables and pictures name, swept or not
};

/// A setting with several values, or one that some points leave out.
struct SweptSetting {
  SweptSetting(const Setting& setting, std::string range, std::vector<std::string> values);

  bool numeric() const { return !numbers.empty(); }

  const Setting* setting;
  std::string range;  ///< as it was given
  std::vector<std::string> values;
  std::vector<double> numbers;  ///< the values, when all are numbers with one unit; else none
  std::string unit;
  std::string left_out;  ///< why points leave it out: "without --congestion-control on"; empty: all have it
};

/// One run of a sweep, named "load=0.1,size=512".
struct SweepPoint : PoolRun {
  /// Whether a swept setting is left out because it has no effect at this point.
  bool LeavesOut(std::size_t swept) const { return left_out[swept]; }

  std::vector<std::string> values;  ///< by swept setting; empty of one that is left out
  std::vector<bool> left_out;       ///< by swept setting
};

struct SweepPlan {
  /// Throws UsageError.
  explicit SweepPlan(NetSettings settings);
  explicit SweepPlan(Settings settings);

  const SweepKind* kind;
  SettingValues settings;           ///< with the lists and ranges; files and a random seed are resolved
  std::vector<SweptSetting> swept;  ///< in the order of the settings; empty: there is only one run
  std::vector<SweepPoint> points;   ///< the last setting's value changes first

  /// A warning for each setting that some points leave out.
  std::vector<std::string> Warnings() const;

 private:
  /// Values by path.
  using Chosen = std::vector<std::pair<std::string, std::string>>;
  /// Settings before and after they are resolved.
  struct BothSettings {
    SettingValues given;
    SettingValues resolved;
  };
  /// The settings in which these values stand in place of lists and ranges.
  using Resolved = std::function<BothSettings(const Chosen&)>;

  SweptSetting Reseeds(int runs) const;
  void Choose();
  void ForEachChoice(const std::function<void(const std::vector<std::string>&)>& visit) const;
  Chosen ChosenOf(const std::vector<std::string>& values) const;
  void ChooseLeftOut(const Resolved& resolved);
  void AddPoint(std::vector<std::string> values, const Resolved& resolved);
  void AddPoints(const Resolved& resolved);
};

/// Whether any setting has several values, or each seed of several is a run of its own.
bool IsSweep(const NetSettings& settings);
bool IsSweep(const Settings& settings);

}  // namespace tilefly::runs
