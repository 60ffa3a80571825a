// SPDX-License-Identifier: Apache-2.0
#include "runs/common/setting_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>
#include <utility>

#include "cosim/library/device_library.h"
#include "runs/common/departures.h"
#include "support/errors.h"
#include "support/text.h"
#include "support/yaml_map.h"

namespace tilefly::runs {
namespace {

std::string ScalarText(const YAML::Node& node, const std::string& origin) {
  if (node.IsNull()) return "";
  if (node.IsScalar()) return node.Scalar();
  std::string text;
  for (const YAML::Node& item : node) {
    if (!item.IsScalar()) throw UsageError(fmt::format("{}: a list of plain values was expected", origin));
    text += (text.empty() ? "" : ",") + item.Scalar();
  }
  return text;
}

/// The file by its absolute name.
std::string Absolute(const std::string& file) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(file, error);
  return error ? file : absolute.lexically_normal().string();
}

}  // namespace

std::vector<std::string> InBraces(const std::string& text) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}') return {};
  std::vector<std::string> items = Split(text.substr(1, text.size() - 2), ';');
  for (std::string& item : items) {
    item.erase(0, item.find_first_not_of(' '));
    item.erase(item.find_last_not_of(' ') + 1);
  }
  return items.empty() ? std::vector<std::string>{""} : items;
}

SettingValues::SettingValues(const std::vector<Setting>& table, std::vector<const char*> files)
    : table_(table), files_(std::move(files)) {
  for (const Setting& setting : table_) values_[setting.path] = setting.initial;
}

/// Paths of the settings, each section's name before its own.
std::vector<std::string> SettingValues::KnownPaths() const {
  std::vector<std::string> paths;
  for (const Setting& setting : table_) {
    const std::string path = setting.path;
    const std::string section = path.substr(0, path.find('.'));
    if (std::find(paths.begin(), paths.end(), section) == paths.end()) paths.push_back(section);
    if (section != path) paths.push_back(path);
  }
  return paths;
}

/// Of a key that is none, or a section in place of a value, or a value in place of a section.
void SettingValues::RefuseKey(const std::string& path, const std::string& origin) const {
  if (values_.count(path) > 0) throw UsageError(fmt::format("{}: key '{}' takes a value, not keys", origin, path));
  if (const std::string why = WhyFixed(path); !why.empty()) throw UsageError(fmt::format("{}: {}", origin, why));
  if (!IsSection(path)) ThrowUnknown(fmt::format("key ({})", origin), path, KnownPaths());
  std::vector<std::string> keys;
  for (const Setting& setting : table_) {
    if (std::string(setting.path).rfind(path + ".", 0) == 0) keys.emplace_back(setting.path);
  }
  throw UsageError(fmt::format("{}: '{}' is a section; its keys are {}", origin, path, fmt::join(keys, ", ")));
}

bool SettingValues::IsSection(const std::string& path) const {
  return std::any_of(table_.begin(), table_.end(),
                     [&](const Setting& s) { return std::string(s.path).rfind(path + ".", 0) == 0; });
}

void SettingValues::Set(const std::string& path, const std::string& value, const std::string& origin) {
  const auto found = values_.find(path);
  if (found == values_.end()) RefuseKey(path, origin);
  found->second = value;
  origins_[path] = origin;
}

void SettingValues::Take(const std::string& path, const std::string& value, bool written, const std::string& origin) {
  Set(path, value, origin);
  const auto setting = std::find_if(table_.begin(), table_.end(), [&](const Setting& one) { return one.path == path; });
  const bool may_be_none = *setting->initial == '\0' && !setting->by_path;
  if (!value.empty() || (written && may_be_none)) return;
  throw UsageError(fmt::format("{}: {} has no value; give one, or leave the key out{}", origin, path,
                               *setting->initial == '\0' ? "" : fmt::format(", for {}", setting->initial)));
}

void SettingValues::Load(const std::filesystem::path& file) {
  const YAML::Node root = LoadYaml(file);
  if (root.IsNull()) return;
  if (!root.IsMap()) throw UsageError(fmt::format("{}: keys and values were expected", file.string()));
  std::set<std::string> seen;
  const std::function<void(const YAML::Node&, const std::string&)> load = [&](const YAML::Node& node,
                                                                              const std::string& prefix) {
    for (const auto& entry : node) {
      const std::string path = prefix + entry.first.Scalar();
      const std::string origin = fmt::format("{}:{}", file.string(), entry.first.Mark().line + 1);
      if (!seen.insert(path).second) throw UsageError(fmt::format("{}: key '{}' appears twice", origin, path));
      if (IsSection(path) && values_.count(path) == 0 && entry.second.IsMap()) {
        load(entry.second, path + ".");
      } else if (entry.second.IsMap()) {
        RefuseKey(path, origin);
      } else {
        Take(path, ScalarText(entry.second, origin), !entry.second.IsNull(), origin);
      }
    }
  };
  load(root, "");
}

void SettingValues::ResolveFilesAndSeed() {
  for (const char* path : files_) {
    if (Get(path).empty()) continue;
    std::vector<std::string> listed = InBraces(Get(path));
    for (std::string& file : listed) file = file.empty() ? file : Absolute(file);
    values_[path] = listed.empty() ? Absolute(Get(path)) : fmt::format("{{{}}}", fmt::join(listed, ";"));
  }
  if (devices_ != nullptr) values_[devices_] = cosim::WithAbsoluteLibraries(Get(devices_));
  if (Get("seed") == "random") values_["seed"] = fmt::format("{}", std::random_device{}());
}

void SettingValues::NamesFile(const char* path) {
  const auto same = [&](const char* file) { return std::string(file) == path; };
  if (std::none_of(files_.begin(), files_.end(), same)) files_.push_back(path);
}

void SettingValues::Replace(const std::string& path, const std::string& value) {
  of_auto_[path] = value;
  if (Get(path) != "auto") return;
  values_[path] = value;
  was_auto_.push_back(path);
}

std::string SettingValues::OfAuto(const std::string& path) const {
  const auto found = of_auto_.find(path);
  return found == of_auto_.end() ? "" : found->second;
}

std::vector<std::string> SettingValues::AutoLines() const {
  std::vector<std::string> lines;
  for (const std::string& path : was_auto_) lines.push_back(fmt::format("{}: {} (auto)", path, Get(path)));
  return lines;
}

std::vector<std::string> SettingValues::InputFiles() const {
  std::vector<std::string> files;
  for (const char* path : files_) {
    if (Get(path).empty()) continue;
    const std::vector<std::string> listed = InBraces(Get(path));
    if (listed.empty()) files.push_back(Get(path));
    for (const std::string& file : listed) {
      if (!file.empty()) files.push_back(file);
    }
  }
  if (devices_ != nullptr) {
    for (const std::string& file : cosim::LibrariesIn(Get(devices_))) files.push_back(file);
  }
  return files;
}

std::string SettingValues::ToYaml() const {
  std::string text;
  std::string section;
  for (const Setting& setting : table_) {
    const std::string path = setting.path;
    if (setting.by_path && Get(path).empty()) continue;
    const std::size_t dot = setting.by_path ? std::string::npos : path.find('.');
    const std::string in = dot == std::string::npos ? "" : path.substr(0, dot);
    if (in != section && !in.empty()) text += in + ":\n";
    section = in;
    YAML::Emitter value;
    value << YAML::DoubleQuoted << Get(path);
    text += fmt::format("{}{}: {}  # {}\n", in.empty() ? "" : "  ", in.empty() ? path : path.substr(dot + 1),
                        value.c_str(), setting.help);
  }
  return text;
}

std::string OptionOf(const Setting& setting) { return (setting.by_path ? "--set " : "--") + std::string(setting.option); }

std::string SettingValues::NameOf(const std::string& path) const {
  const auto origin = origins_.find(path);
  const bool option = origin == origins_.end() || origin->second == kCommandLine;
  if (!option) return origin->second.find(':') == std::string::npos ? path : fmt::format("{}: {}", origin->second, path);
  const auto setting = std::find_if(table_.begin(), table_.end(), [&](const Setting& one) { return one.path == path; });
  return OptionOf(*setting);
}

std::int64_t SettingValues::Integer(const std::string& path, std::int64_t least, std::int64_t most) const {
  const std::int64_t value = ParseInteger(Get(path), NameOf(path));
  if (value < least || value > most)
    throw UsageError(fmt::format("{}: {} is not between {} and {}", NameOf(path), value, least, most));
  return value;
}

double SettingValues::Share(const std::string& path) const {
  const double value = ParseReal(Get(path), NameOf(path));
  if (!(value >= 0 && value <= 1)) throw UsageError(fmt::format("{}: {} is not between 0 and 1", NameOf(path), value));
  return value;
}

const std::string& SettingValues::Choice(const std::string& path, const std::vector<std::string>& known) const {
  if (std::find(known.begin(), known.end(), Get(path)) == known.end()) ThrowUnknown(NameOf(path), Get(path), known);
  return Get(path);
}

}  // namespace tilefly::runs
