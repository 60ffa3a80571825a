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
  if (!node.IsScalar()) throw UsageError(origin + ": a plain value was expected");
  if (node.Scalar().empty()) throw UsageError(origin + ": the value is empty; give one, or leave the key out");
  return node.Scalar();
}

/// The line of a key in its section, from 1 on.
int LineOf(const YAML::Node& section, const std::string& key) {
  for (const auto& entry : section) {
    if (entry.first.Scalar() == key) return entry.first.Mark().line + 1;
  }
  return section.Mark().line + 1;
}

/// A word, and each item of a list of words, is one of the key's.
void RequireWords(const Key& key, const std::vector<std::string>& words, const std::string& origin) {
  if (key.words.empty()) return;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (std::find(key.words.begin(), key.words.end(), *word) == key.words.end())
      ThrowUnknownWord(origin, "value", *word, key.words);
    if (std::find(words.begin(), word, *word) != word)
      throw UsageError(fmt::format("{}: {} is there twice; give it once", origin, *word));
  }
}

}  // namespace

const Key& KeyOf(const std::string& path) {
  const auto& keys = Keys();
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& key) { return key.Path() == path; });
  if (found == keys.end()) throw std::logic_error("capability: no key " + path);
  return *found;
}

void ThrowUnknownWord(const std::string& origin, const std::string& noun, const std::string& word,
                      const std::vector<std::string>& known) {
  const std::string nearest = Resembling(word, known);
  throw UsageError(fmt::format("{}: unknown {} '{}'; {}known are {}", origin, noun, word,
                               nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                               fmt::join(known, ", ")));
}

void Values::Take(const YAML::Node& section, YamlMap* map, const Key& key) {
  const YAML::Node node = map->Find(key.name);
  if (!node.IsDefined()) return;
  Value value;
  value.line = LineOf(section, key.name);
  const std::string origin = fmt::format("{}:{}: {}", file_, value.line, key.Path());
  if (node.IsNull()) {
    unfilled_.push_back(fmt::format("{}: is to be filled in{}: {}{}", origin,
                                    key.initial == kRequired ? "" : ", or left out", key.help, Choices(key)));
    return;
  }
  switch (key.kind) {
    case KeyKind::kTexts:
      if (!node.IsSequence() || node.size() == 0) throw UsageError(origin + ": a list was expected: [ONE, TWO]");
      for (const YAML::Node& item : node) value.texts.push_back(Plain(item, origin));
      RequireWords(key, value.texts, origin);
      break;
    case KeyKind::kPairs: {
      const YamlMap pairs(node, file_, key.Path());  // refuses what is no mapping, and names that are there twice
      for (const auto& pair : node)
        value.pairs.emplace_back(pair.first.Scalar(), Plain(pair.second, origin + ": " + pair.first.Scalar()));
      break;
    }
    default:
      value.text = Plain(node, origin);
      RequireWords(key, {value.text}, origin);
  }
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
}

Values::Values(const std::filesystem::path& file) : file_(file.string()) {
  const YAML::Node root = LoadYaml(file);
  if (!root.IsDefined() || root.IsNull())
    throw UsageError(file_ + ": nothing in it; `tilefly conform init` writes one to begin with");
  YamlMap top(root, file_, "capability file");
  for (const std::string& name : NamesIn("")) {
    if (!NamesIn(name).empty()) {
      const YAML::Node node = top.Find(name);
      if (!node.IsDefined() || node.IsNull()) continue;
      YamlMap section(node, file_, name);
      for (const Key& key : Keys()) {
        if (key.section == name) Take(node, &section, key);
      }
      section.Finish();
    } else {
      Take(root, &top, KeyOf(name));
    }
  }
  top.Finish();
  if (!unfilled_.empty()) throw UsageError(fmt::format("{}", fmt::join(unfilled_, "\n")));
}

const Values::Value* Values::Find(const std::string& path) const {
  const auto found = values_.find(path);
  return found == values_.end() ? nullptr : &found->second;
}

std::string Values::Text(const std::string& path) const {
  if (const Value* value = Find(path)) return value->text;
  const Key& key = KeyOf(path);
  if (key.initial == kRequired) RequireGiven(path);
  return key.initial;
}

void Values::RequireGiven(const std::string& path) const {
  const Key& key = KeyOf(path);
  if (!Given(path)) throw UsageError(fmt::format("{}: {}: is missing; give {}{}", file_, path, key.help, Choices(key)));
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
