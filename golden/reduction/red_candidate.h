// SPDX-License-Identifier: Apache-2.0
// What the candidates for a launch of the reduction ring have in common (docs/blocks/reduction.md, CFU: launches).
#pragma once

#include "generated/registers.h"

namespace tilefly::golden {

inline constexpr int kRedCandidates = kRedCandidateValues.size();

/// A segment or a result; else a short operation or a notice.
constexpr bool IsStream(RedCandidate candidate) { return candidate < RedCandidate::kShortUp; }
constexpr bool GoesDown(RedCandidate candidate) {
  return candidate == RedCandidate::kDown0 || candidate == RedCandidate::kDown1 ||
         candidate == RedCandidate::kShortDown;
}
/// Slot of a stream.
constexpr int SlotOf(RedCandidate candidate) {
  return candidate == RedCandidate::kUp1 || candidate == RedCandidate::kDown1 ? 1 : 0;
}

}  // namespace tilefly::golden
