// SPDX-License-Identifier: Apache-2.0
// The packets inside a device of a system, from the first word in to the last word out, and the cycles in which each
// may be dropped.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cosim/system/packet_frame.h"
#include "network/messages.h"

namespace tilefly::cosim {

struct PacketInside {
  golden::Payload payload;
  network::PacketRecord record;
  golden::HeaderBits header;  ///< header as the packet came in
  int input;
  Cycle in;  ///< first word on `link_i`
  FramePtr frame;
  bool leaving = false;  ///< its first word has left: it may come in again, by another way, before its last one has
};

/// A packet that may be dropped, and when.
struct DropDue {
  Cycle admission;
  Cycle discard;
  PacketKey key;
  bool red;            ///< a reduction packet, dropped as RED; it is not among the packets inside
  bool broken = false; ///< it was broken off: a reduction packet may be dropped as BROKEN, too
};

class PacketsInside {
 public:
  explicit PacketsInside(int ports) : drops_(static_cast<std::size_t>(ports)) {}

  bool empty() const { return packets_.empty(); }
  std::size_t size() const { return packets_.size(); }
  // Of packets whose first word has not left, but for the functions that say so.

  /// The packet comes in. Throws std::logic_error when it is inside already.
  void Enter(PacketKey key, PacketInside packet);
  /// The wire has repeated the first word of a packet that is broken off, and the switch takes it for another one, of
  /// the same key.
  void EnterAgain(PacketKey key, PacketInside packet) { packets_.emplace(key, std::move(packet)); }
  /// The packet, null when it is not inside.
  const PacketInside* Find(PacketKey key) const;
  /// The packet, which must be inside.
  const PacketInside& At(PacketKey key) const;
  void Leave(PacketKey key);
  /// The packet, which must be inside, leaves word by word.
  void BeginToLeave(PacketKey key);
  /// The packet that leaves so, which must be there; and its last word has left.
  const PacketInside& AtLeaving(PacketKey key) const;
  void HasLeft(PacketKey key);
  /// Whether the packet is inside or leaves.
  bool Knows(PacketKey key) const { return packets_.count(key) != 0; }

  /// A packet that came by `port` may be dropped. Call it in the order of `discard`.
  void ExpectDrop(int port, const DropDue& drop) { drops_[static_cast<std::size_t>(port)].push_back(drop); }
  /// Returns the packet that may be dropped at `port` as an event of `cycle`, for this reason, and expects its drop no
  /// more. Empty: there is none.
  std::optional<DropDue> TakeDrop(int port, Cycle cycle, Drop reason);
  /// The packets of `port` that were to be discarded before `cycle` are expected to be dropped no more.
  void ForgetDrops(int port, Cycle cycle);

 private:
  template <typename Packets>
  static auto FindIn(Packets* packets, PacketKey key, bool leaving);

  std::unordered_multimap<PacketKey, PacketInside> packets_;
  std::vector<std::deque<DropDue>> drops_;  ///< by port
};

}  // namespace tilefly::cosim
