// SPDX-License-Identifier: Apache-2.0
#include "cosim/setup/frame.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace tilefly::cosim {

std::uint32_t Fcs(const std::uint8_t* bytes, std::size_t size) {
  return static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(size)));
}

Check CheckOf(const Bytes& frame) {
  if (frame.size() < kFcsBytes) return Check::kBad;
  const std::uint32_t crc = Fcs(frame.data(), frame.size() - kFcsBytes);
  std::uint32_t found;
  std::memcpy(&found, frame.data() + frame.size() - kFcsBytes, kFcsBytes);
  return found == crc ? Check::kGood : found == ~crc ? Check::kStomped : Check::kBad;
}

void Seal(Bytes* frame, bool stomp) {
  const std::size_t end = frame->size() - kFcsBytes;
  std::uint32_t crc = Fcs(frame->data(), end);
  if (stomp) crc = ~crc;
  std::memcpy(frame->data() + end, &crc, kFcsBytes);
}

Mac AddressMac(std::uint32_t address) {
  return {0x02,
          0x00,
          0x00,
          static_cast<std::uint8_t>(address >> 16 & 0xf),
          static_cast<std::uint8_t>(address >> 8),
          static_cast<std::uint8_t>(address)};
}

std::uint64_t ToBits(const Mac& mac) {
  std::uint64_t bits = 0;
  for (std::uint8_t byte : mac) bits = bits << 8 | byte;
  return bits;
}

std::uint16_t Field16(const Bytes& frame, std::size_t offset) {
  if (offset + 2 > frame.size()) return 0;
  return static_cast<std::uint16_t>(frame[offset] << 8 | frame[offset + 1]);
}

Mac MacAt(const Bytes& frame, std::size_t offset) {
  Mac mac{};
  for (std::size_t i = 0; i < mac.size() && offset + i < frame.size(); ++i) mac[i] = frame[offset + i];
  return mac;
}

Word MakeWord(const Frame& frame, int k) {
  Word word;
  word.valid = true;
  word.sop = k == 0;
  word.eop = k == frame.words() - 1;
  word.enh = frame.enh;
  word.err = word.eop && frame.err_on_last;
  const int lead = frame.enh ? 16 : 0;
  const int size = static_cast<int>(frame.bytes.size()) + lead;
  word.last = static_cast<std::uint8_t>(word.eop ? (size - 1) % kWordBytes : kWordBytes - 1);
  std::uint8_t* out = word.data.data();
  int from = k * kWordBytes - lead;
  int room = kWordBytes;
  if (from < 0) {
    frame.header.PackBytes(out);
    out += lead;
    room -= lead;
    from = 0;
  }
  const int count = std::min(room, static_cast<int>(frame.bytes.size()) - from);
  if (count > 0) std::memcpy(out, frame.bytes.data() + from, static_cast<std::size_t>(count));
  return word;
}

Bytes PauseFrame(const Mac& source, std::uint16_t quanta) {
  Bytes frame(64, 0);
  std::copy(kPauseMac.begin(), kPauseMac.end(), frame.begin());
  std::copy(source.begin(), source.end(), frame.begin() + 6);
  frame[12] = kMacControlType >> 8;
  frame[13] = kMacControlType & 0xff;
  frame[15] = 0x01;
  frame[16] = static_cast<std::uint8_t>(quanta >> 8);
  frame[17] = static_cast<std::uint8_t>(quanta);
  Seal(&frame);
  return frame;
}

AskedPause ReadPause(const Bytes& frame) {
  constexpr std::uint16_t kPause = 0x0001, kPfc = 0x0101;
  constexpr unsigned kAllClasses = 0xff;
  AskedPause asked;
  if (MacAt(frame, 0) != kPauseMac || Field16(frame, 12) != kMacControlType) return asked;
  const std::uint16_t opcode = Field16(frame, 14);
  if (opcode == kPause) {
    asked.classes = kAllClasses;
    asked.quanta.fill(Field16(frame, 16));
  } else if (opcode == kPfc) {
    asked.classes = Field16(frame, 16) & kAllClasses;
    for (std::size_t c = 0; c < asked.quanta.size(); ++c) asked.quanta[c] = Field16(frame, 18 + 2 * c);
  }
  return asked;
}

}  // namespace tilefly::cosim
