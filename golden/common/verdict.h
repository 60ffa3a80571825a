// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilefly::golden {

/// Whether a statement has held so far, and the first case in which it did not.
struct Verdict {
  void Judge(bool good, int at_port, std::int64_t found) {
    if (good || !holds) return;
    *this = {false, at_port, found};
  }

  bool holds = true;
  int port = 0;
  std::int64_t value = 0;
};

}  // namespace tilefly::golden
