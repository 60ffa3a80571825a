// SPDX-License-Identifier: Apache-2.0
#include "cosim/journeys/link_holds.h"

#include <algorithm>

#include "golden/common/cycle.h"
#include "golden/common/stage_times.h"

namespace tilefly::cosim {

/// The cells of the packet that was taken first are free: its last word was read.
void LinkHolds::Free(Cycle event, Output* output) {
  if (output->reading.empty()) return;
  const Take take = output->reading.front();
  output->reading.pop_front();
  const int words = static_cast<int>((event - take.at - golden::kTakeToRead) * take.lanes + 3) / 4 + 1;
  if (output->reading.empty()) output->free = take.at + golden::CeilDiv(4 * words, take.lanes);
}

/// A packet of which the last word is not read yet keeps the link busy until now.
void LinkHolds::TakeOne(Cycle event, Output* output) {
  const Cycle from = std::max(output->free, output->waits_since + golden::kEventToDecision);
  if (output->reading.empty() && from < event) output->held.push_back({from, event});
  output->reading.push_back({event, output->lanes});
  if (--output->waiting == 0) output->waits_since = kNever;
}

void LinkHolds::Sample(Cycle now, const Observation& observation) {
  const Cycle event = now - 1;
  for (std::size_t port = 0; port < outputs_.size(); ++port) {
    Output& output = outputs_[port];
    const Portobs& obs = observation.ports[port];
    const int granted = obs.dec_valid && !obs.dec_reroute ? obs.dec_cells : 0;
    if (obs.obuf_room + granted > output.room) Free(event, &output);
    if (obs.take_valid && output.waiting > 0) TakeOne(event, &output);
    if (obs.arr_rows != 0) {
      if (output.waiting == 0) {
        output.waits_since = event;
        output.held.clear();
      }
      output.waiting += __builtin_popcount(obs.arr_rows);
    }
    output.room = obs.obuf_room;
    output.lanes = obs.pace + 1;
  }
}

Cycle LinkHolds::Before(int output, Cycle first) {
  std::deque<Held>& held = outputs_[static_cast<std::size_t>(output)].held;
  while (!held.empty() && held.front().to <= first) held.pop_front();
  Cycle cycles = 0;
  for (const Held& one : held) cycles += std::max<Cycle>(0, one.to - std::max(one.from, first + golden::kEventToDecision));
  return cycles;
}

}  // namespace tilefly::cosim
