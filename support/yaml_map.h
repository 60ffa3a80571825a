// SPDX-License-Identifier: Apache-2.0
// Strict reading of YAML files: every complaint names file, line and key.
#pragma once

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tilefly {

/// The root of a YAML file; null for an empty one. Throws UsageError with file and line when it cannot be
/// read, or has several documents.
YAML::Node LoadYaml(const std::filesystem::path& file);

/// A mapping whose keys are asked for one by one; Finish refuses those that nobody asked for.
class YamlMap {
 public:
  /// Throws UsageError when `node` is no mapping or has a key twice. `what` names it in messages: "class 3".
  YamlMap(const YAML::Node& node, std::string file, std::string what);

  /// The value of a key; an undefined node when it is absent.
  YAML::Node Find(const std::string& key);
  /// The plain value of a key, `initial` when it is absent; throws UsageError for a list or mapping.
  std::string Text(const std::string& key, const std::string& initial);
  /// The same of a key that must be there.
  std::string Text(const std::string& key);
  /// Throws UsageError with `remedy`, or with the key that may be a slip of it, when the key is absent.
  void Require(const std::string& key, const std::string& remedy);
  /// The items of a list; none when the key is absent.
  std::vector<YAML::Node> List(const std::string& key);
  /// "FILE:LINE: KEY", the beginning of a message about this key's value.
  std::string Origin(const std::string& key) const;
  /// Throws UsageError with file, line and nearest known key if there is a key that was not asked for.
  void Finish() const;

  const std::string& file() const { return file_; }

 private:
  YAML::Node Value(const std::string& key) const;

  YAML::Node node_;
  std::string file_;
  std::string what_;
  std::vector<std::string> asked_;
};

/// "FILE:LINE" of a node.
std::string OriginOf(const std::string& file, const YAML::Node& node);

}  // namespace tilefly
