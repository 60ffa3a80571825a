// SPDX-License-Identifier: Apache-2.0
// How a stored packet looks on the wire (docs/blocks/link.md, Out): bytes, words, slots.
#pragma once

#include <algorithm>

#include "generated/registers.h"
#include "golden/common/types.h"

namespace tilefly::golden {

inline constexpr int kWordBytes = 32;
inline constexpr int kFcsBytes = 4;
inline constexpr int kEthBytes = 14;
inline constexpr int kMinStdBytes = 64;
/// Preamble and gap of a standard frame.
inline constexpr int kStdOverhead = 20;

/// What is done to a frame when it leaves.
enum class Conversion : std::uint8_t {
  kHeader,    ///< the header goes before it
  kNone,      ///< as it is
  kPad,       ///< zeros to 60 bytes and a new check
  kEthernet,  ///< the port's Ethernet header goes before it; zeros to 60 bytes; a new check. Of kind RED there is none
};

struct FrameFormat {
  /// Of a packet of `kind` and `length` bytes at a port whose format is standard, or with header.
  static constexpr FrameFormat Of(bool standard, Kind kind, int length) {
    if (!standard) return Make(Conversion::kHeader, length + 16, 0);
    if (kind == Kind::kEnhIp || kind == Kind::kRed) {
      return Make(Conversion::kEthernet, std::max(kMinStdBytes, length + kEthBytes), kStdOverhead);
    }
    if (kind == Kind::kEnhEth && length < kMinStdBytes) return Make(Conversion::kPad, kMinStdBytes, kStdOverhead);
    return Make(Conversion::kNone, length, kStdOverhead);
  }

  Conversion conversion;
  std::uint16_t bytes;  ///< header included, when it is sent
  std::uint16_t words;
  std::uint16_t slots;  ///< words of the link that it takes up

 private:
  static constexpr FrameFormat Make(Conversion conversion, int bytes, int overhead) {
    return {conversion, static_cast<std::uint16_t>(bytes), static_cast<std::uint16_t>(CeilDiv(bytes, kWordBytes)),
            static_cast<std::uint16_t>(CeilDiv(bytes + overhead, kWordBytes))};
  }
};

}  // namespace tilefly::golden
