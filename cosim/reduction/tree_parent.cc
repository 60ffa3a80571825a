// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/tree_parent.h"

#include <fmt/format.h>

#include <algorithm>

#include "cosim/reduction/small_packet.h"

namespace tilefly::cosim {

void TreeParent::Begin(Cycle, const Episode& episode, int first) {
  episode_ = episode;
  first_ = first;
  segments_ = results_sent_ = credit_ = told_ = 0;
  counts_.clear();
}

void TreeParent::Received(Cycle now, const RedPacket& packet) {
  switch (static_cast<RedWhat>(packet.red.what)) {
    case RedWhat::kCredit:
      TakeCredit(packet);
      break;
    case RedWhat::kSegment:
      TakeSegment(now, packet);
      break;
    case RedWhat::kShort:
      TakeShort(now, packet);
      break;
    case RedWhat::kSmall:
      TakeSmall(now, packet);
      break;
    default:
      Fail(now, fmt::format("{} comes to the parent", ToString(static_cast<RedWhat>(packet.red.what))));
  }
  SendResults(now);
}

void TreeParent::TakeSegment(Cycle now, const RedPacket& packet) {
  if (segments_ == results_.broken()) ++segments_;
  if (segments_ >= results_.parts()) Fail(now, fmt::format("SEGMENT number {} comes, which is one too many", packet.red.seq));
  RedPacket expected = results_.Combined(segments_);
  expected.red.what = static_cast<std::uint8_t>(RedWhat::kSegment);
  expected.red.seq = static_cast<std::uint16_t>(segments_);
  expected.red.tag = static_cast<std::uint8_t>(tag_);
  expected.red.ends = results_.ends(segments_);
  expected.red.wants = true;
  Expect(now, packet, expected);
  if (++segments_ > results_.broken()) return;
  TellCredit(now, segments_, expected.red.ends);
}

void TreeParent::SendResults(Cycle now) {
  for (; results_sent_ < std::min(segments_, results_.broken()) && MaySend(results_sent_); ++results_sent_) {
    RedPacket result = results_.ParentsAnswer(results_sent_);
    result.red.what = static_cast<std::uint8_t>(RedWhat::kResult);
    result.red.seq = static_cast<std::uint16_t>(results_sent_);
    result.red.tag = static_cast<std::uint8_t>(tag_);
    result.red.ends = results_.ends(results_sent_);
    outbox_.Post(now, result);
  }
}

void TreeParent::TakeShort(Cycle now, const RedPacket& packet) {
  if (packet.red.action != static_cast<std::uint8_t>(RedAction::kReduce)) {
    AnswerLock(now, packet);
    return;
  }
  const int part = static_cast<std::uint16_t>(packet.red.seq - first_);
  if (part >= results_.parts()) Fail(now, fmt::format("SHORT number {} comes, which nobody sent", packet.red.seq));
  RedPacket expected = results_.Combined(part);
  expected.red.what = static_cast<std::uint8_t>(RedWhat::kShort);
  expected.red.seq = packet.red.seq;
  expected.red.rnd = static_cast<std::uint8_t>(results_.operation(part).rnd);
  expected.red.ftz = results_.operation(part).ftz;
  expected.red.contributions = static_cast<std::uint32_t>(__builtin_popcountll(tree_.children));
  RedPacket answer = results_.ParentsAnswer(part);
  if (results_.Mismatches(part)) {
    expected.red.code = static_cast<std::uint8_t>(RedCode::kMismatch);
    expected.red.empty = answer.red.empty = true;
    expected.data.clear();
    answer.data.clear();
    expected.red.count = packet.red.count;
  }
  Expect(now, packet, expected);
  const bool empty = answer.red.empty;
  answer.red = packet.red;
  answer.red.what = static_cast<std::uint8_t>(RedWhat::kShortResult);
  answer.red.empty = empty;
  outbox_.Post(now, answer);
}

/// It refuses now and then.
void TreeParent::AnswerLock(Cycle now, const RedPacket& packet) {
  RedPacket answer = packet;
  answer.red.what = static_cast<std::uint8_t>(RedWhat::kShortResult);
  if (packet.red.code == static_cast<std::uint8_t>(RedCode::kOk)) {
    if (outbox_.random().Below(6) == 0) {
      answer.red.code = static_cast<std::uint8_t>(RedCode::kBusy);
    } else if (packet.red.action == static_cast<std::uint8_t>(RedAction::kLock)) {
      tag_ = (tag_ + 1) % 16;
      segments_ = results_sent_ = credit_ = told_ = 0;
    }
  }
  answer.red.tag = static_cast<std::uint8_t>(tag_);
  outbox_.Post(now, answer);
}

void TreeParent::TakeSmall(Cycle now, const RedPacket& packet) {
  const SmallPublished published = SmallPublished::Of(packet.data);
  const int part = (published.seqno - first_ % SmallPublished::kNumbers + SmallPublished::kNumbers) % SmallPublished::kNumbers;
  const int children = __builtin_popcountll(tree_.children);
  int& count = counts_[part];
  count += published.count;
  if (part >= results_.parts() || count > children)
    Fail(now, fmt::format("SMALL number {} brings {} contributions, too many", published.seqno, published.count));
  if (count < children) return;
  RedPacket answer = Packet(RedWhat::kSmallResult, 0);
  answer.data = results_.SmallAnswer(part, published.seqno);
  answer.red.bytes = static_cast<std::uint16_t>(answer.data.size());
  outbox_.Post(now, answer);
}

}  // namespace tilefly::cosim
