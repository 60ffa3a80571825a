// SPDX-License-Identifier: Apache-2.0
#include "systemc/fabric/packet_pool.h"

namespace tilefly::fabric {

Packet::Packet(PacketPool* pool) : pool_(pool) {
  set_mm(pool);
  set_command(tlm::TLM_IGNORE_COMMAND);
}

Packet& Packet::Copy() const {
  Packet& copy = pool_->Make();
  copy.number = number;
  copy.header = header;
  copy.frame = frame;
  copy.length = length;
  copy.enh = enh;
  copy.bad = bad;
  copy.broken_off = broken_off;
  return copy;
}

PacketPool::~PacketPool() {
  for (std::unique_ptr<Packet>& packet : packets_) {
    if (packet->get_ref_count() != 0) (void)packet.release();
  }
}

Packet& PacketPool::Make() {
  if (free_.empty()) {
    packets_.emplace_back(new Packet(this));
    free_.push_back(packets_.back().get());
  }
  Packet& packet = *free_.back();
  free_.pop_back();
  packet.number = ++made_;
  packet.acquire();
  return packet;
}

void PacketPool::free(tlm::tlm_generic_payload* payload) {
  auto* packet = static_cast<Packet*>(payload);
  packet->reset();
  packet->frame.reset();
  packet->header = golden::HeaderBits{};
  packet->length = 0;
  packet->enh = true;
  packet->bad = false;
  packet->fault = Drop::kNone;
  packet->broken_off = false;
  packet->whole = false;
  packet->open = false;
  packet->drop = Drop::kNone;
  packet->ack = {};
  packet->pause = {};
  free_.push_back(packet);
}

}  // namespace tilefly::fabric
