// SPDX-License-Identifier: Apache-2.0
// What reduction packets of a system say (docs/blocks/reduction.md, Packets), which its switches read and make.
#pragma once

#include <mutex>
#include <vector>

#include "golden/common/archive.h"
#include "golden/reduction/red_bytes.h"
#include "network/packet_records.h"

namespace tilefly::network {

/// A reduction packet behind its header.
struct RedPacket {
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(header, data);
  }

  Red header;
  std::vector<std::uint8_t> data;  ///< as much as the header says; none when nobody compares results
};

/// Those that are under way in a process: in its switches, and on links to them. Like every packet they have a record,
/// and are known by its number. Any thread may call this for packets that are its own.
class RedPackets final : public golden::RedBytes {
 public:
  /// `store` must outlive it.
  explicit RedPackets(PacketStore* store) : records_(store) {}

  golden::Payload Add(PacketRecord record, RedPacket packet);
  /// Another packet that says the same.
  golden::Payload Copy(golden::Payload payload) { return Add(records_[payload], Of(payload)); }
  const RedPacket& Of(golden::Payload payload) const { return packets_[NumberOf(payload)]; }
  /// Data of a packet that come with its words, which begins to travel before they are known.
  void PutData(golden::Payload payload, int offset, const std::uint8_t* data, int bytes);
  void Release(golden::Payload payload);

  /// The record of any packet; of a reduction packet all of it.
  void Save(golden::Payload payload, Saver* save) const;
  golden::Payload Load(Loader* load);

  Red HeaderOf(golden::Payload payload) const override { return Of(payload).header; }
  const std::uint8_t* DataOf(golden::Payload payload) const override;
  golden::Payload Make(const Red& header, int length, const std::vector<std::uint8_t>& data) override;
  /// Numbers of records that are not in use.
  std::size_t free() const { return records_.free(); }

 private:
  golden::Index NumberOf(golden::Payload payload) const {
    return static_cast<golden::Index>(records_[payload].red);
  }

  std::mutex mutex_;  ///< of who adds or releases a packet
  PacketRecords records_;
  Places<RedPacket> packets_;
  std::vector<golden::Index> free_;
  golden::Index made_ = 0;
};

}  // namespace tilefly::network
