// SPDX-License-Identifier: Apache-2.0
// What the save files of a comparison's waves show when nothing differs: one thing's way through the block.
#pragma once

#include <string>
#include <vector>

#include "golden/common/types.h"

namespace tilefly::bench {

struct WaveStory {
  /// A signal of the Verilated block, by its full name in the waves.
  struct Own {
    std::string name;
    int width = 1;
  };
  struct Step {
    std::string heading;
    std::vector<std::string> compared{};  ///< values by the name of their comparison: RTL's and golden's are shown
    std::vector<Own> own{};               ///< RTL alone has them
  };

  std::string title;  ///< shown as the first line
  Cycle from = 0;
  Cycle to = 0;
  Cycle marker = 0;
  std::vector<Step> steps;
};

}  // namespace tilefly::bench
