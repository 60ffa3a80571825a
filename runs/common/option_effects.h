// SPDX-License-Identifier: Apache-2.0
// Options that have no effect in a run: one table for all commands (docs/options.md).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "runs/common/setting_values.h"

namespace tilefly::runs {

/// The options of one command line, by their names without the dashes.
class OptionValues {
 public:
  /// `command`: "cosim", "net", "qos show".
  explicit OptionValues(std::string command) : command_(std::move(command)) {}

  /// What an option came to; `given`: the user asked for it.
  void Set(const std::string& option, const std::string& value, bool given);
  /// The settings of `resolved`. Given are those that were before, and those that `settings`, which a file and --set
  /// have been read into, hold at something else than their default or what their default comes to.
  void SetAll(const SettingValues& settings, const SettingValues& resolved);

  const std::string& command() const { return command_; }
  bool Given(const std::string& option) const { return given_.count(option) > 0; }
  /// Empty for one that was not given and has no default.
  const std::string& Get(const std::string& option) const;
  /// The option is not given: a sweep leaves it out at this point.
  void LeaveOut(const std::string& option) { given_.erase(option); }
  /// Empty, off, none or 0.
  bool Off(const std::string& option) const;

 private:
  std::string command_;
  std::map<std::string, std::string> values_;
  std::set<std::string> given_;
};

/// What becomes of an option that has no effect: harmless ones are warned about. Where it contradicts another, the
/// results would be of something else than what was asked for. One that tunes what the run does not have is refused,
/// too; a sweep leaves it out at the points that do not have it, when others have.
enum class NoEffect { kWarned, kRefused, kLeftOut };

/// A row of the table.
struct OptionEffect {
  std::vector<std::string> commands;
  std::vector<std::string> options;
  NoEffect answer;
  std::string why;     ///< "without --pcap"
  std::string remedy;  ///< of one that is refused
  bool (*holds)(const OptionValues& run);
};

const std::vector<OptionEffect>& OptionEffects();

struct NeedlessOption {
  std::string option;
  std::string why;  ///< "without --routing app_aware"
};
/// Of the options given, those that a sweep may leave out in this run.
std::vector<NeedlessOption> NeedlessOptions(const OptionValues& run);
/// "--load", "--set profile.cells"; FIGURE of `repro` has no dashes.
std::string AsTyped(const std::string& option);

/// "warning: --pace has no effect without --pcap" for each option given that has none. Throws UsageError for those that
/// are refused.
std::vector<std::string> CheckOptionEffects(const OptionValues& run);

}  // namespace tilefly::runs
