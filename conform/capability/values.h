// SPDX-License-Identifier: Apache-2.0
// The values of a capability file by key, each of the kind that the table of keys says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conform/capability/keys.h"
#include "support/yaml_map.h"

namespace YAML {
class Node;
}

namespace tilefly::conform {

class Values {
 public:
  /// Throws UsageError with file, line and key: an unknown key with the nearest known one, a value of another kind, all
  /// keys that `conform init` has left to be filled in.
  explicit Values(const std::filesystem::path& file);

  bool Given(const std::string& path) const { return values_.count(path) != 0; }
  /// Throws UsageError with what belongs there when the key is absent.
  void RequireGiven(const std::string& path) const;
  /// The value, or the initial one of the table. Throws UsageError when the key is required and absent.
  std::string Text(const std::string& path) const;
  int Number(const std::string& path) const { return static_cast<int>(*MaybeNumber(path)); }
  std::optional<std::int64_t> MaybeNumber(const std::string& path) const;
  std::optional<double> MaybeShare(const std::string& path) const;
  bool Yes(const std::string& path) const { return Text(path) == "yes"; }
  const std::vector<std::string>& Texts(const std::string& path) const;
  const std::vector<std::pair<std::string, std::string>>& Pairs(const std::string& path) const;

  /// "FILE:LINE: KEY", the beginning of a message about a key; without the line where the key is absent.
  std::string Origin(const std::string& path) const;
  /// Throws UsageError when the key is given: `reason` says why it would have no effect.
  void Refuse(const std::string& path, const std::string& reason) const;

 private:
  struct Value {
    int line = 0;
    std::string text;
    std::vector<std::string> texts;
    std::vector<std::pair<std::string, std::string>> pairs;
  };

  const Value* Find(const std::string& path) const;
  /// Takes the value of a key from a section of the file, if it is there.
  void Take(const YAML::Node& section, YamlMap* map, const Key& key);

  std::string file_;
  std::vector<std::string> unfilled_;  ///< keys without value: a message each
  std::map<std::string, Value> values_;
};

/// The key of a path; it exists.
const Key& KeyOf(const std::string& path);
/// A UsageError for a word that is none: with the nearest known one, when there is one that it resembles, then all.
/// `origin` begins the message, `noun` says what it names.
[[noreturn]] void ThrowUnknownWord(const std::string& origin, const std::string& noun, const std::string& word,
                                   const std::vector<std::string>& known);

}  // namespace tilefly::conform
