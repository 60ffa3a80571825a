// SPDX-License-Identifier: Apache-2.0
// The statements of docs/blocks/arbiter.md, kept over the choices of one round-robin arbiter.
#pragma once

#include <vector>

#include "golden/common/audit.h"

namespace tilefly::golden {

class ChoiceChecker {
 public:
  /// An arbiter of `size` requesters.
  explicit ChoiceChecker(int size) : waited_(static_cast<std::size_t>(size)) {}

  /// The choice of a cycle: `grant` among `requests`, and whether it was used.
  void Choose(std::uint64_t requests, std::uint64_t grant, bool used, Audit* audit) {
    const auto value = static_cast<std::int64_t>(grant);
    audit->Require("ARB-1", (grant & (grant - 1)) == 0 && (grant & ~requests) == 0, 0, value);
    audit->Require("ARB-2", requests == 0 || grant != 0, 0, value);
    const int size = static_cast<int>(waited_.size());
    for (int i = 0; i < size; ++i) {
      int& waited = waited_[static_cast<std::size_t>(i)];
      const bool requesting = (requests >> i & 1) != 0;
      const bool granted = (grant >> i & 1) != 0;
      if (!requesting || (granted && used)) waited = 0;
      else if (used) ++waited;
      audit->Require("ARB-3", waited < size, i, waited);
    }
  }

 private:
  std::vector<int> waited_;  ///< grants to others while this one kept requesting
};

}  // namespace tilefly::golden
