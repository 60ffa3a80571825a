// SPDX-License-Identifier: Apache-2.0
#include "conform/reference/reference.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/errors.h"

namespace tilefly::conform {
namespace {

Scenario ScenarioOf(const Capability& capability, const std::string& id) {
  const Test& test = TestOf(id);
  const std::string excuse =
      test.level > capability.claims.level ? "claims.level is below it" : test.excuse(capability);
  if (!excuse.empty())
    throw UsageError(fmt::format("{} does not apply to {}: {}", id, capability.file.string(), excuse));
  return test.scenario(capability);
}

}  // namespace

Reference::Reference(const std::string& capability, const std::string& test, std::uint64_t seed)
    : capability_(ReadCapability(capability, false)),
      test_(test),
      seed_(seed),
      scenario_(ScenarioOf(capability_, test)),
      bench_(capability_, scenario_, seed),
      was_shown_(static_cast<std::size_t>(capability_.ports), false) {
  shown_.in_ready.assign(was_shown_.size(), false);
  shown_.out.resize(was_shown_.size());
}

Turn Reference::Next() {
  if (!reset_) {
    reset_ = true;
    return turn_ = Turn::kReset;
  }
  if (turn_ == Turn::kCycle) EndCycle();
  return turn_ = bench_.Next();
}

void Reference::EndCycle() {
  const auto missing = std::find(was_shown_.begin(), was_shown_.end(), false);
  if (missing != was_shown_.end())
    throw UsageError(
        fmt::format("cycle {}: tfr_show was not called for port {}", bench_.now(), missing - was_shown_.begin()));
  if (!capability_.flow.drops.empty() && !drops_shown_)
    throw UsageError(
        fmt::format("cycle {}: tfr_show_drops was not called, and the capability file has flow.drops", bench_.now()));
  std::fill(was_shown_.begin(), was_shown_.end(), false);
  drops_shown_ = false;
  bench_.Judge(shown_);
}

const StreamInputs& Reference::Inputs() const {
  if (turn_ != Turn::kCycle || !reset_)
    throw UsageError("no cycle is under way: tfr_next has to answer TFR_CYCLE before");
  return bench_.inputs();
}

std::size_t Reference::PortOf(std::uint32_t port) const {
  if (port < static_cast<std::uint32_t>(capability_.ports)) return port;
  throw UsageError(
      fmt::format("there is no port {}: the capability file has {} (ports.count)", port, capability_.ports));
}

void Reference::Show(std::size_t port, bool ready, const Beat& beat) {
  Inputs();
  if (was_shown_[port]) throw UsageError(fmt::format("cycle {}: port {} is shown twice", bench_.now(), port));
  was_shown_[port] = true;
  shown_.in_ready[port] = ready;
  shown_.out[port] = beat;
}

void Reference::ShowDrops(std::uint64_t drops) {
  Inputs();
  if (capability_.flow.drops.empty())
    throw UsageError("tfr_show_drops has no effect: the capability file has no flow.drops");
  if (drops_shown_) throw UsageError(fmt::format("cycle {}: the drop counter is shown twice", bench_.now()));
  drops_shown_ = true;
  shown_.drops = drops;
}

void Reference::ShowUnknown(std::size_t port, const std::string& signal) {
  Show(port, false, Beat{});
  bench_.Reject("unknown", static_cast<int>(port), signal + " is X or Z");
}

TestResult Reference::Result() const {
  TestResult result{test_, seed_, bench_.Found(), {}, 1};
  result.judgement = Judge(capability_, scenario_, result.outcome);
  return result;
}

}  // namespace tilefly::conform
