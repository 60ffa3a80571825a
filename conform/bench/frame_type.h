// SPDX-License-Identifier: Apache-2.0
// What a frame's EtherType says, and the header behind it: a switch that forwards by MAC must not care. All are of one
// priority, for a bridge keeps the order of frames within a priority only (IEEE 802.1Q, 8.6.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conform/capability/capability.h"
#include "support/random.h"

namespace tilefly::conform {

enum class FrameType {
  kLocal,  ///< 0x88b5, local experimental EtherType 1 of IEEE 802
  kIpv4,   ///< with a header and its checksum
  kIpv6,   ///< with a header
  kArp,
  kVlan,         ///< a tag of IEEE 802.1Q, and another type behind it
  kServiceVlan,  ///< the same with an outer tag, 0x88a8
  kLength,       ///< the length of what follows, IEEE 802.3, 3.2.6
  kPadded,       ///< a length below it
  kOther,        ///< any other type but 0x8808, MAC control
};
inline constexpr int kFrameTypes = static_cast<int>(FrameType::kOther) + 1;

struct TypeField {
  FrameType type = FrameType::kLocal;
  std::vector<std::uint8_t> bytes = {0x88, 0xb5};  ///< from the EtherType on
};
/// A type that `draw` draws. `room`: bytes behind the addresses that type and header may take; `payload`: bytes behind
/// them and the field of two bytes.
TypeField DrawType(Stream* draw, std::size_t room, std::size_t payload);

/// Why types of frames cannot be drawn; empty: they can.
std::string WhyNoTypes(const Capability& capability);

}  // namespace tilefly::conform
