// SPDX-License-Identifier: Apache-2.0
#include "support/yaml_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "support/errors.h"
#include "support/text.h"

namespace tilefly {

YAML::Node LoadYaml(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw UsageError(fmt::format("{}: cannot be read: it is a folder; name a file", file.string()));
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAllFromFile(file.string());
    if (documents.size() > 1)
      throw UsageError(fmt::format("{}:{}: a second document begins (---); give one", file.string(), documents[1].Mark().line + 1));
    return documents.empty() ? YAML::Node() : documents.front();
  } catch (const YAML::BadFile&) {
    throw UsageError(fmt::format("{}: cannot be read", file.string()));
  } catch (const YAML::ParserException& error) {
    throw UsageError(fmt::format("{}:{}: not YAML: {}", file.string(), error.mark.line + 1, error.msg));
  }
}

std::string OriginOf(const std::string& file, const YAML::Node& node) {
  return fmt::format("{}:{}", file, node.Mark().line + 1);
}

YamlMap::YamlMap(const YAML::Node& node, std::string file, std::string what)
    : node_(node), file_(std::move(file)), what_(std::move(what)) {
  if (!node_.IsMap())
    throw UsageError(fmt::format("{}: {}: keys and values were expected", OriginOf(file_, node_), what_));
  std::set<std::string> seen;
  for (const auto& entry : node_) {
    const std::string origin = OriginOf(file_, entry.first);
    if (!entry.first.IsScalar()) throw UsageError(fmt::format("{}: {}: a key must be a plain word", origin, what_));
    if (!seen.insert(entry.first.Scalar()).second)
      throw UsageError(fmt::format("{}: {}: key '{}' appears twice", origin, what_, entry.first.Scalar()));
  }
}

YAML::Node YamlMap::Value(const std::string& key) const {
  for (const auto& entry : node_) {
    if (entry.first.Scalar() == key) return entry.second;
  }
  return YAML::Node(YAML::NodeType::Undefined);
}

YAML::Node YamlMap::Find(const std::string& key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.push_back(key);
  return Value(key);
}

std::string YamlMap::Text(const std::string& key, const std::string& initial) {
  const YAML::Node value = Find(key);
  if (!value.IsDefined()) return initial;
  if (!value.IsScalar()) throw UsageError(fmt::format("{}: a plain value was expected", Origin(key)));
  return value.Scalar();
}

std::string YamlMap::Text(const std::string& key) {
  Require(key, "add it");
  return Text(key, "");
}

void YamlMap::Require(const std::string& key, const std::string& remedy) {
  if (Find(key).IsDefined()) return;
  std::vector<std::string> unasked;
  for (const auto& entry : node_) {
    const std::string& given = entry.first.Scalar();
    if (std::find(asked_.begin(), asked_.end(), given) == asked_.end()) unasked.push_back(given);
  }
  const std::string slip = Resembling(key, unasked);
  if (slip.empty())
    throw UsageError(fmt::format("{}: {}: key '{}' is missing; {}", OriginOf(file_, node_), what_, key, remedy));
  throw UsageError(fmt::format("{}: key '{}' is missing; write it for '{}'", Origin(slip), key, slip));
}

std::vector<YAML::Node> YamlMap::List(const std::string& key) {
  const YAML::Node value = Find(key);
  if (!value.IsDefined()) return {};
  if (!value.IsSequence()) throw UsageError(fmt::format("{}: a list was expected", Origin(key)));
  return {value.begin(), value.end()};
}

std::string YamlMap::Origin(const std::string& key) const {
  for (const auto& entry : node_) {
    if (entry.first.Scalar() == key) return fmt::format("{}: {}: {}", OriginOf(file_, entry.first), what_, key);
  }
  return fmt::format("{}: {}: {}", OriginOf(file_, node_), what_, key);
}

void YamlMap::Finish() const {
  for (const auto& entry : node_) {
    const std::string key = entry.first.Scalar();
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end())
      ThrowUnknown(fmt::format("key of {} ({})", what_, OriginOf(file_, entry.first)), key, asked_);
  }
}

}  // namespace tilefly
