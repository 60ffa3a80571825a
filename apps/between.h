// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace tilefly::apps {

/// Most runs, or threads, at a time that a command takes.
inline constexpr std::int64_t kMostJobs = 4096;

/// Refuses what is no number from `low` to `high`: "--jobs: -1 is not between 1 and 4096", as settings do.
CLI::Validator Between(std::int64_t low, std::int64_t high);

/// Refuses a name without a letter.
CLI::Validator NotEmpty();

}  // namespace tilefly::apps
