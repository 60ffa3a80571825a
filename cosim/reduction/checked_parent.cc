// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/checked_parent.h"

#include <fmt/format.h>

namespace tilefly::cosim {

void CheckedParent::Begin(Cycle now, int first) {
  segments_ = 0;
  counts_.clear();
  TreeParent::Begin(now, first);
}

Cycle CheckedParent::Received(Cycle now, const RedPacket& packet) {
  switch (static_cast<RedWhat>(packet.red.what)) {
    case RedWhat::kCredit:
      break;
    case RedWhat::kSegment:
      JudgeSegment(now, packet);
      break;
    case RedWhat::kShort:
      JudgeShort(now, packet);
      break;
    case RedWhat::kSmall:
      JudgeSmall(now, packet);
      break;
    default:
      judge_.Fail(now, fmt::format("{} comes to the parent", ToString(static_cast<RedWhat>(packet.red.what))));
  }
  return TreeParent::Received(now, packet);
}

void CheckedParent::JudgeSegment(Cycle now, const RedPacket& packet) {
  if (segments_ == results_.broken()) ++segments_;
  if (segments_ >= results_.parts())
    judge_.Fail(now, fmt::format("SEGMENT number {} comes, which is one too many", packet.red.seq));
  RedPacket expected = results_.Combined(segments_);
  expected.red.what = static_cast<std::uint8_t>(RedWhat::kSegment);
  expected.red.seq = static_cast<std::uint16_t>(segments_);
  expected.red.tag = static_cast<std::uint8_t>(tag_);
  expected.red.ends = results_.ends(segments_);
  expected.red.wants = true;
  judge_.Expect(now, packet, expected);
  ++segments_;
}

void CheckedParent::JudgeShort(Cycle now, const RedPacket& packet) const {
  if (packet.red.action != static_cast<std::uint8_t>(RedAction::kReduce)) return;
  const int part = PartOf(packet);
  if (part >= results_.parts())
    judge_.Fail(now, fmt::format("SHORT number {} comes, which nobody sent", packet.red.seq));
  RedPacket expected = results_.Combined(part);
  expected.red.what = static_cast<std::uint8_t>(RedWhat::kShort);
  expected.red.seq = packet.red.seq;
  expected.red.rnd = static_cast<std::uint8_t>(results_.operation(part).rnd);
  expected.red.ftz = results_.operation(part).ftz;
  expected.red.contributions = static_cast<std::uint32_t>(tree_.child_count());
  if (results_.Mismatches(part)) {
    expected.red.code = static_cast<std::uint8_t>(RedCode::kMismatch);
    expected.red.empty = true;
    expected.data.clear();
    expected.red.count = packet.red.count;
  }
  judge_.Expect(now, packet, expected);
}

void CheckedParent::JudgeSmall(Cycle now, const RedPacket& packet) {
  const SmallPublished published = SmallPublished::Of(packet.data);
  const int part = SmallPartOf(published.seqno);
  int& count = counts_[part];
  count += published.count;
  if (part >= results_.parts() || count > tree_.child_count())
    judge_.Fail(now,
                fmt::format("SMALL number {} brings {} contributions, too many", published.seqno, published.count));
}

/// The segment that does not fit together, and those behind it, have none: the group fails.
std::optional<Bytes> CheckedParent::Answer(const RedPacket& packet) {
  if (static_cast<RedWhat>(packet.red.what) == RedWhat::kSegment) {
    if (packet.red.seq >= results_.broken()) return std::nullopt;
    return results_.ParentsAnswer(packet.red.seq).data;
  }
  const int part = PartOf(packet);
  return results_.Mismatches(part) ? Bytes() : results_.ParentsAnswer(part).data;
}

Bytes CheckedParent::SmallAnswer(const SmallPublished& last) {
  return results_.Small(SmallPartOf(last.seqno), tree_.parent, last.seqno);
}

}  // namespace tilefly::cosim
