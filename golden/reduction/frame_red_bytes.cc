// SPDX-License-Identifier: Apache-2.0
#include "golden/reduction/frame_red_bytes.h"

#include <algorithm>

#include "golden/link/check.h"
#include "golden/link/frame_format.h"

namespace tilefly::golden {

Red FrameRedBytes::HeaderOf(Payload payload) const { return Red::UnpackBytes(frames_[payload].bytes.data()); }

const std::uint8_t* FrameRedBytes::DataOf(Payload payload) const { return frames_[payload].bytes.data() + Red::kBytes; }

Payload FrameRedBytes::Make(const Red& header, int length, const std::vector<std::uint8_t>& data) {
  const Index id = frames_.Allocate();
  std::vector<std::uint8_t>& bytes = frames_[id].bytes;
  bytes.resize(static_cast<std::size_t>(length));
  header.PackBytes(bytes.data());
  std::copy(data.begin(), data.end(), bytes.begin() + Red::kBytes);
  const std::uint32_t crc = Crc32(0, bytes.data(), bytes.size() - kFcsBytes);
  for (int i = 0; i < kFcsBytes; ++i) bytes[bytes.size() - kFcsBytes + i] = static_cast<std::uint8_t>(crc >> 8 * i);
  return id;
}

}  // namespace tilefly::golden
