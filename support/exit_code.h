// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilefly {

/// Exit codes of `tilefly`, and of programs that run SystemC models.
enum ExitCode {
  kPassed = 0,
  kCheckFailed = 1,
  kUsage = 2,
  kInternal = 3,
  kStuck = 4,
  kTimedOut = 124,
  kInterruptedByUser = 130
};

}  // namespace tilefly
