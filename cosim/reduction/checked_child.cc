// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/checked_child.h"

#include <fmt/format.h>

namespace tilefly::cosim {

void CheckedChild::Begin(Cycle now, int first) {
  if (episode().streams) results_due_ = NextResult(0);
  TreeChild::Begin(now, first);
}

int CheckedChild::NextResult(int part) const {
  while (part < results_.parts() && !wants(part) && !results_.ends(part)) ++part;
  return part;
}

Cycle CheckedChild::Received(Cycle now, const RedPacket& packet) {
  switch (static_cast<RedWhat>(packet.red.what)) {
    case RedWhat::kCredit:
      break;
    case RedWhat::kResult:
      JudgeResult(now, packet);
      break;
    case RedWhat::kShortResult:
      if (phase() == Phase::kLocking || phase() == Phase::kUnlocking) {
        JudgeLock(now, packet);
      } else {
        JudgeShort(now, packet);
      }
      break;
    case RedWhat::kSmallResult:
      JudgeSmall(now, packet);
      break;
    default:
      judge_.Fail(now, fmt::format("{} comes to a child", ToString(static_cast<RedWhat>(packet.red.what))));
  }
  return TreeChild::Received(now, packet);
}

void CheckedChild::JudgeLock(Cycle now, const RedPacket& packet) const {
  const bool locking = phase() == Phase::kLocking;
  const auto action = locking ? RedAction::kLock : RedAction::kUnlock;
  RedPacket expected = Packet(RedWhat::kShortResult, next_short() - 1);
  expected.red.action = static_cast<std::uint8_t>(action);
  expected.red.empty = true;
  expected.red.contributions = static_cast<std::uint32_t>(tree_.child_count());
  expected.red.count = static_cast<std::uint16_t>(locking ? episode().count : 0);
  expected.red.code = packet.red.code;
  expected.red.tag = packet.red.tag;
  judge_.Expect(now, packet, expected);
  const auto code = static_cast<RedCode>(packet.red.code);
  if (code != RedCode::kBusy && code != RedCode::kOk)
    judge_.Fail(now, fmt::format("{} is answered {}", ToString(action), ToString(code)));
}

void CheckedChild::JudgeResult(Cycle now, const RedPacket& packet) {
  if (results_due_ == results_.broken()) results_due_ = NextResult(results_due_ + 1);
  if (phase() != Phase::kStreaming || results_due_ >= results_.parts())
    judge_.Fail(now, fmt::format("RESULT number {} comes without an operation", packet.red.seq));
  RedPacket expected = results_.Result(results_due_);
  expected.red.what = static_cast<std::uint8_t>(RedWhat::kResult);
  expected.red.seq = static_cast<std::uint16_t>(results_due_);
  expected.red.tag = static_cast<std::uint8_t>(tag_);
  expected.red.ends = results_.ends(results_due_);
  judge_.Expect(now, packet, expected);
  results_due_ = NextResult(results_due_ + 1);
}

void CheckedChild::JudgeShort(Cycle now, const RedPacket& packet) const {
  const int part = PartOf(packet.red.seq);
  if (!waits_for(part))
    judge_.Fail(now, fmt::format("SHORT_RESULT number {} comes, which nobody waits for", packet.red.seq));
  RedPacket expected = results_.Result(part);
  expected.red.what = static_cast<std::uint8_t>(RedWhat::kShortResult);
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
  expected.red.tag = packet.red.tag;
  judge_.Expect(now, packet, expected);
}

void CheckedChild::JudgeSmall(Cycle now, const RedPacket& packet) const {
  const SmallPublished published = SmallPublished::Of(packet.data);
  const int part = SmallPartOf(published.seqno);
  if (!waits_for(part))
    judge_.Fail(now, fmt::format("SMALL_RESULT number {} comes, which nobody waits for", published.seqno));
  RedPacket expected = Packet(RedWhat::kSmallResult, 0);
  expected.data = results_.Small(part, tree_.parent, published.seqno);
  expected.red.bytes = static_cast<std::uint16_t>(expected.data.size());
  judge_.Expect(now, packet, expected);
}

}  // namespace tilefly::cosim
