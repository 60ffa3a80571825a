// SPDX-License-Identifier: Apache-2.0
// Versions of the wire formats at a device's ports. A later version has more fields in front of the others, so a device
// of an earlier version has the lower bits.
#pragma once

#include <tilefly_device.h>

#include <cstddef>
#include <cstdint>

namespace tilefly::cosim {

/// Widths of what changes from version to version of tilefly_device.h.
struct WireVersion {
  std::uint32_t number;
  std::size_t link_bits, link_bytes;      ///< TFD_LINK_BITS, TFD_LINK_BYTES
  std::size_t record_bits, record_bytes;  ///< TFD_PORT_RECORD_BITS, TFD_PORT_RECORD_BYTES
};

inline constexpr WireVersion kWireVersions[] = {
    {1, 370, 47, 145, 19},
    {TILEFLY_DEVICE_VERSION, TFD_LINK_BITS, TFD_LINK_BYTES, TFD_PORT_RECORD_BITS, TFD_PORT_RECORD_BYTES}};

/// Null: this program does not know the version.
constexpr const WireVersion* FindWireVersion(std::uint32_t number) {
  for (const WireVersion& version : kWireVersions) {
    if (version.number == number) return &version;
  }
  return nullptr;
}

}  // namespace tilefly::cosim
