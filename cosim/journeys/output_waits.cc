// SPDX-License-Identifier: Apache-2.0
#include "cosim/journeys/output_waits.h"

#include <algorithm>

#include "golden/common/stage_times.h"

namespace tilefly::cosim {

OutputWaits::OutputWaits(const SwitchSetup& setup)
    : setup_(setup), table_(setup.profile()), outputs_(static_cast<std::size_t>(setup.profile().ports)) {}

void OutputWaits::Sent(const Frame& frame, Cycle last) {
  if (frame.enh || frame.expect_drop == Drop::kLong || setup_.mode(frame.source).credits) return;
  const AskedPause asked = ReadPause(frame.bytes);
  if (asked.classes == 0 || CheckOf(frame.bytes) != Check::kGood) return;
  outputs_[static_cast<std::size_t>(frame.source)].pauses.push_back({last + golden::kWireToEvent, asked});
}

/// Those of the cycles before.
void OutputWaits::TakePauses(Cycle now, int lanes, Output* output) {
  for (; !output->pauses.empty() && output->pauses.front().at < now; output->pauses.pop_front()) {
    const Pause& pause = output->pauses.front();
    for (std::size_t c = 0; c < output->paused_until.size(); ++c) {
      if ((pause.asked.classes >> c & 1) != 0)
        output->paused_until[c] = pause.at + PauseCycles(pause.asked.quanta[c], lanes);
    }
  }
}

/// Events of the cycle before: returns are judged before its grant.
void OutputWaits::TakeCredits(Cycle now, const Portobs& obs, Output* output) const {
  bool changed = false;
  for (; !output->returns.empty() && output->returns.front().at < now; output->returns.pop_front()) {
    const Return& due = output->returns.front();
    changed |= output->credits.Return(due.lane, due.cells, table_);
  }
  if (obs.dec_valid && !obs.dec_reroute) output->credits.Grant(obs.dec_vl, obs.dec_cells, table_);
  if (!changed && !obs.dec_valid) return;
  output->without_credit = 0;
  for (int lane = 0; lane < setup_.profile().vls; ++lane) {
    if (!output->credits.LaneOk(lane, table_, setup_.profile().mtu_cells)) output->without_credit |= 1u << lane;
  }
}

unsigned OutputWaits::PausedLanes(Cycle now, const Output& output) const {
  if (std::none_of(output.paused_until.begin(), output.paused_until.end(), [&](Cycle until) { return now < until; }))
    return 0;
  unsigned paused = 0;
  for (int lane = 0; lane < setup_.profile().vls; ++lane) {
    const int tc = setup_.classes() ? setup_.classes()->OfLane(lane) : lane & (golden::kMaxClasses - 1);
    if (now < output.paused_until[static_cast<std::size_t>(tc)]) paused |= 1u << lane;
  }
  return paused;
}

void OutputWaits::Sample(Cycle now, const Observation& observation, const Device::Inputs& inputs) {
  now_ = now;
  for (std::size_t port = 0; port < outputs_.size(); ++port) {
    Output& output = outputs_[port];
    const Portobs& obs = observation.ports[port];
    const bool credits = setup_.mode(static_cast<int>(port)).credits;
    if (credits) {
      TakeCredits(now, obs, &output);
    } else {
      TakePauses(now, setup_.mode(static_cast<int>(port)).lanes, &output);
    }
    const Hold hold = !output.up                                      ? Hold::kDown
                      : obs.obuf_room < setup_.profile().mtu_cells ? Hold::kNoRoom
                                                                      : Hold::kNone;
    const unsigned lanes = credits ? output.without_credit : PausedLanes(now, output);
    Turn(now, hold, hold == Hold::kNone ? lanes : 0, &output);
    output.up = inputs.link_up[port];
    const Ctrl& ctrl = inputs.links[port].ctrl;
    if (credits && output.up && ctrl.credit_valid)
      output.returns.push_back({now + golden::kWireToEvent, ctrl.credit_vl, ctrl.credit_cells});
  }
}

/// From cycle `now` on this holds.
void OutputWaits::Turn(Cycle now, Hold hold, unsigned blocked, Output* output) {
  if (hold == output->hold && blocked == output->blocked) return;
  const Cycle spent = now - output->since;
  if (output->hold == Hold::kDown) output->down += spent;
  if (output->hold == Hold::kNoRoom) output->no_room += spent;
  for (unsigned left = output->blocked; left != 0; left &= left - 1)
    output->no_credit[static_cast<std::size_t>(__builtin_ctz(left))] += spent;
  output->hold = hold;
  output->blocked = blocked;
  output->since = now;
}

OutputWaits::Counts OutputWaits::Of(int output, int lane) const {
  const Output& own = outputs_[static_cast<std::size_t>(output)];
  Counts counts{own.down, own.no_room, own.no_credit[static_cast<std::size_t>(lane)]};
  const Cycle open = now_ - own.since;
  if (own.hold == Hold::kDown) counts.down += open;
  if (own.hold == Hold::kNoRoom) counts.no_room += open;
  if ((own.blocked >> lane & 1) != 0) counts.no_credit += open;
  return counts;
}

}  // namespace tilefly::cosim
