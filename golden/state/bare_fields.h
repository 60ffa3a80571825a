// SPDX-License-Identifier: Apache-2.0
// What the parser reads from a standard Ethernet frame (docs/blocks/ingress.md).
#pragma once

#include <cstdint>
#include <type_traits>

namespace tilefly::golden {

struct BareFields {
  /// Bytes of a frame that `Parse` reads.
  static constexpr int kParsedBytes = 24;

  /// Reads the first `kParsedBytes` bytes of a frame.
  static BareFields Parse(const std::uint8_t* frame);

  std::uint64_t destination;  ///< MAC, first byte of the address highest (bits 47..40)
  bool tagged;                ///< has a VLAN tag
  std::uint8_t pcp;           ///< its priority
  bool ip;                    ///< IPv4 or IPv6, after at most one tag
  std::uint8_t dscp;          ///< its DSCP
};

static_assert(std::is_trivial_v<BareFields> && sizeof(BareFields) == 16);

}  // namespace tilefly::golden
