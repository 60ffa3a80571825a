// SPDX-License-Identifier: Apache-2.0
// What routing returns for a packet (docs/blocks/routing.md): a candidate set. Now one candidate, minimal.
#pragma once

#include <array>

#include "golden/common/types.h"

namespace tilefly::golden {

struct Candidate {
  std::uint8_t output;
  std::uint8_t vl;
};

/// Up to two minimal and two non-minimal candidates.
struct CandidateSet {
  static constexpr int kMax = 4;

  static CandidateSet Of(int output, int vl) {
    CandidateSet set;
    set.candidates[0] = {static_cast<std::uint8_t>(output), static_cast<std::uint8_t>(vl)};
    set.size = 1;
    return set;
  }
  /// The candidate taken: the place of the adaptive choice.
  const Candidate& Choose() const { return candidates[0]; }

  std::array<Candidate, kMax> candidates{};
  int size = 0;
};

}  // namespace tilefly::golden
