// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cosim/device.h"

namespace tilefly::cosim {

/// What a wave should open on: one packet's way from input to output.
struct Story {
  std::string title;  ///< shown as the first line
  int input = 0;      ///< port the packet came in by
  int output = 0;     ///< port it left by
  Cycle from = 0;     ///< first cycle to show
  Cycle to = 0;       ///< last cycle to show
  Cycle marker = 0;   ///< cycle of the primary marker
  /// Of a launch of the reduction ring: the ports whose parts it combines, in the order of their steps; `input` is the
  /// one whose part came last. None: an ordinary packet's way.
  std::vector<int> parts{};
};

}  // namespace tilefly::cosim
