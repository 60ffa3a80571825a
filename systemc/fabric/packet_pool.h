// SPDX-License-Identifier: Apache-2.0
// The memory manager of packets. Records are used again, and the number of packets that are still held is known at the
// end.
#pragma once

#include <memory>
#include <vector>

#include "systemc/fabric/packet.h"

namespace tilefly::fabric {

/// Make it so that it outlives the last use of its packets. A packet to which somebody refers when the pool ends is not
/// deleted, so a leak checker finds it.
class PacketPool final : public tlm::tlm_mm_interface {
 public:
  PacketPool() = default;
  ~PacketPool() override;
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;

  /// Interface of the memory manager: takes back a packet to which nobody refers any more.
  Packet& Make();
  /// Called by the memory manager when nobody refers to the packet any more.
  void free(tlm::tlm_generic_payload* packet) override;

  /// Packets to which somebody refers.
  std::size_t held() const { return packets_.size() - free_.size(); }

 private:
  std::vector<std::unique_ptr<Packet>> packets_;
  std::vector<Packet*> free_;
  std::uint64_t made_ = 0;
};

}  // namespace tilefly::fabric
