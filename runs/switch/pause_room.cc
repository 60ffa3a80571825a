// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/pause_room.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilefly::runs {
namespace {

constexpr int kEvents = 16;  ///< from take to wire, and an event at each end, in cycles
constexpr int kSlotsOfFour = 5;  ///< the densest frames take five word slots for four cells

/// H: cells that come above the threshold before a partner that stops at once is heard of no more.
int RoomOf(const Profile& profile, int lanes, int delay) {
  const int frame = (4 * profile.mtu_words_enh + lanes - 1) / lanes;
  const int time = 2 * delay + 2 * frame + kEvents;
  return (time * lanes + kSlotsOfFour - 1) / kSlotsOfFour + profile.mtu_cells;
}

}  // namespace

std::string PauseWarning(const RunOptions& options) {
  const Profile& profile = *options.profile;
  const bool standard = std::find(options.kinds.begin(), options.kinds.end(), cosim::PortKind::kStandard) != options.kinds.end();
  const int most = profile.cells - RoomOf(profile, options.lanes, options.link_delay);
  if (!standard || options.stalls.ignore_pause || profile.pause_xoff_cells <= most) return "";
  int delay = options.link_delay;
  while (delay > 0 && profile.cells - RoomOf(profile, options.lanes, delay) < profile.pause_xoff_cells) --delay;
  const std::string lower = most > profile.pause_xon_cells ? fmt::format("give --set profile.pause_xoff_cells={}", most) : "";
  const bool shorter = profile.cells - RoomOf(profile, options.lanes, delay) >= profile.pause_xoff_cells;
  const std::string nearer = shorter ? fmt::format("{} --link-delay up to {}", lower.empty() ? "give" : " or", delay) : "";
  const std::string remedy = lower.empty() && nearer.empty() ? "give a larger --set profile.cells" : lower + nearer;
  return fmt::format("warning: a standard port pauses its partner when {} of {} cells are full, and {} more may come until the "
                     "partner has stopped, so the buffer may overflow (BUFFER_FULL); {}",
                     profile.pause_xoff_cells, profile.cells, profile.cells - most, remedy);
}

}  // namespace tilefly::runs
