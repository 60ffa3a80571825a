// SPDX-License-Identifier: Apache-2.0
// Table 4 of S4, the seven classes of the QoS study, as a Deficit Table.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace tilefly::golden {

/// An entry of a Deficit Table.
struct TableSlot {
  int tc = 0;
  int weight = 0;
};

/// The classes NC, VO, VI, CL, EE, BE, BK: printed sums of their weights, and largest packets in credits.
inline constexpr std::array<int, 7> kTable4Weight = {101, 176, 322, 375, 43, 39, 17};
inline constexpr std::array<int, 7> kTable4Mtu = {3, 2, 32, 32, 16, 16, 16};
inline constexpr int kTable4Total = 1073;

/// The printed weights in 64 entries, every class at its distance: 2, 4, 8, 16, 32, 64, 64.
inline std::vector<TableSlot> Table4() {
  std::array<std::vector<int>, 7> weights = {
      std::vector<int>(32, 3), std::vector<int>(16, 11), std::vector<int>(8, 40), {94, 94, 94, 93}, {22, 21}, {39}, {17}};
  for (std::size_t i = 0; i < 5; ++i) weights[0][6 * i] = 4;  // 5 x 4, 27 x 3
  weights[2][0] = weights[2][4] = 41;                         // 2 x 41, 6 x 40
  std::vector<TableSlot> table(64);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const std::size_t distance = table.size() / weights[c].size();
    const std::size_t first = c == 6 ? 63 : (std::size_t{1} << c) - 1;
    for (std::size_t i = 0; i < weights[c].size(); ++i) table[first + i * distance] = {static_cast<int>(c), weights[c][i]};
  }
  return table;
}

}  // namespace tilefly::golden
