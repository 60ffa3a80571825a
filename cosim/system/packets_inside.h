// SPDX-License-Identifier: Apache-2.0
// The packets inside of a device of a system, from the first word in to the last word out, and when each may be
// dropped.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cosim/system/packet_frame.h"
#include "network/messages.h"

namespace tilefly::cosim {

struct PacketInside {
  golden::Payload payload;
  network::PacketRecord record;
  golden::HeaderBits header;  ///< as it came in
  int input;
  Cycle in;  ///< first word on `link_i`
  FramePtr frame;
};

/// When a packet may be dropped.
struct DropDue {
  Cycle admission;
  Cycle discard;
  PacketKey key;
  bool red;  ///< a reduction packet, which is dropped as RED, and is not among those inside
};

class PacketsInside {
 public:
  explicit PacketsInside(int ports) : drops_(static_cast<std::size_t>(ports)) {}

  bool empty() const { return packets_.empty(); }
  std::size_t size() const { return packets_.size(); }
  /// Throws std::logic_error when it is inside already.
  void Enter(PacketKey key, PacketInside packet);
  /// Null: it is not inside.
  const PacketInside* Find(PacketKey key) const;
  /// One that is inside.
  const PacketInside& At(PacketKey key) const { return packets_.at(key); }
  void Leave(PacketKey key) { packets_.erase(key); }

  /// A packet that came by `port` may be dropped; in the order of `discard`.
  void ExpectDrop(int port, const DropDue& drop) { drops_[static_cast<std::size_t>(port)].push_back(drop); }
  /// The packet that may be dropped at `port` as an event of `cycle`, for this reason: it is expected no more. Empty:
  /// there is none.
  std::optional<DropDue> TakeDrop(int port, Cycle cycle, Drop reason);
  /// Those of `port` that were to be discarded before `cycle` are not dropped any more.
  void ForgetDrops(int port, Cycle cycle);

 private:
  std::unordered_map<PacketKey, PacketInside> packets_;
  std::vector<std::deque<DropDue>> drops_;  ///< by port
};

}  // namespace tilefly::cosim
