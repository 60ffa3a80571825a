// SPDX-License-Identifier: Apache-2.0
// Messages as packets: RoCEv2 writes (docs/workloads.md, Packets). Headers counted from the standards.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tilefly::workload {

/// Bytes of a frame that are no data: Ethernet 14 (802.3), IPv4 20 (RFC 791), UDP 8 (RFC 768), BTH 12 and ICRC 4
/// (InfiniBand, volume 1), FCS 4 (802.3).
inline constexpr int kFrameOverhead = 14 + 20 + 8 + 12 + 4 + 4;
/// RETH of a message's first or only packet (InfiniBand, volume 1).
inline constexpr int kFirstOverhead = 16;
/// Data of a packet.
inline constexpr int kMostData = 4096;

/// Packets of a message, each with up to `most` bytes of data; one without data for an empty message.
constexpr int PacketsOf(std::int64_t bytes, int most) {
  return static_cast<int>(std::max<std::int64_t>(1, (bytes + most - 1) / most));
}
/// Data of packet `index`.
constexpr int DataOf(std::int64_t bytes, int most, int index) {
  return static_cast<int>(std::min<std::int64_t>(most, bytes - static_cast<std::int64_t>(index) * most));
}
/// Frame of a packet, FCS included; data are padded to 4 bytes (BTH, pad count).
constexpr int FrameOf(int data, bool first) {
  return kFrameOverhead + (first ? kFirstOverhead : 0) + (data + 3) / 4 * 4;
}
/// Data of a packet whose frame has at most `frame` bytes, a multiple of 4; less than 4: none fits.
constexpr int MostData(int frame) { return std::min(kMostData, (frame - kFrameOverhead - kFirstOverhead) / 4 * 4); }

}  // namespace tilefly::workload
