// SPDX-License-Identifier: Apache-2.0
// Frames and beats as the readings of docs/blocks/axis.md see them: bytes, without lanes that are not kept.
#pragma once

#include <cstdint>
#include <vector>

namespace tilefly::conform {

struct StreamFrame {
  std::vector<std::uint8_t> bytes;
  bool bad = false;
};

struct StreamBeat {
  std::vector<std::uint8_t> bytes;
  bool last = false;
  bool bad = false;  ///< tuser; without `last` it says nothing
};

}  // namespace tilefly::conform
