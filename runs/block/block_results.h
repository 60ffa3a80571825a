// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "golden/common/cycle.h"
#include "runs/common/child_process.h"
#include "runs/common/run_directory.h"

namespace tilefly::runs {

/// How the comparisons of a block ended.
struct BlockOutcome {
  enum class Kind { kPass, kFail, kCrash, kTimeout, kInterrupted };
  Kind kind = Kind::kPass;
  std::string message;              ///< why, when it did not pass
  std::vector<std::string> events;  ///< the last ones before the first difference
  /// The test that failed; without a failure the one that waves are of: the first whose comparison says so, else the
  /// first.
  std::string test;
  Cycle failed_at = -1;                             ///< cycle of the first difference
  std::vector<JunitCase> cases;                     ///< one a test that ran
  std::vector<nlohmann::ordered_json> comparisons;  ///< as the program recorded them
};
const char* ToString(BlockOutcome::Kind kind);
int ExitCodeOf(BlockOutcome::Kind kind);

/// Reads what a program of GoogleTest left: its report in JSON, the records of its comparisons (a line each), its end.
/// A program that compared nothing, or ended otherwise than its report says, did not pass.
BlockOutcome ReadBlockOutcome(const ChildEnd& end, const std::filesystem::path& report,
                              const std::filesystem::path& records);

/// Sums over the comparisons: `cycles`, `compared`, `compared_busy`, `bins`, and the comparisons themselves.
void AddComparisons(const BlockOutcome& outcome, nlohmann::ordered_json* results);

}  // namespace tilefly::runs
