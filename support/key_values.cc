// SPDX-License-Identifier: Apache-2.0
#include "support/key_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "support/errors.h"
#include "support/text.h"

namespace tilefly {

KeyValues::KeyValues(std::string origin, const std::string& text) : origin_(std::move(origin)) { Override(text); }

void KeyValues::Override(const std::string& text) {
  std::set<std::string> given;
  for (const std::string& part : Split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == part.size())
      throw UsageError(fmt::format("{}: '{}' is not written as key=value", origin(), part));
    const std::string key = part.substr(0, equals);
    if (!given.insert(key).second) throw UsageError(fmt::format("{}: key '{}' appears twice", origin(), key));
    const auto old = std::find_if(values_.begin(), values_.end(), [&](const auto& one) { return one.first == key; });
    if (old != values_.end()) {
      old->second = part.substr(equals + 1);
    } else {
      values_.emplace_back(key, part.substr(equals + 1));
    }
  }
}

const std::string* KeyValues::Find(const std::string& key) const {
  for (const auto& [name, value] : values_) {
    if (name == key) return &value;
  }
  return nullptr;
}

bool KeyValues::Has(const std::string& key) const { return Find(key) != nullptr; }

std::string KeyValues::Text(const std::string& key, const std::string& initial) {
  asked_.push_back(key);
  const std::string* const value = Find(key);
  return value != nullptr ? *value : initial;
}

std::string KeyValues::Text(const std::string& key) {
  if (Has(key)) return Text(key, "");
  std::vector<std::string> given;
  for (const auto& one : values_) given.push_back(one.first);
  throw UsageError(fmt::format("{}: key '{}' is missing; add {}=VALUE to what was given ({})", origin(), key, key,
                               given.empty() ? "nothing" : fmt::format("{}", fmt::join(given, ", "))));
}

int KeyValues::Integer(const std::string& key, int least, int most, const std::string& why) {
  const std::string text = Text(key);
  const std::int64_t value = ParseInteger(text, origin() + ": " + key);
  if (value < least || value > most)
    throw UsageError(fmt::format("{}: {}={} is not between {} and {}{}", origin(), key, value, least, most,
                                 value > most ? ": " + why : ""));
  return static_cast<int>(value);
}

int KeyValues::Integer(const std::string& key, int initial, int least, int most, const std::string& why) {
  if (Has(key)) return Integer(key, least, most, why);
  asked_.push_back(key);
  if (initial < least || initial > most)
    throw UsageError(fmt::format("{}: {}={} (its default here) is not between {} and {}: {}", origin(), key, initial,
                                 least, most, why));
  return initial;
}

std::string KeyValues::Choice(const std::string& key, const std::string& initial,
                              const std::vector<std::string>& known) {
  const std::string value = Text(key, initial);
  if (std::find(known.begin(), known.end(), value) == known.end())
    ThrowUnknown(fmt::format("{} of {}", key, origin()), value, known);
  return value;
}

void KeyValues::Finish() const {
  for (const auto& [key, value] : values_) {
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end())
      ThrowUnknown(fmt::format("key of {}", origin()), key, asked_);
  }
}

}  // namespace tilefly
