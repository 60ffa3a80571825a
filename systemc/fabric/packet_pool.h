// SPDX-License-Identifier: Apache-2.0
// The memory manager of packets: records are used again, and what is held at the end is known.
#pragma once

#include <memory>
#include <vector>

#include "systemc/fabric/packet.h"

namespace tilefly::fabric {

/// Outlives its packets' last use: what somebody refers to when it goes stays his, and a leak checker finds it.
class PacketPool final : public tlm::tlm_mm_interface {
 public:
  PacketPool() = default;
  ~PacketPool() override;
  PacketPool(const PacketPool&) = delete;
  PacketPool& operator=(const PacketPool&) = delete;

  /// A packet as after its constructor, with one reference, the caller's.
  Packet& Make();
  /// Of the memory manager: nobody refers to the packet any more.
  void free(tlm::tlm_generic_payload* packet) override;

  /// Packets that somebody refers to.
  std::size_t held() const { return packets_.size() - free_.size(); }

 private:
  std::vector<std::unique_ptr<Packet>> packets_;
  std::vector<Packet*> free_;
  std::uint64_t made_ = 0;
};

}  // namespace tilefly::fabric
