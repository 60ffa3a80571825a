// SPDX-License-Identifier: Apache-2.0
// What a user can set, by path: the same table serves the command line, configuration files and --set.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tilefly::runs {

/// What a comma is in the values of a setting (docs/sweeps.md, Lists).
enum class Commas {
  kList,    ///< it stands between the values of a list: no value has one
  kWithin,  ///< it belongs to a value
  kNames,   ///< it stands between values where a name follows, such as that of a pattern; else it belongs to a value
};

/// One thing that a user can set: its path in the configuration, its option, its default.
struct Setting {
  const char* path;
  const char* option;   ///< without the dashes
  const char* initial;  ///< "auto": derived from other settings
  const char* help;
  bool list = false;  ///< the option may be repeated: its values are joined by commas
  Commas commas = Commas::kList;
  bool by_path = false;  ///< it has no option: --set and files give it, and empty it is left out of the resolved file
};

/// How a user names it: "--load", "--set profile.cells".
std::string OptionOf(const Setting& setting);

/// What stands in the braces of "{a;b}", the list that every setting takes; empty: the text is no such list.
std::vector<std::string> InBraces(const std::string& text);

/// The origin of what an option said.
inline constexpr const char* kCommandLine = "command line";

/// Values of the settings of one table.
class SettingValues {
 public:
  /// `files` are the paths of settings that name a file to be read. Both must outlive the values.
  SettingValues(const std::vector<Setting>& table, std::vector<const char*> files);

  /// `origin` ("run.yaml:7", "--set", kCommandLine) goes into messages about the path and its value.
  void Set(const std::string& path, const std::string& value, const std::string& origin);
  /// One of the values that the setting's own is a range of: messages call it as they call the range.
  void Narrow(const std::string& path, const std::string& value) { values_.at(path) = value; }
  const std::string& Get(const std::string& path) const { return values_.at(path); }
  /// Whether the table has the setting.
  bool Has(const std::string& path) const { return values_.count(path) > 0; }
  const std::vector<Setting>& table() const { return table_; }
  /// What "auto" comes to where the other settings are as they are; empty for a setting without it. Call after Resolve.
  std::string OfAuto(const std::string& path) const;
  /// "max_cycles: 20000 (auto)" for each setting that was. Call after Resolve.
  std::vector<std::string> AutoLines() const;
  /// Reads a YAML file strictly: an unknown or repeated key is a UsageError with file, line and nearest known key, and
  /// so is a key without a value. "" is the value of a setting whose default is none.
  void Load(const std::filesystem::path& file);
  /// The files that the run reads.
  std::vector<std::string> InputFiles() const;
  /// As YAML, one line a setting with its meaning. Loading it gives the same settings.
  std::string ToYaml() const;

  /// What a message calls the setting: by its option, or where a file or --set gave it a value by its path.
  std::string NameOf(const std::string& path) const;
  /// Values of a type; throw UsageError.
  std::int64_t Integer(const std::string& path, std::int64_t least, std::int64_t most) const;
  double Share(const std::string& path) const;
  const std::string& Choice(const std::string& path, const std::vector<std::string>& known) const;

 protected:
  /// Names of files become absolute, a random seed is drawn.
  void ResolveFilesAndSeed();
  /// The setting's value names a file too.
  void NamesFile(const char* path);
  /// The setting's value names devices, of which some may be in libraries, which are files too.
  void NamesDevices(const char* path) { devices_ = path; }
  /// An "auto" becomes `value`.
  void Replace(const std::string& path, const std::string& value);
  /// Whatever it was, it becomes `value`.
  void Overrule(const std::string& path, const std::string& value) { values_[path] = of_auto_[path] = value; }

 private:
  std::vector<std::string> KnownPaths() const;
  [[noreturn]] void RefuseKey(const std::string& path, const std::string& origin) const;
  bool IsSection(const std::string& path) const;
  /// Sets what the file says at `origin`.
  void Take(const std::string& path, const std::string& value, bool written, const std::string& origin);

  const std::vector<Setting>& table_;
  std::vector<const char*> files_;
  const char* devices_ = nullptr;  ///< path of the setting that names devices, null: none
  std::map<std::string, std::string> values_;
  std::map<std::string, std::string> origins_;  ///< of values that were given
  std::map<std::string, std::string> of_auto_;
  std::vector<std::string> was_auto_;
};

}  // namespace tilefly::runs
