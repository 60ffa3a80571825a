// SPDX-License-Identifier: Apache-2.0
// Packets as they stand on a link: bytes with a right frame check, cut into words, and damaged on purpose.
#pragma once

#include <cstdint>
#include <vector>

#include "generated/registers.h"
#include "generated/wire.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

/// What is wrong with a packet on the wire.
enum class Damage {
  kNone,
  kCheck,     ///< a byte differs: the frame check fails
  kStomped,   ///< the complement of the right check
  kErr,       ///< a word is marked as damaged
  kMissing,   ///< a word does not come
  kSop,       ///< a word inside starts a packet
  kEarlyEop,  ///< an end before the end
  kNoEop,     ///< no end on the last word
  kLast,      ///< the last word says a wrong length
  kExtra,     ///< a word between two that are due
  kCut,       ///< the rest does not come
  kCount,
};

struct WirePacket {
  bool enh = false;
  std::vector<std::uint8_t> bytes;  ///< as on the wire: header if it has one, then the frame
  Damage damage = Damage::kNone;
  int damaged_word = 0;

  int words() const { return (static_cast<int>(bytes.size()) + 31) / 32; }
  /// Word `k`, undamaged.
  Word MakeWord(int k) const;
};

/// Puts the right frame check into the last four bytes of the frame, which starts at byte `from`.
void SetCheck(std::vector<std::uint8_t>* bytes, std::size_t from);

/// A length between `least` and `most`: small ones, word and cell boundaries, and now and then the largest.
int RandomLength(const Stimulus& random, int least, int most, Cycle cycle);

/// A bare frame of `length` bytes: random, but for what `fill` writes into it before the check is made.
template <typename Fill>
WirePacket MakeBare(const Stimulus& random, Cycle cycle, int length, Fill&& fill) {
  WirePacket packet;
  packet.bytes.resize(static_cast<std::size_t>(length));
  for (std::size_t i = 0; i < packet.bytes.size(); ++i) {
    packet.bytes[i] = static_cast<std::uint8_t>(random.Bits("byte", cycle, static_cast<std::uint32_t>(i / 8)) >> 8 * (i % 8));
  }
  fill(packet.bytes.data());
  SetCheck(&packet.bytes, 0);
  return packet;
}

/// A packet with `header`, whose `len` says the length of the frame.
WirePacket MakeWithHeader(const Stimulus& random, Cycle cycle, const Header& header);

}  // namespace tilefly::bench
