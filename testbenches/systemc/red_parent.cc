// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/red_parent.h"

namespace tilefly::systemc {

Cycle RedParent::Receive(Cycle cycle, const Red& red, const fabric::Frame& frame) {
  const auto from = frame.begin() + Red::kBytes;
  const Bytes data(from, from + golden::DataBytes(red));
  switch (static_cast<RedWhat>(red.what)) {
    case RedWhat::kFail:
      outbox_.clear();
      waiting_.clear();
      break;
    case RedWhat::kCredit:
      if (red.tag == tag_) credit_ += static_cast<std::uint8_t>(red.credit - credit_);
      SendResults(cycle);
      break;
    case RedWhat::kSegment:
      TakeSegment(cycle, red, data);
      break;
    case RedWhat::kSmall:
      TakeSmall(cycle, data);
      break;
    default:
      Answer(cycle, red, data);
  }
  return -1;
}

/// Of a short operation: what came. Locks are refused now and then.
void RedParent::Answer(Cycle now, Red red, const Bytes& data) {
  red.what = static_cast<std::uint8_t>(RedWhat::kShortResult);
  if (red.code == 0 && red.action != static_cast<std::uint8_t>(RedAction::kReduce)) {
    if (random_.Below(6) == 0) {
      red.code = static_cast<std::uint8_t>(RedCode::kBusy);
    } else if (red.action == static_cast<std::uint8_t>(RedAction::kLock)) {
      tag_ = (tag_ + 1) % 16;
      segments_ = results_ = credit_ = 0;
      waiting_.clear();
    }
  }
  red.tag = static_cast<std::uint8_t>(tag_);
  Post(now, red, data);
}

void RedParent::TakeSegment(Cycle now, const Red& red, Bytes data) {
  if (taken_++ == plan_.parent_leaves) {
    Red fail = Header(RedWhat::kFail, 0);
    fail.code = static_cast<std::uint8_t>(RedCode::kLeft);
    Post(now, fail);
    return;
  }
  Red credit = Header(RedWhat::kCredit, 0);
  credit.tag = static_cast<std::uint8_t>(tag_);
  credit.credit = static_cast<std::uint8_t>(++segments_);
  Post(now, credit);
  for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(byte + 1);  // others have added something
  Red result = red;
  result.what = static_cast<std::uint8_t>(RedWhat::kResult);
  result.wants = false;
  waiting_.emplace_back(result, std::move(data));
  SendResults(now);
}

void RedParent::SendResults(Cycle now) {
  for (; !waiting_.empty() && results_ < profile_.red_segments + credit_; ++results_) {
    Post(now, waiting_.front().first, waiting_.front().second);
    waiting_.pop_front();
  }
}

void RedParent::TakeSmall(Cycle now, const Bytes& data) {
  const golden::RedPart part = golden::small::Part(data.data());
  std::uint32_t& count = counts_[part.record.seq];
  count += part.record.contributions;
  if (count < static_cast<std::uint32_t>(__builtin_popcountll(plan_.children))) return;
  RedCollect told = part.record;
  told.contributions = count;
  told.arm = part.record.seq % 2 == 1;
  count = 0;
  Bytes operands = part.data;
  operands.resize(golden::kOperandBytes);
  Red red = Header(RedWhat::kSmallResult, 0);
  red.bytes = golden::small::kBytes;
  Post(now, red, golden::small::PacketOf(told, operands.data()));
}

}  // namespace tilefly::systemc
