// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>

namespace tilefly::conform {

/// "1 run", "2 runs".
inline std::string CountText(std::int64_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "1 does not apply", "2 do not apply".
inline std::string ExcusedText(std::size_t count) {
  return fmt::format("{} {} not apply", count, count == 1 ? "does" : "do");
}

}  // namespace tilefly::conform
