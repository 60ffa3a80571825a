// SPDX-License-Identifier: Apache-2.0
// GOAL schedules as text (docs/workloads.md, GOAL files).
#pragma once

#include <filesystem>
#include <string>

#include "workload/schedule.h"

namespace tilefly::workload {

/// Reads and checks a file. Throws UsageError with file, line and column.
Schedule ReadGoal(const std::filesystem::path& file);
/// The same of a text; `name` stands for the file in messages.
Schedule ParseGoal(const std::string& text, const std::string& name);
/// A schedule as GOAL text, which ParseGoal reads as the same schedule (but for phases).
std::string GoalText(const Schedule& schedule);

}  // namespace tilefly::workload
