// SPDX-License-Identifier: Apache-2.0
#include "support/random.h"

#include <algorithm>
#include <cstring>

namespace tilefly {

void Stream::Fill(std::uint8_t* bytes, std::size_t size) {
  while (size > 0) {
    const std::uint64_t bits = Next();
    const std::size_t count = std::min(size, sizeof bits);
    std::memcpy(bytes, &bits, count);
    bytes += count;
    size -= count;
  }
}

}  // namespace tilefly
