// SPDX-License-Identifier: Apache-2.0
#include "network/red_packets.h"

#include <algorithm>
#include <utility>

namespace tilefly::network {

golden::Payload RedPackets::Add(PacketRecord record, RedPacket packet) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (free_.empty()) {
    packets_.Make(made_);
    free_.push_back(made_++);
  }
  packets_[free_.back()] = std::move(packet);
  record.red = static_cast<std::int32_t>(free_.back());
  free_.pop_back();
  const golden::Payload payload = records_.Allocate();
  records_[payload] = record;
  return payload;
}

void RedPackets::PutData(golden::Payload payload, int offset, const std::uint8_t* data, int bytes) {
  packets_[NumberOf(payload)].data.Put(offset, data, bytes);
}

void RedPackets::Release(golden::Payload payload) {
  const std::lock_guard<std::mutex> lock(mutex_);
  free_.push_back(NumberOf(payload));
  records_.Release(payload);
}

void RedPackets::Save(golden::Payload payload, Saver* save) const {
  (*save)(records_[payload]);
  if (records_[payload].red >= 0) (*save)(Of(payload));
}

golden::Payload RedPackets::Load(Loader* load) {
  const auto record = load->Get<PacketRecord>();
  if (record.red >= 0) return Add(record, load->Get<RedPacket>());
  const std::lock_guard<std::mutex> lock(mutex_);
  const golden::Payload payload = records_.Allocate();
  records_[payload] = record;
  return payload;
}

const std::uint8_t* RedPackets::DataOf(golden::Payload payload) const {
  return Of(payload).data.data();
}

/// Of a switch: no endpoint sends it.
golden::Payload RedPackets::Make(const Red& header, int, const std::vector<std::uint8_t>& data) {
  return Add({0, 0, -1, -1}, {header, data});
}

}  // namespace tilefly::network
