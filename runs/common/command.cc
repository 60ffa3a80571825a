// SPDX-License-Identifier: Apache-2.0
#include "runs/common/command.h"

#include <cctype>

namespace tilefly::runs {

const char* ToString(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kFail:
      return "fail";
    case Verdict::kUndecided:
      return "undecided";
    case Verdict::kNoProgress:
      return "no-progress";
    case Verdict::kTimeout:
      return "timeout";
    case Verdict::kInterrupted:
      return "interrupted";
  }
  return "?";
}

std::string Headline(std::string verdict) {
  for (char& c : verdict) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return verdict;
}

int ExitCodeOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return kPassed;
    case Verdict::kFail:
    case Verdict::kUndecided:
      return kCheckFailed;
    case Verdict::kNoProgress:
      return kStuck;
    case Verdict::kTimeout:
      return kTimedOut;
    case Verdict::kInterrupted:
      return kInterruptedByUser;
  }
  return kInternal;
}

}  // namespace tilefly::runs
