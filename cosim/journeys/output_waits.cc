// SPDX-License-Identifier: Apache-2.0
#include "cosim/journeys/output_waits.h"

#include <algorithm>

#include "golden/common/stage_times.h"

namespace tilefly::cosim {

OutputWaits::OutputWaits(const SwitchSetup& setup)
    : setup_(setup), outputs_(static_cast<std::size_t>(setup.profile().ports)) {
  for (std::size_t port = 0; port < outputs_.size(); ++port) {
    outputs_[port].table = golden::CreditTable(setup.profile());
    outputs_[port].table.shared = setup.SharedCells(static_cast<int>(port));
    outputs_[port].healing = golden::SenderHealing(setup.profile().vls);
  }
}

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
    changed |= output->credits.Return(due.lane, due.cells, output->table);
  }
  if (obs.dec_valid) output->credits.Grant(obs.dec_vl, obs.dec_cells, output->table);
  if (changed || obs.dec_valid) FindBlocked(true, output);
}

/// The same with retry (docs/blocks/link_retry.md, Credits): credits begin anew with each link up, and what is sent again is
/// charged again. A packet has started two cycles before its first word is on the link, as an event of the cycle between.
void OutputWaits::HealCredits(Cycle now, const Portobs& obs, const Word& word, Output* output) const {
  bool changed = false;
  for (; !output->returns.empty() && output->returns.front().at < now; output->returns.pop_front()) {
    const Return& due = output->returns.front();
    changed |= output->healing.Return(&output->credits, due.lane, due.cells, output->table);
  }
  const bool granted = obs.dec_valid && !obs.dec_reroute;
  if (granted) {
    output->credits.Grant(obs.dec_vl, obs.dec_cells, output->table);
    output->healing.Granted(obs.dec_vl, obs.dec_cells);
  }
  const bool again = output->sent_again && word.valid && word.sop;
  if (again) {
    const Header header = Header::UnpackBytes(word.data.data());
    output->healing.Started(&output->credits, header.vl, golden::CellsOf(header.len), true, output->table);
  }
  output->sent_again = obs.start_valid && obs.start_again;
  if (!output->up) output->healing.LinkDown(&output->credits, output->table);
  if (changed || granted || again || !output->up) FindBlocked(output->healing.all_known(), output);
}

/// Lanes that may not send an MTU; all of them when the far end has not told of each lane what it holds.
void OutputWaits::FindBlocked(bool known, Output* output) const {
  output->without_credit = 0;
  for (int lane = 0; lane < setup_.profile().vls; ++lane) {
    if (!known || !output->credits.LaneOk(lane, output->table, setup_.profile().mtu_cells)) output->without_credit |= 1u << lane;
  }
}

/// Where the link is down for cells that are granted and not taken, the credits begin with these.
void OutputWaits::Taken(int output, int lane, int cells, bool lost) {
  if (!setup_.mode(output).retry) return;
  Output& own = outputs_[static_cast<std::size_t>(output)];
  if (lost) own.healing.Discarded(&own.credits, lane, cells, own.table);
  else own.healing.Taken(lane, cells);
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

void OutputWaits::Sample(Cycle now, const Seen& seen) {
  now_ = now;
  for (std::size_t port = 0; port < outputs_.size(); ++port) {
    Output& output = outputs_[port];
    const Portobs& obs = seen.observation.ports[port];
    const PortMode& mode = setup_.mode(static_cast<int>(port));
    const bool credits = mode.credits;
    if (mode.retry) {
      HealCredits(now, obs, seen.outputs[port].word, &output);
    } else if (credits) {
      TakeCredits(now, obs, &output);
    } else {
      TakePauses(now, mode.lanes, &output);
    }
    const Hold hold = !output.up                                      ? Hold::kDown
                      : obs.obuf_room < setup_.profile().mtu_cells ? Hold::kNoRoom
                                                                      : Hold::kNone;
    const unsigned lanes = credits ? output.without_credit : PausedLanes(now, output);
    Turn(now, hold, hold == Hold::kNone ? lanes : 0, &output);
    output.up = seen.inputs.link_up[port];
    const Ctrl& ctrl = seen.inputs.links[port].ctrl;
    if (credits && output.up && ctrl.credit_valid && !ctrl.err)
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
