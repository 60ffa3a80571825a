// SPDX-License-Identifier: Apache-2.0
#include "conform/capability/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "support/errors.h"
#include "support/text.h"
#include "support/yaml_map.h"

namespace tilefly::conform {
namespace {

/// Names of the keys of a section, with those of sections at the top.
std::vector<std::string> NamesIn(const std::string& section) {
  std::vector<std::string> names;
  std::set<std::string> sections;
  for (const Key& key : Keys()) {
    if (key.section == section) names.push_back(key.name);
    if (section.empty() && !key.section.empty() && sections.insert(key.section).second) names.push_back(key.section);
  }
  return names;
}

std::string Plain(const YAML::Node& node, const std::string& origin) {
  if (!node.IsScalar() || node.Scalar().empty()) throw UsageError(origin + ": a plain value was expected");
  return node.Scalar();
}

}  // namespace

const Key& KeyOf(const std::string& path) {
  const auto& keys = Keys();
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.Path() == path; });
  if (found == keys.end()) throw std::logic_error("capability: no key " + path);
  return *found;
}

Values::Values(const std::filesystem::path& file) : file_(file.string()) {
  const YAML::Node root = LoadYaml(file);
  if (!root.IsDefined() || root.IsNull())
    throw UsageError(file_ + ": nothing in it; `tilefly conform init` writes one to begin with");
  const auto take = [&](YamlMap* map, const Key& key) {
    const YAML::Node node = map->Find(key.name);
    if (!node.IsDefined()) return;
    Value value;
    value.line = node.Mark().line + 1;
    const std::string origin = fmt::format("{}:{}: {}", file_, value.line, key.Path());
    switch (key.kind) {
      case KeyKind::kTexts:
        if (!node.IsSequence() || node.size() == 0) throw UsageError(origin + ": a list was expected: [ONE, TWO]");
        for (const YAML::Node& item : node) value.texts.push_back(Plain(item, origin));
        break;
      case KeyKind::kPairs: {
        const YamlMap pairs(node, file_, key.Path());  // refuses what is no mapping, and names that are there twice
        for (const auto& pair : node)
          value.pairs.emplace_back(pair.first.Scalar(), Plain(pair.second, origin + ": " + pair.first.Scalar()));
        break;
      }
      default:
        value.text = Plain(node, origin);
    }
    if (key.kind == KeyKind::kWord && std::find(key.words.begin(), key.words.end(), value.text) == key.words.end())
      ThrowUnknown(origin, value.text, key.words);
    if (key.kind == KeyKind::kNumber) {
      const std::int64_t number = ParseInteger(value.text, origin);
      if (number < key.low || number > key.high)
        throw UsageError(fmt::format("{}: {} is not between {} and {}", origin, number, key.low, key.high));
    }
    if (key.kind == KeyKind::kShare) {
      const double share = ParseReal(value.text, origin);
      if (!(share > 0 && share <= 1))
        throw UsageError(fmt::format("{}: {} is no share: above 0, at most 1", origin, value.text));
    }
    values_[key.Path()] = value;
  };
  YamlMap top(root, file_, "capability file");
  for (const std::string& name : NamesIn("")) {
    if (!NamesIn(name).empty()) {
      const YAML::Node node = top.Find(name);
      if (!node.IsDefined() || node.IsNull()) continue;
      YamlMap section(node, file_, name);
      for (const Key& key : Keys()) {
        if (key.section == name) take(&section, key);
      }
      section.Finish();
    } else {
      take(&top, KeyOf(name));
    }
  }
  top.Finish();
}

const Values::Value* Values::Find(const std::string& path) const {
  const auto found = values_.find(path);
  return found == values_.end() ? nullptr : &found->second;
}

std::string Values::Text(const std::string& path) const {
  if (const Value* value = Find(path)) return value->text;
  const Key& key = KeyOf(path);
  if (key.initial == kRequired) throw UsageError(fmt::format("{}: {}: is missing; it says: {}", file_, path, key.help));
  return key.initial;
}

std::optional<std::int64_t> Values::MaybeNumber(const std::string& path) const {
  const std::string text = Text(path);
  if (text.empty()) return std::nullopt;
  return ParseInteger(text, path);
}

std::optional<double> Values::MaybeShare(const std::string& path) const {
  const std::string text = Text(path);
  if (text.empty()) return std::nullopt;
  return ParseReal(text, path);
}

const std::vector<std::string>& Values::Texts(const std::string& path) const {
  static const std::vector<std::string> kNone;
  const Value* value = Find(path);
  return value ? value->texts : kNone;
}

const std::vector<std::pair<std::string, std::string>>& Values::Pairs(const std::string& path) const {
  static const std::vector<std::pair<std::string, std::string>> kNone;
  const Value* value = Find(path);
  return value ? value->pairs : kNone;
}

std::string Values::Origin(const std::string& path) const {
  const Value* value = Find(path);
  return value ? fmt::format("{}:{}: {}", file_, value->line, path) : fmt::format("{}: {}", file_, path);
}

void Values::Refuse(const std::string& path, const std::string& reason) const {
  if (Given(path)) throw UsageError(fmt::format("{} {}; leave it out", Origin(path), reason));
}

}  // namespace tilefly::conform
