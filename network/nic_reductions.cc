// SPDX-License-Identifier: Apache-2.0
// Reduction packets at a NIC: nobody acknowledges them, so they are in no window and no channel.
#include "golden/reduction/red_lanes.h"
#include "network/nic.h"

namespace tilefly::network {

/// The head is for the aggregation node of the NIC's switch.
Nic::Start Nic::StartReduction(Cycle now) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kRed);
  header.an = true;
  const Traffic::NewPacket packet = heads_[0].packet;
  header.len = static_cast<std::uint16_t>(packet.length);
  header.tc = static_cast<std::uint8_t>(packet.tc);
  header.vl = kRedUpLane;
  header.src = header.dst = setup_->addresses[endpoint_];  // whatever the port, it is for the switch
  header.mode = static_cast<std::uint8_t>(RouteMode::kInOrder);
  header.ordered = true;
  const PacketRecord record{packet.created, now, endpoint_, kNobody};
  host_->StartReduction(now);
  const int words = Occupy(header, now);
  FetchFromHost();
  return {record, golden::HeaderBits(header), words};
}

RedPacket Nic::TakeStarted() { return host_->TakeStarted(); }

void Nic::TakeReduction(const RedPacket& packet, Cycle last) {
  host_->ArriveReduction(packet, last);
  due_ = std::min(due_, host_->due());
}

}  // namespace tilefly::network
