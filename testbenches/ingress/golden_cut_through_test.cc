// SPDX-License-Identifier: Apache-2.0
// The cut-through bound of docs/blocks/ingress.md, over all cells, for every length and rate.
#include <gtest/gtest.h>

#include "golden/ingress/cut_through.h"

namespace tilefly::golden {
namespace {

TEST(CutThrough, StartIsTheBoundOverAllCells) {
  for (int lanes = 1; lanes <= 4; ++lanes) {
    for (int length = kRosetta64.min_enh_bytes; length <= kRosetta64.mtu_bytes; ++length) {
      int bound = INT32_MIN;
      for (int j = 0; j < CellsOf(length); ++j) {
        const int words = CeilDiv(std::min(48 * (j + 1), length + 16), 32);
        bound = std::max(bound, 4 * (words - 1) / lanes - j);
      }
      ASSERT_EQ(StartOffset(length, lanes), 6 + bound) << length << " bytes, " << lanes << " lanes";
    }
  }
}

}  // namespace
}  // namespace tilefly::golden
