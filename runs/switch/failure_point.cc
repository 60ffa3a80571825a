// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/failure_point.h"

#include <fmt/format.h>

namespace tilefly::runs {

void FindTurning(const Profile& profile, const cosim::Observation& a, const cosim::Observation& b,
                 cosim::Divergence* found) {
  const int row = found->tile / profile.cols, col = found->tile % profile.cols;
  const Turnobs& one = a.turns[static_cast<std::size_t>(found->tile)];
  const Turnobs& other = b.turns[static_cast<std::size_t>(found->tile)];
  for (int to = 0; to < profile.col_out; ++to) {
    const bool in_one = (one.valid >> to & 1) != 0, in_other = (other.valid >> to & 1) != 0;
    const int from_one = static_cast<int>(one.inputs >> (4 * to) & 15);
    const int from_other = static_cast<int>(other.inputs >> (4 * to) & 15);
    if (in_one == in_other && from_one == from_other) continue;
    found->input = row * profile.row_in + (in_one ? from_one : from_other);
    found->output = 2 * (to / 2 * profile.cols + col) + (to & 1);
    return;
  }
}

cosim::FailurePoint PointOf(const cosim::Divergence& found, const Profile& profile,
                            const std::optional<cosim::RingLaunch>& launch) {
  cosim::FailurePoint point;
  point.message = "first divergence: " + found.Summary();
  point.cycle = found.cycle;
  point.packet = {found.input, found.output, found.lane};
  point.level = found.stage == "level";
  const bool of_input = found.stage == "drop" || (point.level && !found.of_output());
  if (found.input < 0 && found.output < 0) (of_input ? point.packet.input : point.packet.output) = found.port;
  if (launch) point.parts = launch->parts;
  if (launch && point.parts.empty() && found.port >= 0) point.parts.push_back(found.port);
  if (found.stage == "counter") return point;
  point.signal = found.signal;
  point.scope = found.tile >= 0  ? fmt::format("turn_r{}_c{}", found.tile / profile.cols, found.tile % profile.cols)
                : found.port < 0 ? "cfu"
                                 : fmt::format("port_{:02}", found.port);
  if (found.stage == "link") point.scope += ".link_o";
  if (found.stage == "control") point.scope += ".link_o.ctrl";
  if (found.stage == "reduction") point.scope += ".red";
  return point;
}

}  // namespace tilefly::runs
