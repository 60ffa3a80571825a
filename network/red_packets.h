// SPDX-License-Identifier: Apache-2.0
// The contents of a system's reduction packets (docs/blocks/reduction.md, Packets), which its switches read and make.
#pragma once

#include <mutex>
#include <vector>

#include "golden/common/archive.h"
#include "golden/reduction/red_bytes.h"
#include "network/packet_records.h"
#include "network/red_data.h"

namespace tilefly::network {

/// The contents of a reduction packet after its header.
struct RedPacket {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(header, data);
  }

  Red header;
  RedData data;  ///< as many bytes as the header says; empty when no results are compared
};

/// The reduction packets that are under way in a process: in its switches, and on links to them. Like every packet they
/// have a record, and are known by its number. Any thread may call the functions for its own packets.
class RedPackets final : public golden::RedBytes {
 public:
  /// `store` must outlive it.
  explicit RedPackets(PacketStore* store) : records_(store) {}

  golden::Payload Add(PacketRecord record, RedPacket packet);
  /// Makes another packet with the same contents; also with data that are put into one of the two later.
  golden::Payload Copy(golden::Payload payload) { return Add(records_[payload], Of(payload)); }
  const RedPacket& Of(golden::Payload payload) const { return packets_[NumberOf(payload)]; }
  /// Adds data to a packet that has begun to travel before they are known: they come with its words.
  void PutData(golden::Payload payload, int offset, const std::uint8_t* data, int bytes);
  void Release(golden::Payload payload);

  /// Saves the record of any packet; of a reduction packet also its contents.
  void Save(golden::Payload payload, Saver* save) const;
  golden::Payload Load(Loader* load);

  Red HeaderOf(golden::Payload payload) const override { return Of(payload).header; }
  const std::uint8_t* DataOf(golden::Payload payload) const override;
  golden::Payload Make(const Red& header, int length, const std::vector<std::uint8_t>& data) override;
  /// How many free numbers of records there are.
  std::size_t free() const { return records_.free(); }

 private:
  golden::Index NumberOf(golden::Payload payload) const {
    return static_cast<golden::Index>(records_[payload].red);
  }

  std::mutex mutex_;  ///< protects adding and releasing packets
  PacketRecords records_;
  Places<RedPacket> packets_;
  std::vector<golden::Index> free_;
  golden::Index made_ = 0;
};

}  // namespace tilefly::network
