// SPDX-License-Identifier: Apache-2.0
// Extensions of the program (docs/extending.md), as its user sees them: in --help, in manifests and in results.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "runs/common/setting_values.h"
#include "support/registry.h"

namespace tilefly::runs {

/// The program's, of all seams.
std::vector<const ExtensionNames*> AllExtensions();

/// Throws UsageError for a name that something has which a seam does not know (a job's pattern), or an empty function.
void CheckExtensions();

/// Lines for the end of the --help of a command that takes those of `seams`; empty: the program has none there.
std::string ExtensionHelp(const std::vector<const ExtensionNames*>& seams);

/// How a command begins that repeats a run: "tilefly", or the name of a program that has extensions.
std::string ProgramName();

/// All of the program, by kind: {"traffic pattern": ["nearby"]}; empty: it has none.
nlohmann::ordered_json ExtensionsJson();

/// Those that a run with the settings uses, by kind, as they were given: {"traffic pattern": "nearby:3"}. Counters are
/// used in all runs of systems (`counters`). Empty: it uses none.
nlohmann::ordered_json UsedExtensions(const SettingValues& settings, bool counters);

}  // namespace tilefly::runs
