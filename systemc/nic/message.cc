// SPDX-License-Identifier: Apache-2.0
#include "systemc/nic/message.h"

#include <algorithm>

#include "golden/ingress/lookup.h"
#include "golden/link/check.h"
#include "systemc/nic/byte_enables.h"

namespace tilefly::systemc {
namespace {

constexpr int kMacBytes = 6;
constexpr int kTypeAt = 12;
constexpr int kHeaderAt = golden::kEthBytes;
constexpr int kDataAt = kHeaderAt + Message::kHeaderBytes;
constexpr std::uint16_t kType = 0x88B5;  // IEEE 802: for local experiments
constexpr int kStatusBias = 128;         // statuses are from -5 to 1
constexpr int kStatusAt = 1, kTagAt = 2, kTotalAt = 4, kOffsetAt = 8, kOffsetBytes = 5, kEnablesAt = 13;

void PutLittle(std::uint64_t value, int bytes, std::uint8_t* at) {
  for (int i = 0; i < bytes; ++i) at[i] = static_cast<std::uint8_t>(value >> 8 * i);
}
std::uint64_t GetLittle(const std::uint8_t* at, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value |= static_cast<std::uint64_t>(at[i]) << 8 * i;
  return value;
}
void PutMac(std::uint32_t address, std::uint8_t* at) {
  const std::uint64_t mac = golden::MacOfAddress(address);
  for (int i = 0; i < kMacBytes; ++i) at[i] = static_cast<std::uint8_t>(mac >> 8 * (kMacBytes - 1 - i));
}

}  // namespace

std::shared_ptr<const fabric::Frame> MakeFrame(std::uint32_t source, std::uint32_t destination, const Message& message) {
  const int length = kDataAt + message.size + message.enable_bytes + golden::kFcsBytes;
  auto frame = std::make_shared<fabric::Frame>(static_cast<std::size_t>(length));
  std::uint8_t* const bytes = frame->data();
  PutMac(destination, bytes);
  PutMac(source, bytes + kMacBytes);
  bytes[kTypeAt] = kType >> 8;
  bytes[kTypeAt + 1] = kType & 0xFF;
  std::uint8_t* const header = bytes + kHeaderAt;
  header[0] = static_cast<std::uint8_t>(message.kind);
  header[kStatusAt] = static_cast<std::uint8_t>(message.status + kStatusBias);
  PutLittle(message.tag, 2, header + kTagAt);
  PutLittle(message.total, 4, header + kTotalAt);
  PutLittle(message.offset, kOffsetBytes, header + kOffsetAt);
  PutLittle(static_cast<std::uint64_t>(message.enable_bytes), 2, header + kEnablesAt);
  std::copy_n(message.data, message.size, bytes + kDataAt);
  std::copy_n(message.enables, message.enable_bytes, bytes + kDataAt + message.size);
  const int checked = length - golden::kFcsBytes;
  PutLittle(golden::Crc32(0, bytes, static_cast<std::size_t>(checked)), golden::kFcsBytes, bytes + checked);
  return frame;
}

std::optional<Message> ReadFrame(const fabric::Frame& frame) {
  const int behind = static_cast<int>(frame.size()) - kDataAt - golden::kFcsBytes;
  if (behind < 0 || (frame[kTypeAt] << 8 | frame[kTypeAt + 1]) != kType) return std::nullopt;
  const std::uint8_t* const header = frame.data() + kHeaderAt;
  if (header[0] < static_cast<int>(MessageKind::kPut) || header[0] > static_cast<int>(MessageKind::kGetData)) return std::nullopt;
  const auto enable_bytes = static_cast<int>(GetLittle(header + kEnablesAt, 2));
  Message message{};
  message.kind = static_cast<MessageKind>(header[0]);
  message.status = static_cast<tlm::tlm_response_status>(header[kStatusAt] - kStatusBias);
  message.tag = static_cast<std::uint16_t>(GetLittle(header + kTagAt, 2));
  message.total = static_cast<std::uint32_t>(GetLittle(header + kTotalAt, 4));
  message.offset = GetLittle(header + kOffsetAt, kOffsetBytes);
  message.data = frame.data() + kDataAt;
  message.size = behind - enable_bytes;
  message.enable_bytes = enable_bytes;
  if (enable_bytes == 0) return message;
  if (message.size < 0) return std::nullopt;
  const std::size_t bytes = message.kind == MessageKind::kGet ? message.total : static_cast<std::size_t>(message.size);
  if (EnableBytes(bytes) != static_cast<std::size_t>(enable_bytes)) return std::nullopt;
  message.enables = message.data + message.size;
  return message;
}

}  // namespace tilefly::systemc
