// SPDX-License-Identifier: Apache-2.0
#include "cosim/tree/tree_peer.h"

namespace tilefly::cosim {

RedPacket TreePeer::Packet(RedWhat what, int seq) const {
  RedPacket packet;
  packet.red.what = static_cast<std::uint8_t>(what);
  packet.red.group = static_cast<std::uint8_t>(tree_.group);
  packet.red.seq = static_cast<std::uint16_t>(seq);
  return packet;
}

void TreePeer::TellCredit(Cycle now, int count, bool ends, bool lazy) {
  if (lazy && !ends && count - told_ < profile_.red_segments) return;
  told_ = count;
  RedPacket credit = Packet(RedWhat::kCredit, 0);
  credit.red.tag = static_cast<std::uint8_t>(tag_);
  credit.red.credit = static_cast<std::uint8_t>(count);
  outbox_.Post(now + options_.late, credit);
}

}  // namespace tilefly::cosim
