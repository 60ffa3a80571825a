// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/plan_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "golden/common/register_write.h"
#include "support/errors.h"

namespace tilefly::runs {
namespace {

using faults::EventKind;
using faults::PlannedEvent;

/// A receiver that is silent for longer may make an end give its link up.
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

/// The registers that a plan writes change nothing of what must become of a frame.
void CheckWrite(const PlannedEvent& event, const cosim::SwitchSetup& setup) {
  const faults::PlannedWrite& write = event.write;
  if (write.node != 0)
    throw UsageError(fmt::format("{}: switch: there is no switch {}; `tilefly cosim` has one, write switch: 0", event.origin, write.node));
  const bool is_retry = write.space == CfgSpace::kPort && write.index == static_cast<int>(PortReg::kRetry);
  const bool is_lanes = write.space == CfgSpace::kPort && write.index == static_cast<int>(PortReg::kLanes);
  if (!is_retry && !is_lanes)
    throw UsageError(fmt::format("{}: index: {} {} is not written by a plan of `tilefly cosim`, whose books foretell each frame; write RETRY "
                                 "(9) or LANES (10) of the space PORT, or run `tilefly net`",
                                 event.origin, ToString(write.space), write.index));
  if (write.port && *write.port >= setup.profile().ports)
    throw UsageError(fmt::format("{}: port: there is no port {}; the switch has 0 to {}", event.origin, *write.port, setup.profile().ports - 1));
  const int width = is_retry ? PortRetry::kWidth : PortLanes::kWidth;
  if (write.value >> width != 0)
    throw UsageError(fmt::format("{}: value: 0x{:x} has more than the {} bits of the register", event.origin, write.value, width));
  const int down = setup.retry_register().down;
  if (is_retry && PortRetry::FromBits(write.value).down != down)
    throw UsageError(fmt::format("{}: value: 0x{:x} writes {} in the field `down`, and the partners have {}; both ends of a link need one "
                                 "value: set it by `retry: {{down: ...}}`",
                                 event.origin, write.value, PortRetry::FromBits(write.value).down, down));
  if (is_retry && PortRetry::FromBits(write.value).timer == 0)
    throw UsageError(fmt::format("{}: value: 0x{:x} has 0 in the field `timer`, which runs out in each cycle; write 1 or more",
                                 event.origin, write.value));
}

/// Whether a link may go down by the event.
bool TakesDown(const PlannedEvent& event) {
  if (event.kind == EventKind::kStuck) return !event.cycles || *event.cycles > kLongestStuck;
  return event.kind == EventKind::kDown || (event.kind == EventKind::kLaneDown && event.direction == faults::Direction::kBoth);
}

void CheckBeside(const PlannedEvent& event, bool takes_down, const PlanRun& run) {
  if (run.outages && (event.kind == EventKind::kDown || event.kind == EventKind::kUp))
    throw UsageError(fmt::format("{}: kind: {} beside --outages, which takes links down, too; leave one of them out", event.origin,
                                 NameOf(event.kind)));
  if (run.reductions && takes_down)
    throw UsageError(fmt::format("{}: kind: a link may go down by it and lose packets of reductions, which their peers do not allow; leave "
                                 "out {}{}",
                                 event.origin,
                                 run.everything ? "the event, or give what you need in the place of --traffic everything, without "
                                                  "--reductions"
                                                : "--reductions or the event",
                                 event.kind == EventKind::kStuck ? fmt::format(", or give `for` up to {}", kLongestStuck) : ""));
  const bool of_lane = event.kind == EventKind::kLaneDown || event.kind == EventKind::kLaneUp;
  if (of_lane && event.lane >= run.lanes)
    throw UsageError(fmt::format("{}: lane: there is no SerDes lane {}; with --lanes {} a link has 0 to {}", event.origin, event.lane, run.lanes,
                                 run.lanes - 1));
  if (of_lane && !run.observes)
    throw UsageError(fmt::format("{}: kind: which SerDes lanes a switch uses says its observation record, and no device has one; give "
                                 "--devices with golden",
                                 event.origin));
}

/// Whether a SerDes lane of the other direction of the link is dead when that of the event dies.
bool DiesInBothDirections(const PlannedEvent& event, const std::vector<PlannedEvent>& events) {
  if (event.kind != EventKind::kLaneDown) return false;
  return std::any_of(events.begin(), events.end(), [&](const PlannedEvent& other) {
    const bool dies = other.kind == EventKind::kLaneDown && other.link == event.link && other.direction != event.direction;
    if (!dies || other.at > event.at || (other.cycles && event.at >= other.at + *other.cycles)) return false;
    return std::none_of(events.begin(), events.end(), [&](const PlannedEvent& up) {
      return up.kind == EventKind::kLaneUp && up.link == other.link && up.direction == other.direction && up.lane == other.lane &&
             up.at >= other.at && up.at <= event.at;
    });
  });
}

/// What is so from one event to another one, each by a name of its own.
class Lasting {
 public:
  void Begin(const PlannedEvent& event, const std::string& name, const std::string& state) {
    Span& span = spans_[name];
    if (event.at < span.till)
      throw UsageError(fmt::format("{}: at: {} then, by {}; give a later cycle, or leave it out", event.origin, state, span.origin));
    span = {event.cycles ? event.at + *event.cycles : kNever, event.origin};
  }
  void End(const PlannedEvent& event, const std::string& name, const std::string& state) {
    Span& span = spans_[name];
    if (event.at >= span.till)
      throw UsageError(fmt::format("{}: at: {} then; give the cycle of a time in which it is, or leave it out", event.origin, state));
    span.till = event.at;
  }

 private:
  struct Span {
    Cycle till = 0;
    std::string origin;
  };
  std::map<std::string, Span> spans_;
};

/// No event begins what is so, or ends what is not.
void CheckOrder(const PlannedEvent& event, Lasting* lasting) {
  const std::string link = event.link.Text();
  if (event.kind == EventKind::kDown) return lasting->Begin(event, link, "the link is down");
  if (event.kind == EventKind::kUp) return lasting->End(event, link, "the link is not down");
  for (const faults::Direction way : {faults::Direction::kOut, faults::Direction::kIn}) {
    if (event.direction != way && event.direction != faults::Direction::kBoth) continue;
    const char* const name = way == faults::Direction::kOut ? "out" : "in";
    const std::string lane = fmt::format("{} {} {}", link, name, event.lane);
    if (event.kind == EventKind::kStuck) lasting->Begin(event, link + name, "the receiver is stuck");
    if (event.kind == EventKind::kLaneDown) lasting->Begin(event, lane, "the SerDes lane is dead");
    if (event.kind == EventKind::kLaneUp) lasting->End(event, lane, "the SerDes lane is not dead");
  }
}

}  // namespace

void CheckPlan(const faults::Plan& plan, const cosim::SwitchSetup& setup, const PlanRun& run) {
  if (plan.manager)
    throw UsageError(fmt::format("{}: a system has a manager of the fabric, and one switch has none; leave the key out, or run "
                                 "`tilefly net`",
                                 plan.manager->origin));
  if (!plan.fec_origin.empty())
    throw UsageError(fmt::format("{}: the links of one switch have the delay that --link-delay gives; leave the key out, and give "
                                 "--link-delay, or run `tilefly net`",
                                 plan.fec_origin));
  for (const faults::PlannedLink& link : plan.links) CheckLink(link.link, link.origin, setup);
  Lasting lasting;
  for (const PlannedEvent& event : plan.events) {
    if (event.kind == EventKind::kTable) {
      CheckWrite(event, setup);
      continue;
    }
    CheckLink(event.link, event.origin + ": link", setup);
    const bool takes_down = TakesDown(event) || DiesInBothDirections(event, plan.events);
    CheckBeside(event, takes_down, run);
    const bool may_end = event.kind == EventKind::kStuck || takes_down;
    if (run.routed && may_end && setup.retry_register().down != faults::kBlock)
      throw UsageError(fmt::format("{}: kind: the switch sends frames of a link that goes down another way, and the books of --routed do not "
                                   "know which; leave {}the event out, or give `retry: {{down: block}}`",
                                   event.origin, run.everything ? "" : "--routed or "));
    CheckOrder(event, &lasting);
  }
}

std::vector<PlannedWrite> WritesOf(const faults::Plan& plan) {
  std::vector<PlannedWrite> writes;
  for (const PlannedEvent& event : plan.events) {
    if (event.kind != EventKind::kTable) continue;
    const faults::PlannedWrite& write = event.write;
    writes.push_back({event.at, write.port.value_or(-1),
                      golden::WriteRegister(write.port.value_or(golden::kAllPorts), write.space, write.index, write.value),
                      fmt::format("{} {} = 0x{:x}", ToString(write.space), write.index, write.value)});
  }
  return writes;
}

}  // namespace tilefly::runs
