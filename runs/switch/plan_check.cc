// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/plan_check.h"

#include <fmt/format.h>

#include "support/errors.h"

namespace tilefly::runs {
namespace {

/// A receiver that is silent for longer makes the port give up its link.
constexpr std::int64_t kLongestStuck = 100'000;

void CheckLink(const faults::LinkName& link, const std::string& origin, const cosim::SwitchSetup& setup) {
  const int last = setup.profile().ports - 1;
  if (link.end != faults::LinkName::End::kPort)
    throw UsageError(
        fmt::format("{}: {} is a link of a system; here links are named by port, p0 to p{}", origin, link.Text(), last));
  if (link.port > last)
    throw UsageError(fmt::format("{}: there is no link {}; the switch has p0 to p{}", origin, link.Text(), last));
  if (setup.mode(link.port).retry) return;
  throw UsageError(fmt::format("{}: the link of {} has no retry, and without retry it would lose packets, which its partner "
                               "does not allow; {}",
                               origin, link.Text(),
                               setup.mode(link.port).std_format ? "name a fabric or an enhanced port"
                                                                : "give --retry on, or a share or seed that draws the port"));
}

void CheckKind(const faults::PlannedEvent& event) {
  using faults::EventKind;
  switch (event.kind) {
    case EventKind::kBer:
    case EventKind::kDropWord:
    case EventKind::kBadWord:
    case EventKind::kRepeatWord:
    case EventKind::kDropSlot:
    case EventKind::kBadSlot:
    case EventKind::kRepeatSlot:
      return;
    case EventKind::kStuck:
      if (event.cycles && *event.cycles <= kLongestStuck) return;
      throw UsageError(fmt::format("{}: a receiver that is stuck for more than {} cycles makes its port give up the link, which "
                                   "waits for landing step 4 of docs/blocks/link_retry.md; give a shorter `for`",
                                   event.origin, kLongestStuck));
    default:
      throw UsageError(fmt::format("{}: {} waits for landing step 4 of docs/blocks/link_retry.md; leave the event out",
                                   event.origin, NameOf(event.kind)));
  }
}

}  // namespace

void CheckPlan(const faults::Plan& plan, const cosim::SwitchSetup& setup) {
  for (const faults::PlannedLink& link : plan.links) CheckLink(link.link, link.origin, setup);
  for (const faults::PlannedEvent& event : plan.events) {
    CheckKind(event);
    CheckLink(event.link, event.origin, setup);
  }
}

}  // namespace tilefly::runs
