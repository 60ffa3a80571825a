// SPDX-License-Identifier: Apache-2.0
#include "conform/run/choice.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "conform/bench/suite.h"
#include "conform/run/certificate.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::conform {
namespace {

bool Matches(const std::string& pattern, const Test& test) { return fnmatch(pattern.c_str(), test.id.c_str(), 0) == 0; }

/// Each pattern is about some test.
void RequireTests(const Capability& capability, const std::vector<std::string>& patterns) {
  const std::vector<Test>& suite = Suite(capability.style);
  for (const std::string& pattern : patterns) {
    if (std::any_of(suite.begin(), suite.end(), [&](const Test& test) { return Matches(pattern, test); })) continue;
    std::vector<std::string> ids;
    for (const Test& test : suite) ids.push_back(test.id);
    const std::string nearest = Resembling(pattern, ids);
    throw UsageError(fmt::format("--tests: no test has the name '{}'; {}`tilefly conform list {}` names all", pattern,
                                 nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                                 capability.file.string()));
  }
}

}  // namespace

Choice Choose(const Capability& capability, const std::vector<std::string>& patterns, bool without_long) {
  RequireTests(capability, patterns);
  Choice choice;
  for (const Test& test : Suite(capability.style)) {
    const auto matches = [&](const std::string& pattern) { return Matches(pattern, test); };
    if (!patterns.empty() && std::none_of(patterns.begin(), patterns.end(), matches)) continue;
    if (!ExcuseOf(test, capability).empty()) {
      ++choice.excused;
    } else if (without_long && IsLong(test, capability)) {
      choice.left_out.push_back(test.id);
    } else {
      choice.tests.push_back(test.id);
    }
  }
  if (!choice.tests.empty()) return choice;
  if (!choice.left_out.empty())
    throw UsageError(
        fmt::format("{}: the tests that apply are long ones, and those are left out: name them by --tests, "
                    "without --short",
                    capability.file.string()));
  throw UsageError(
      fmt::format("{}: no test applies ({} chosen): `tilefly conform list {}` says why; a claim without a test is none",
                  capability.file.string(), choice.excused, capability.file.string()));
}

}  // namespace tilefly::conform
