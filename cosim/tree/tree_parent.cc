// SPDX-License-Identifier: Apache-2.0
#include "cosim/tree/tree_parent.h"

#include <utility>

namespace tilefly::cosim {
namespace {

constexpr std::uint64_t kRefused = 6;  ///< of so many locks and unlocks one is refused

}  // namespace

void TreeParent::Begin(Cycle, int first) {
  first_ = first;
  segments_ = results_sent_ = credit_ = told_ = 0;
  results_.clear();
  counts_.clear();
}

void TreeParent::Fail() {
  TreePeer::Fail();
  results_.clear();
}

Cycle TreeParent::Received(Cycle now, const RedPacket& packet) {
  switch (static_cast<RedWhat>(packet.red.what)) {
    case RedWhat::kCredit:
      TakeCredit(packet);
      break;
    case RedWhat::kSegment:
      TakeSegment(now, packet);
      break;
    case RedWhat::kSmall:
      TakeSmall(now, packet);
      break;
    default:
      TakeShort(now, packet);
  }
  SendResults(now);
  return -1;
}

void TreeParent::TakeSegment(Cycle now, const RedPacket& packet) {
  std::optional<Bytes> data = Answer(packet);
  if (!data) return;
  RedPacket result{packet.red, *std::move(data)};
  result.red.what = static_cast<std::uint8_t>(RedWhat::kResult);
  result.red.wants = false;
  result.red.tag = static_cast<std::uint8_t>(tag_);
  results_.push_back(std::move(result));
  TellCredit(now, ++segments_, packet.red.ends, lazy());
}

void TreeParent::SendResults(Cycle now) {
  for (; !results_.empty() && MaySend(results_sent_); ++results_sent_) {
    outbox_.Post(now, std::move(results_.front()));
    results_.pop_front();
  }
}

void TreeParent::TakeShort(Cycle now, const RedPacket& packet) {
  if (packet.red.action != static_cast<std::uint8_t>(RedAction::kReduce)) {
    AnswerLock(now, packet);
    return;
  }
  std::optional<Bytes> data = Answer(packet);
  if (!data) return;
  RedPacket answer{packet.red, *std::move(data)};
  answer.red.what = static_cast<std::uint8_t>(RedWhat::kShortResult);
  outbox_.Post(now, std::move(answer));
}

/// It refuses now and then.
void TreeParent::AnswerLock(Cycle now, const RedPacket& packet) {
  RedPacket answer = packet;
  answer.red.what = static_cast<std::uint8_t>(RedWhat::kShortResult);
  if (packet.red.code == static_cast<std::uint8_t>(RedCode::kOk)) {
    if (outbox_.random().Below(kRefused) == 0) {
      answer.red.code = static_cast<std::uint8_t>(RedCode::kBusy);
    } else if (packet.red.action == static_cast<std::uint8_t>(RedAction::kLock)) {
      tag_ = (tag_ + 1) % 16;
      segments_ = results_sent_ = credit_ = told_ = 0;
      results_.clear();
    }
  }
  answer.red.tag = static_cast<std::uint8_t>(tag_);
  outbox_.Post(now, answer);
}

void TreeParent::TakeSmall(Cycle now, const RedPacket& packet) {
  const SmallPublished published = SmallPublished::Of(packet.data);
  int& count = counts_[published.seqno];
  count += published.count;
  if (count < tree_.child_count()) return;
  count = 0;
  RedPacket answer = Packet(RedWhat::kSmallResult, 0);
  answer.data = SmallAnswer(published);
  answer.red.bytes = static_cast<std::uint16_t>(answer.data.size());
  outbox_.Post(now, answer);
}

}  // namespace tilefly::cosim
