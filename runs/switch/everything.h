// SPDX-License-Identifier: Apache-2.0
// `--traffic everything`: all that synthetic traffic can do, at once, drawn anew for each seed. What a seed farm runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs/switch/settings.h"

namespace tilefly::runs {

/// The pattern of such a run.
inline constexpr const char* kEverything = "everything";
/// The value that a setting has in the resolved configuration when each seed draws it.
inline constexpr const char* kDrawn = "drawn";

bool IsEverything(const Settings& settings);

/// Paths of the settings that are drawn, the pattern itself among them.
const std::vector<std::string>& DrawnPaths();
/// Their options, without the pattern's.
std::vector<std::string> DrawnOptionNames();

/// The settings of one seed: ports, lanes, load, sizes, pattern, classes, acks, routes, reductions, faults, stalls and
/// outages are drawn. The pattern may be uniform and the ports of one kind; the others are in each run, but for
/// reductions where a class of the table has their lanes.
Settings DrawEverything(const Settings& settings, std::uint32_t seed);

/// What was drawn, as options of a command line that runs the same without `everything`.
std::string DrawnOptions(const Settings& drawn);

}  // namespace tilefly::runs
