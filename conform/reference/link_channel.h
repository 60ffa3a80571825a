// SPDX-License-Identifier: Apache-2.0
// What the two processes of a reference with links say to each other: golden runs in one, as `tilefly conform test` of
// a device whose calls arrive in the other, beside the simulator.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace tilefly::conform {

/// Descriptor of the child's end.
inline constexpr int kChannel = 3;

/// Environment of the child: "links", or "record" when the device shows its observation record, too.
inline constexpr const char* kShowsVariable = "TILEFLY_REFERENCE_SHOWS";
/// Environment of the child: version of the wire formats at the device's ports, "1" or "2".
inline constexpr const char* kWireVariable = "TILEFLY_REFERENCE_WIRE";

/// What the device is asked for, a byte each.
enum class Request : std::uint8_t {
  kLinks = 'L',   ///< link_o of all ports; the answer follows
  kRecord = 'R',  ///< the observation record; the answer follows
  kStep = 'S',    ///< link_i of all ports, link_up_i, register bus follow; there is no answer
  kReset = 'Z',   ///< answered by a byte when the device is reset
};

/// All bytes; false: the other process is gone.
inline bool SendAll(int channel, const void* data, std::size_t size) {
  const auto* at = static_cast<const std::uint8_t*>(data);
  while (size > 0) {
    const ssize_t sent = send(channel, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}
inline bool ReceiveAll(int channel, void* data, std::size_t size) {
  auto* at = static_cast<std::uint8_t*>(data);
  while (size > 0) {
    const ssize_t got = recv(channel, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace tilefly::conform
