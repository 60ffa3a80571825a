// SPDX-License-Identifier: Apache-2.0
// The messages between NICs (docs/systemc.md, Platform side): Ethernet frames of a private type, with a message header
// of 16 bytes and data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <tlm>

#include "golden/link/frame_format.h"
#include "systemc/fabric/packet.h"

namespace tilefly::systemc {

enum class MessageKind : std::uint8_t {
  kPut = 1,      ///< a part of the data of a WRITE
  kPutDone = 2,  ///< all of it is written
  kGet = 3,      ///< a READ is asked for
  kGetData = 4,  ///< a part of its data
};

/// A message. On the wire, little endian: kind 8 bits, status 8 (less 128), tag 16, total 32, offset 40, number of
/// bytes of byte enables 16, 8 zeros; then the data; then a bit for each byte that has byte enables.
struct Message {
  /// Most bytes behind the message header in a frame.
  static constexpr int kMostData = 4096;
  /// Most bytes of data with their byte enables (448 B). It is a multiple of 64, as lines of memories are.
  static constexpr int kMostEnabledData = 3584;
  /// Most bytes of a get whose byte enables are in its request.
  static constexpr int kMostEnabledGet = 8 * kMostData;
  /// Bytes of the message header.
  static constexpr int kHeaderBytes = 16;
  /// Bytes of the longest frame.
  static constexpr int kMostFrame = golden::kEthBytes + kHeaderBytes + kMostData + golden::kFcsBytes;
  /// Bits of an offset.
  static constexpr int kOffsetBits = 40;

  MessageKind kind;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;  ///< of kPutDone, kGetData
  std::uint16_t tag;                                       ///< of the transaction, at the NIC that began it
  std::uint32_t total;                                     ///< bytes: of kPut the put's, of kGet and kGetData those asked for
  std::uint64_t offset;                                    ///< byte in the remote memory
  const std::uint8_t* data = nullptr;
  int size = 0;
  const std::uint8_t* enables = nullptr;                   ///< bits of byte enables of kPut and kGet; null: all are enabled
  int enable_bytes = 0;
};

/// The frame from the NIC `source` to the NIC `destination` (fabric addresses), FCS included. `message.size` and
/// `message.enable_bytes` are at most kMostData together.
std::shared_ptr<const fabric::Frame> MakeFrame(std::uint32_t source, std::uint32_t destination, const Message& message);
/// The message in a frame, which must outlive the message; empty when the frame is not of this type.
std::optional<Message> ReadFrame(const fabric::Frame& frame);

}  // namespace tilefly::systemc
