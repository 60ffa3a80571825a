// SPDX-License-Identifier: Apache-2.0
// MAC of one port, sending side (docs/blocks/link.md, Out): the words of a packet that leaves, one at a time, because the
// bytes of a packet that is cut through may still be coming.
#pragma once

#include <array>

#include "generated/wire.h"
#include "golden/link/departure.h"
#include "golden/link/frame_store.h"

namespace tilefly::golden {

class Framer {
 public:
  using EthHeader = std::array<std::uint8_t, kEthBytes>;

  /// `eth` is used only by conversion kEthernet.
  Framer(const Departure& departure, const EthHeader& eth);

  /// Word `k` of the packet. The bytes of `frame` that it carries must have arrived.
  Word MakeWord(int k, const Frame& frame) const;
  /// Bytes of the stored frame.
  int length() const { return length_; }

 private:
  /// Copies the part of `source` that falls into the word. `at` is the place of `source` in the packet.
  static void Place(const std::uint8_t* source, int size, int at, int word_start, std::uint8_t* word);
  std::uint32_t NewCheck(const Frame& frame) const;

  FrameFormat format_;
  int length_;
  int prefix_bytes_ = 0;
  bool checks_prefix_ = false;  ///< the prefix is part of the frame
  std::array<std::uint8_t, HeaderBits::kBytes> prefix_{};
};

/// Word `k` of the `size` bytes at `bytes`, sent as a standard frame.
Word WordOf(const std::uint8_t* bytes, int size, int k);

}  // namespace tilefly::golden
