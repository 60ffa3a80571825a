// SPDX-License-Identifier: Apache-2.0
#include "conform/run/choice.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "conform/bench/suite.h"
#include "conform/run/certificate.h"
#include "support/errors.h"

namespace tilefly::conform {

Choice Choose(const Capability& capability, const std::vector<std::string>& patterns, bool without_long) {
  Choice choice;
  bool known = false;
  for (const Test& test : Suite(capability.style)) {
    const auto matches = [&](const std::string& pattern) { return fnmatch(pattern.c_str(), test.id.c_str(), 0) == 0; };
    if (!patterns.empty() && std::none_of(patterns.begin(), patterns.end(), matches)) continue;
    known = true;
    if (!ExcuseOf(test, capability).empty()) {
      ++choice.excused;
    } else if (without_long && IsLong(test, capability)) {
      choice.left_out.push_back(test.id);
    } else {
      choice.tests.push_back(test.id);
    }
  }
  if (!known) {
    for (const std::string& pattern : patterns) TestOf(pattern, capability.style);  // names the nearest
  }
  if (choice.tests.empty())
    throw UsageError(fmt::format(
        "{}: no test applies ({} do not: `tilefly conform list {}` says why): a claim without a test is none",
        capability.file.string(), choice.excused, capability.file.string()));
  return choice;
}

}  // namespace tilefly::conform
