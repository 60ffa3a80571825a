// SPDX-License-Identifier: Apache-2.0
#include "support/registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/errors.h"

namespace tilefly {
namespace {

bool IsName(const std::string& name) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && is_small(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_small(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

}  // namespace

std::vector<std::string> ExtensionNames::Names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.name);
  return names;
}

void ExtensionNames::Enter(const std::string& name, const std::string& help) {
  if (!IsName(name))
    throw UsageError(fmt::format("{} '{}': a name has small letters, digits, - and _, and a letter first", kind_, name));
  if (PlaceOf(name) >= 0 || std::find(taken_.begin(), taken_.end(), name) != taken_.end())
    throw UsageError(fmt::format("{} '{}': there is one of this name already; take another name", kind_, name));
  entries_.push_back({name, help});
}

int ExtensionNames::PlaceOf(const std::string& name) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == entries_.end() ? -1 : static_cast<int>(found - entries_.begin());
}

}  // namespace tilefly
