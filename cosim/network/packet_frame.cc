// SPDX-License-Identifier: Apache-2.0
#include "cosim/network/packet_frame.h"

#include <fmt/format.h>

#include <cstring>

#include "support/random.h"

namespace tilefly::cosim {
namespace {

/// A frame begins with its key; the first word has room for it behind the header.
constexpr int kSentBits = 44;
static_assert(kHeaderBytes + static_cast<int>(sizeof(PacketKey)) <= kWordBytes);

}  // namespace

PacketKey KeyOf(const golden::PacketRecord& record) {
  return static_cast<PacketKey>(record.source) << kSentBits | static_cast<PacketKey>(record.sent);
}

FramePtr MakeFrame(std::uint64_t seed, const golden::PacketRecord& record, const golden::HeaderBits& header) {
  auto frame = std::make_shared<Frame>();
  frame->enh = true;
  frame->header = header.Unpack();
  frame->bytes.resize(static_cast<std::size_t>(header.length()));
  const PacketKey key = KeyOf(record);
  Stream(seed, static_cast<std::uint32_t>(record.source), key, Purpose::kPayload)
      .Fill(frame->bytes.data(), frame->bytes.size());
  std::memcpy(frame->bytes.data(), &key, sizeof key);
  Seal(&frame->bytes);
  return frame;
}

PacketKey KeyIn(const Word& first) {
  PacketKey key;
  std::memcpy(&key, first.data.data() + kHeaderBytes, sizeof key);
  return key;
}

std::string NameOf(const golden::PacketRecord& record) {
  return fmt::format("the packet that endpoint {} sent to {} in cycle {}", record.source, record.destination,
                     record.sent);
}

}  // namespace tilefly::cosim
