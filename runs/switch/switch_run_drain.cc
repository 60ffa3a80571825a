// SPDX-License-Identifier: Apache-2.0
// The end of a run of a switch: it is drained, its counters are read, and the books are closed.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cosim/errors.h"
#include "runs/switch/switch_run.h"

namespace tilefly::runs {

/// Everything that went in has come out, credits are home, and drops had time to be counted.
bool SwitchRun::Quiet(Cycle now) {
  const bool idle =
      now >= begin_ && scoreboard_.outstanding() == 0 && (!reductions_ || reductions_->Quiet()) &&
      std::all_of(endpoints_.begin(), endpoints_.end(), [now](const auto& endpoint) { return endpoint->Quiet(now); });
  if (!idle) quiet_since_ = now;
  return now - quiet_since_ >= (scoreboard_.uncertain() > 0 ? kSettleUncertain : kSettle);
}

/// Reductions wait for more than packets, and see to it themselves.
bool SwitchRun::StandsStill(Cycle now) {
  const bool source_waits = scoreboard_.outstanding() == 0 && !traffic_over_;
  const bool rests = std::any_of(endpoints_.begin(), endpoints_.end(), [now](const auto& endpoint) {
    return endpoint->retry() != nullptr && endpoint->retry()->Rests(now);
  });
  const bool excused = now < begin_ || rests || (reductions_ && !reductions_->Quiet());
  return standstill_.Look(now, scoreboard_.books().offered, source_waits, excused);
}

/// A link was given up, and with it went what the books, or the peers of reductions, demand; empty: nothing of the kind.
std::string SwitchRun::WhyUndecided() const {
  const bool routed = takes_back_ && options_.generator.routed > 0 && !options_.capture.used();
  if (setup_.retry_ports() == 0 || (!routed && !reductions_)) return "";
  const auto given_up = std::find_if(endpoints_.begin(), endpoints_.end(), [](const auto& endpoint) {
    return endpoint->retry() != nullptr && endpoint->retry()->given_up() > 0;
  });
  if (given_up == endpoints_.end()) return "";
  const char* const why = reductions_ ? "packets of reductions may be lost with it, which their peers do not allow"
                                      : "the switch sends its frames another way, and the books of --routed do not know which";
  const char* const leave_out = options_.everything ? "give what you need in the place of --traffic everything, without --routed and --reductions"
                                : reductions_       ? "leave --reductions out"
                                                    : "leave --routed out";
  return fmt::format("cycle {} ({} of traffic): an end of the link of port {} gave it up: {}; let no link be given up by `retry: "
                     "{{limit: 255, watchdog: 0}}` in the plan, give lower error rates, or {}",
                     lockstep_.cycle() - 1, lockstep_.cycle() - 1 - begin_, given_up - endpoints_.begin(), why, leave_out);
}

/// Copies that outputs refuse leave nothing on any link: the counters are read until they have all of them, or no more
/// come.
void SwitchRun::ReadCounters(const RunControl& control) {
  const std::vector<Cfg> reads = lockstep_.CounterReads();
  std::vector<std::int64_t> pauses;
  for (const auto& endpoint : endpoints_) pauses.push_back(endpoint->pauses().received());
  std::int64_t refused = -1;
  Cycle since = lockstep_.cycle();
  do {
    register_bus_.assign(reads.begin(), reads.end());
    for (std::size_t i = 0; i < reads.size() + static_cast<std::size_t>(kRegisterLatency); ++i) RunCycle(control);
    if (const std::int64_t now = Refused(); now != refused) {
      refused = now;
      since = lockstep_.cycle();
    }
  } while (lockstep_.counting() != nullptr && refused < scoreboard_.refused() && lockstep_.cycle() - std::max(since, standstill_.PausesEnd()) <= standstill_.patience());
  // The last refused copy may hold its room for as long as its words would have been on the link.
  if (refused > 0 || (lockstep_.counting() == nullptr && scoreboard_.refused() > 0)) {
    const Cycle last = cosim::SlotCycles(options_.profile->mtu_words_enh, options_.lanes);
    for (Cycle i = 0; i < last; ++i) RunCycle(control);
  }
  lockstep_.CompareCounters();
  std::function<std::uint64_t(int, Drop)> counter;
  std::function<cosim::LostBounds(int)> bounds;
  if (cosim::Device* const counting = lockstep_.counting()) {
    counter = [counting](int port, Drop drop) { return counting->Counter(port, static_cast<int>(drop)); };
    bounds = [this](int port) { return LostBoundsOf(port); };
  }
  scoreboard_.Close(lockstep_.cycle(), counter, bounds);
  CheckPauses(pauses);
  lockstep_.CheckDrained();
}

/// Each pause of a flow that a port counts comes to its partner, where the link loses none. Sweeps of throttled channels go
/// on while the counters are read: `before` came until then, by port, and the last ones, at most one a cycle, are on their
/// way.
void SwitchRun::CheckPauses(const std::vector<std::int64_t>& before) const {
  constexpr Cycle kOnTheWay = 6;  // from the count to the link
  if (lockstep_.counting() == nullptr) return;
  for (const auto& endpoint : endpoints_) {
    const int port = endpoint->port();
    if (!setup_.mode(port).flows || endpoint->retry() != nullptr) continue;
    const auto counted = static_cast<std::int64_t>(lockstep_.counting()->Counter(port, static_cast<int>(Counter::kFlowPauses)));
    const std::int64_t after = endpoint->pauses().received();
    if (counted >= before[static_cast<std::size_t>(port)] && counted <= after + kOnTheWay + options_.link_delay) continue;
    throw cosim::CheckFailure(lockstep_.cycle(), port, 0,
                              fmt::format("FLOW_PAUSES says {}, and {} pauses of flows came", counted, after));
  }
}

/// Packets that the link of a port has lost on their way out: those that were discarded, and those of the replay buffer that
/// had not come to the partner.
cosim::LostBounds SwitchRun::LostBoundsOf(int port) {
  const cosim::RetryLink* const link = endpoints_[static_cast<std::size_t>(port)]->retry();
  if (link == nullptr || link->downs() == 0) return {};
  const auto value = [&](Counter counter) {
    return static_cast<std::int64_t>(lockstep_.counting()->Counter(port, static_cast<int>(counter)));
  };
  const cosim::LostBeside& beside = link->lost_beside();
  const std::int64_t lost = value(Counter::kTxLost) + value(Counter::kReplayLost) - beside.arrived;
  return {lost - beside.may_arrive, lost + beside.uncounted, takes_back_};
}

/// Copies that the outputs' counters say to have been refused, as they were read last.
std::int64_t SwitchRun::Refused() {
  std::int64_t refused = 0;
  for (int port = 0; lockstep_.counting() != nullptr && port < options_.profile->ports; ++port)
    refused += static_cast<std::int64_t>(lockstep_.counting()->Counter(port, static_cast<int>(Drop::kNoEthHeader)));
  return refused;
}

}  // namespace tilefly::runs
