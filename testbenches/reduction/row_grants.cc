// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reduction/row_grants.h"

namespace tilefly::bench {
namespace {

constexpr Cycle kLong = 1500;  ///< for which a port may grant credits only, and then anything

}  // namespace

std::optional<int> RowGrants::Next(Cycle now, int p, bool eager, bool credits_only) {
  Port& port = At(p);
  const auto index = static_cast<std::uint32_t>(p);
  if (!eager && !random_.Spell("grant of row R", now, index)) return std::nullopt;
  const bool piles_up = credits_only || (!eager && now / kLong % 2 == 0 && random_.Chance(80, "credits only", now / kLong, index));
  const auto first = static_cast<int>(random_.Below(kInputs, "input of row R", now, index));
  for (int i = 0; i < kInputs; ++i) {
    const int input = (first + i) % kInputs;
    int& cells = port.asked[static_cast<std::size_t>(input)];
    if (piles_up && input != golden::ResultRow::kCredits) continue;
    if (cells == 0 || port.held + cells > profile_.obuf_cells) continue;
    port.held += cells;
    cells = 0;
    return input;
  }
  return std::nullopt;
}

}  // namespace tilefly::bench
