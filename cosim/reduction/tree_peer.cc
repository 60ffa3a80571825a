// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/tree_peer.h"

#include <fmt/format.h>

#include "cosim/errors.h"

namespace tilefly::cosim {

RedPacket TreePeer::Packet(RedWhat what, int seq) const {
  RedPacket packet;
  packet.red.what = static_cast<std::uint8_t>(what);
  packet.red.group = static_cast<std::uint8_t>(tree_.group);
  packet.red.seq = static_cast<std::uint16_t>(seq);
  return packet;
}

void TreePeer::TellCredit(Cycle now, int count, bool ends) {
  if (episode_.lazy && !ends && count - told_ < profile().red_segments) return;
  told_ = count;
  RedPacket credit = Packet(RedWhat::kCredit, 0);
  credit.red.tag = static_cast<std::uint8_t>(tag_);
  credit.red.credit = static_cast<std::uint8_t>(count);
  outbox_.Post(now, credit);
}

void TreePeer::Expect(Cycle now, const RedPacket& packet, const RedPacket& expected) const {
  std::array<std::uint32_t, Red::kWords> came{};
  std::array<std::uint32_t, Red::kWords> wanted{};
  packet.red.Pack(came.data());
  expected.red.Pack(wanted.data());
  const std::string name = fmt::format("{} number {} ({} of {})", ToString(static_cast<RedWhat>(packet.red.what)), packet.red.seq,
                                       ToString(static_cast<RedOp>(packet.red.op)), ToString(static_cast<RedType>(packet.red.dtype)));
  for (const FieldInfo& field : Red::kFields) {
    const std::uint64_t value = GetBits(came.data(), field.lsb, field.width);
    const std::uint64_t right = GetBits(wanted.data(), field.lsb, field.width);
    if (value != right) Fail(now, fmt::format("{}: {} is {}, not {}", name, field.name, value, right));
  }
  for (std::size_t i = 0; i < expected.data.size(); ++i) {
    if (packet.data[i] != expected.data[i]) {
      Fail(now, fmt::format("{}: byte {} is {:#04x}, not {:#04x}", name, i, packet.data[i], expected.data[i]));
    }
  }
}

void TreePeer::Fail(Cycle now, const std::string& what) const {
  throw CheckFailure(now, port_, 0, fmt::format("reduction group {}: {}", tree_.group, what));
}

}  // namespace tilefly::cosim
