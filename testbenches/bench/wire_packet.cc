// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/wire_packet.h"

#include <algorithm>
#include <cstring>

#include "golden/link/check.h"

namespace tilefly::bench {

Word WirePacket::MakeWord(int k) const {
  Word word;
  word.valid = true;
  word.sop = k == 0;
  word.eop = k == words() - 1;
  word.enh = enh;
  const std::size_t from = 32 * static_cast<std::size_t>(k);
  const std::size_t size = std::min<std::size_t>(32, bytes.size() - from);
  word.last = static_cast<std::uint8_t>(size - 1);
  std::memcpy(word.data.data(), bytes.data() + from, size);
  return word;
}

void SetCheck(std::vector<std::uint8_t>* bytes, std::size_t from) {
  if (bytes->size() < from + 4) return;  // a fragment has none
  const std::size_t data = bytes->size() - from - 4;
  const std::uint32_t crc = golden::Crc32(0, bytes->data() + from, data);
  for (std::size_t i = 0; i < 4; ++i) (*bytes)[from + data + i] = static_cast<std::uint8_t>(crc >> 8 * i);
}

int RandomLength(const Stimulus& random, int least, int most, Cycle cycle) {
  const std::uint64_t kind = random.Below(16, "length: kind", cycle);
  if (kind < 8) return random.Between(least, std::min(least + 100, most), "length", cycle);
  if (kind < 11) return random.Between(least, std::min(400, most), "length", cycle);
  if (kind == 11) return random.Between(least, most, "length", cycle);
  if (kind == 12) return random.Between(most - 3, most, "length", cycle);
  // Around a boundary of words or cells, with and without the header of 16 bytes.
  const int unit = kind == 13 ? 32 : 48;
  const int at = unit * random.Between(1, 12, "length: unit", cycle) - (kind == 15 ? 16 : 0);
  return std::clamp(at + random.Between(-1, 1, "length", cycle), least, most);
}

WirePacket MakeWithHeader(const Stimulus& random, Cycle cycle, const Header& header) {
  WirePacket packet = MakeBare(random, cycle, header.len + Header::kBytes, [](std::uint8_t*) {});
  packet.enh = true;
  header.PackBytes(packet.bytes.data());
  SetCheck(&packet.bytes, Header::kBytes);
  return packet;
}

}  // namespace tilefly::bench
