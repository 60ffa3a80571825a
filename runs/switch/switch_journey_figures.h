// SPDX-License-Identifier: Apache-2.0
// Journeys of packets through one switch as tables and lines: every stage that its links and its record show, with what
// it takes at least and why it took longer (docs/cosimulation.md, Journeys).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cosim/journeys/switch_journeys.h"
#include "cosim/common/story.h"

namespace tilefly::runs {

/// "p7:3".
std::string NameOf(const cosim::SwitchJourney& journey);
/// The run that journeys are of.
struct JourneySetup {
  const cosim::SwitchSetup& setup;
  Cycle channel;     ///< that latencies count beyond the switch
  Cycle link_delay;  ///< of each direction
};
/// `journeys.json`: an entry for each packet, and for each copy of a replicated one.
nlohmann::ordered_json SwitchJourneysJson(const JourneySetup& run, const std::vector<cosim::SwitchJourney>& journeys);
/// One of them in a line.
std::string JourneyLine(const nlohmann::ordered_json& journey);
/// What waves show of it: the cycles around its way, its stages as the record shows them.
cosim::Story StoryOf(const cosim::SwitchJourney& journey);

}  // namespace tilefly::runs
