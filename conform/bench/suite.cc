// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "conform/bench/claims.h"
#include "conform/bench/link_tests.h"
#include "conform/bench/stream_tests.h"
#include "support/errors.h"
#include "support/text.h"

namespace tilefly::conform {
namespace {

/// The situations that the test had to meet and did not. Throws std::logic_error for a name that no situation has.
std::string Missed(const Capability& capability, const Scenario& scenario, const Outcome& outcome) {
  std::vector<std::string> missed;
  const std::vector<SituationKind>& kinds = SituationKinds();
  for (const char* const name : scenario.demands) {
    const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const SituationKind& one) { return std::strcmp(name, one.name) == 0; });
    if (kind == kinds.end()) throw std::logic_error(fmt::format("no situation has the name {}", name));
    if (kind->applies(capability) && outcome.situations[static_cast<std::size_t>(kind - kinds.begin())] == 0)
      missed.push_back(fmt::format("{} ({})", kind->name, kind->what));
  }
  return fmt::format("{}", fmt::join(missed, ", "));
}

}  // namespace

const std::vector<Test>& Suite(PortStyle style) {
  static const std::vector<Test> kStreams = StreamTests();
  static const std::vector<Test> kLinks = LinkTests();
  return style == PortStyle::kLink ? kLinks : kStreams;
}

bool IsLong(const Test& test, const Capability& capability) {
  return test.link ? test.link(capability).long_run : test.scenario(capability).long_run;
}

const Test& TestOf(const std::string& id, PortStyle style) {
  std::vector<std::string> ids;
  for (const Test& test : Suite(style)) {
    if (test.id == id) return test;
    ids.push_back(test.id);
  }
  const std::string nearest = Resembling(id, ids);
  throw UsageError(fmt::format("unknown test '{}'; {}`tilefly conform list` names all", id,
                               nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest)));
}

Judgement Judge(const Capability& capability, const Scenario& scenario, const Outcome& outcome) {
  if (!outcome.breach.empty()) return {Verdict::kFail, outcome.breach};
  if (!outcome.complete)
    return {Verdict::kUndecided, fmt::format("the test was ended in cycle {}, before it was over", outcome.cycle)};
  if (outcome.counts.offered == 0) return {Verdict::kFail, "no frame went in: nothing was checked"};
  const auto pass = [&]() -> Judgement {
    if (const std::string missed = Missed(capability, scenario, outcome); !missed.empty())
      return {Verdict::kUndecided, fmt::format("the test is about a situation that it did not meet: {}", missed),
              "situation"};
    if (scenario.mask.empty()) return {};
    return {Verdict::kUndecided, "no rule is broken of those that were judged; left out: " + scenario.mask.Text()};
  };
  const ClaimKind* const kind = KindOf(scenario.measure);
  if (kind == nullptr) return pass();
  const std::optional<double> bound = kind->bound(capability.claims);
  if (!bound) return pass();
  if (!outcome.measured) return {Verdict::kUndecided, fmt::format("claims.{}: nothing was measured", kind->key)};
  Judgement judgement = JudgeBound(*kind, *bound, *outcome.measured);
  return judgement.verdict == Verdict::kPass ? pass() : judgement;
}

}  // namespace tilefly::conform
