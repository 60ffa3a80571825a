// SPDX-License-Identifier: Apache-2.0
// The records that a device and the process with its kernel exchange (docs/systemc.md, As a device).
#pragma once

#include <array>
#include <cstdint>

#include "generated/registers.h"
#include "golden/acks/ack_route.h"
#include "golden/common/header_bits.h"
#include "golden/common/types.h"
#include "golden/flows/flow_pause.h"
#include "golden/link/frame_format.h"

namespace tilefly::systemc {

/// Bytes of a bare frame that a switch reads, and that a record therefore holds.
inline constexpr int kLookedAt = 64;
using RecordBytes = std::array<std::uint8_t, kLookedAt>;

/// What `link_i` or the register bus carries.
struct KernelInput {
  enum class Kind : std::uint8_t {
    kBegin,   ///< first word of a packet with header; of a reduction: its bytes
    kBytes,   ///< of a reduction, before its kEnd: bytes from `offset` on
    kEnd,     ///< its last word: `status`
    kOpen,    ///< first word of a bare frame
    kBare,    ///< its last word: `status`, `length`, the first bytes
    kCredit,  ///< `vl`, `cells`: cumulative
    kAck,     ///< `ack`
    kWrite    ///< `write`
  };
  Cycle cycle;
  Kind kind;
  std::uint8_t port;
  std::uint8_t vl;
  std::uint16_t cells;
  Drop status;
  std::uint32_t id;  ///< of the packet, until it is told to be gone
  int length;
  int offset;
  golden::HeaderBits header;
  Ack ack;
  Cfg write;
  RecordBytes bytes;
};

/// What comes of the inputs. `cycle` is a wire cycle.
struct KernelOutput {
  enum class Kind : std::uint8_t {
    kBytes,   ///< of the frame that the switch made, before its kPacket: the next bytes
    kPacket,  ///< first word on `link_o`: `id` unless it is `made`, `header`, `enh`, `lanes`, `eth`
    kCredit,  ///< `vl`, `cells` of a packet, which the control slot is to return
    kDrop,    ///< `drop`, as an event of the cycle
    kAck,     ///< `ack`
    kPause,   ///< `pause`, of one flow of the NIC
    kGone     ///< nobody needs the bytes of packet `id` any more
  };
  Cycle cycle;
  Kind kind;
  std::uint8_t port;
  std::uint8_t vl;
  std::uint8_t lanes;
  bool enh;
  bool made;
  Drop drop;
  std::uint16_t cells;
  std::uint32_t id;
  golden::HeaderBits header;
  Ack ack;
  golden::FlowPause pause;
  std::array<std::uint8_t, golden::kEthBytes> eth;
  RecordBytes bytes;
};

}  // namespace tilefly::systemc
