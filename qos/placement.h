// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace tilefly::qos {

/// What the entries of one class must keep.
struct Spacing {
  int distance = 0;  ///< most entries from one to the next, cyclically
  int least = 1;     ///< fewest entries
  int most = 1;      ///< most entries
  int wanted = 1;    ///< up to which entries that nobody needs are given to it; between least and most
};

struct Placement {
  enum class Outcome {
    kFound,
    kImpossible,  ///< no order of entries keeps all spacings
    kGivenUp,     ///< not found among kSearchLimit partial orders
  };
  Outcome outcome = Outcome::kImpossible;
  std::vector<int> owners;  ///< of each entry; -1: empty
};

inline constexpr int kSearchLimit = 20'000;

/// Orders a table of `size` entries. First each class takes every d-th entry, d its distance rounded down to a power of
/// two, which always succeeds for powers of two whose entries fit; where that fails, all orders are searched, the most
/// urgent class first.
Placement Place(int size, const std::vector<Spacing>& classes);

}  // namespace tilefly::qos
