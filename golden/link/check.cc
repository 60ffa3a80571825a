// SPDX-License-Identifier: Apache-2.0
#include "golden/link/check.h"

#include <zlib.h>

#include "golden/link/frame_format.h"

namespace tilefly::golden {

std::uint32_t Crc32(std::uint32_t crc, const std::uint8_t* bytes, std::size_t size) {
  return static_cast<std::uint32_t>(crc32(crc, bytes, static_cast<uInt>(size)));
}

CheckResult CheckFrame(const std::uint8_t* bytes, std::size_t size) {
  const std::size_t data = size - kFcsBytes;
  const std::uint32_t crc = Crc32(0, bytes, data);
  std::uint32_t check = 0;
  for (int i = kFcsBytes; i-- > 0;) check = check << 8 | bytes[data + i];
  if (check == crc) return CheckResult::kGood;
  return check == ~crc ? CheckResult::kStomped : CheckResult::kWrong;
}

}  // namespace tilefly::golden
