// SPDX-License-Identifier: Apache-2.0
#include "golden/link/control_frame.h"

#include "golden/common/fabric_address.h"
#include "golden/link/check.h"

namespace tilefly::golden {
namespace {

constexpr int kSourceAt = 6, kTypeAt = 12, kOpcodeAt = 14, kQuantaAt = 16;
constexpr int kClassesAt = 17, kClassQuantaAt = 18;
constexpr int kTypeControl = 0x8808;
constexpr int kOpcodePause = 0x0001;
constexpr int kOpcodeClassPause = 0x0101;
constexpr unsigned kAllClasses = (1u << kMaxClasses) - 1;

std::uint64_t Read(const std::uint8_t* bytes, int size) {
  std::uint64_t value = 0;
  for (int i = 0; i < size; ++i) value = value << 8 | bytes[i];
  return value;
}

void Write(std::uint8_t* bytes, int size, std::uint64_t value) {
  for (int i = size; i-- > 0; value >>= 8) bytes[i] = static_cast<std::uint8_t>(value);
}

}  // namespace

bool IsControl(const std::uint8_t* frame) {
  return Read(frame, 6) == kControlMac && Read(frame + kTypeAt, 2) == kTypeControl;
}

PauseRequest ParsePause(const std::uint8_t* frame) {
  PauseRequest request;
  const auto opcode = Read(frame + kOpcodeAt, 2);
  if (opcode == kOpcodePause) {
    request.obeyed = true;
    request.classes = kAllClasses;
    request.quanta.fill(static_cast<std::uint16_t>(Read(frame + kQuantaAt, 2)));
  } else if (opcode == kOpcodeClassPause) {
    request.obeyed = true;
    request.classes = frame[kClassesAt];
    for (int c = 0; c < kMaxClasses; ++c) {
      request.quanta[c] = static_cast<std::uint16_t>(Read(frame + kClassQuantaAt + 2 * c, 2));
    }
  }
  return request;
}

std::array<std::uint8_t, kMinStdBytes> MakePause(std::uint32_t address, std::uint16_t quanta) {
  std::array<std::uint8_t, kMinStdBytes> frame{};
  Write(frame.data(), 6, kControlMac);
  Write(frame.data() + kSourceAt, 6, MacOfAddress(address));
  Write(frame.data() + kTypeAt, 2, kTypeControl);
  Write(frame.data() + kOpcodeAt, 2, kOpcodePause);
  Write(frame.data() + kQuantaAt, 2, quanta);
  constexpr int kData = kMinStdBytes - kFcsBytes;
  const std::uint32_t crc = Crc32(0, frame.data(), kData);
  for (int i = 0; i < kFcsBytes; ++i) frame[kData + i] = static_cast<std::uint8_t>(crc >> 8 * i);
  return frame;
}

}  // namespace tilefly::golden
