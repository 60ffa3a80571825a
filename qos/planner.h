// SPDX-License-Identifier: Apache-2.0
// The decoupling methodology of the Deficit Table (S4, section 4.4 and 5.3): from wishes to a table.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "qos/table.h"
#include "qos/wish_list.h"

namespace tilefly::qos {

/// What the user fixes instead of the search. k and w in tenths.
struct Overrides {
  std::optional<int> k;
  std::optional<int> w;
  std::optional<int> pool;
};

/// Share that a class with so many entries may be given: n * MTU / pool to n * M / pool.
struct Assignable {
  double least = 0;
  double most = 0;
};

struct Plan {
  Table table;  ///< Table::origin holds k, w and pool
  std::vector<Assignable> assignable;
};

/// Throws UsageError that names every wish that cannot be met and by how much.
Plan MakePlan(WishList wishes, const Overrides& overrides);

/// The table in a file, or the one planned from the wishes in it: a wish list has no key `table`. Throws UsageError
/// with the figures when there is none that a switch may use.
Table LoadTableOrPlan(const std::filesystem::path& file);

/// Whole credits of `pool` for each share: the floor of share * pool, and one more for the largest remainders until the
/// sum is that of all shares, rounded. Each is within one credit of share * pool.
std::vector<int> Apportion(const std::vector<std::int64_t>& shares, int pool);

}  // namespace tilefly::qos
