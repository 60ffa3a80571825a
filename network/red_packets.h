// SPDX-License-Identifier: Apache-2.0
// What reduction packets of a system say (docs/blocks/reduction.md, Packets), which its switches read and make.
#pragma once

#include <vector>

#include "golden/common/archive.h"
#include "golden/reduction/red_bytes.h"
#include "network/messages.h"

namespace tilefly::golden {

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
/// and are known by its number.
class RedPackets final : public RedBytes {
 public:
  /// `records` must outlive it.
  explicit RedPackets(PacketRecords* records) : records_(*records) {}

  Payload Add(PacketRecord record, RedPacket packet);
  /// Another packet that says the same.
  Payload Copy(Payload payload) { return Add(records_[payload], Of(payload)); }
  const RedPacket& Of(Payload payload) const { return packets_[static_cast<Index>(records_[payload].red)]; }
  /// Data of a packet that come with its words, which begins to travel before they are known.
  void PutData(Payload payload, int offset, const std::uint8_t* data, int bytes);
  void Release(Payload payload);

  /// The record of any packet; of a reduction packet all of it.
  void Save(Payload payload, Saver* save) const;
  Payload Load(Loader* load);

  Red HeaderOf(Payload payload) const override { return Of(payload).header; }
  const std::uint8_t* DataOf(Payload payload) const override;
  Payload Make(const Red& header, int length, const std::vector<std::uint8_t>& data) override;

 private:
  PacketRecords& records_;
  Pool<RedPacket> packets_;
};

}  // namespace tilefly::golden
