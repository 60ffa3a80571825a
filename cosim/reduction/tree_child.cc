// SPDX-License-Identifier: Apache-2.0
#include "cosim/reduction/tree_child.h"

#include <fmt/format.h>

#include "cosim/reduction/small_packet.h"

namespace tilefly::cosim {
namespace {

constexpr int kEngines = 8;
constexpr std::uint64_t kBackOff = 3000;  ///< cycles within which a refused lock is tried again

}  // namespace

void TreeChild::Begin(Cycle now, const Episode& episode, int first) {
  episode_ = episode;
  next_short_ = first_ = first;
  old_tag_ = tag_;
  sent_ = credit_ = told_ = finals_ = results_taken_ = 0;
  silent_ = false;
  open_.clear();
  MisbehaveFirst(now);
  if (episode.streams) {
    results_due_ = NextResult(0);
    PostLock(now, RedAction::kLock, 1);
    phase_ = Phase::kLocking;
  } else {
    phase_ = Phase::kShort;
    SendShort(now);
  }
}

int TreeChild::NextResult(int part) const {
  while (part < results_.parts() && !wants(part) && !results_.ends(part)) ++part;
  return part;
}

void TreeChild::PostLock(Cycle now, RedAction action, std::uint64_t within) {
  RedPacket packet = Packet(RedWhat::kShort, next_short_++);
  packet.red.action = static_cast<std::uint8_t>(action);
  packet.red.empty = true;
  packet.red.contributions = 1;
  packet.red.count = static_cast<std::uint16_t>(action == RedAction::kLock ? episode_.count : 0);
  outbox_.PostLater(now, within, packet);
}

RedPacket TreeChild::SegmentPacket(int part) const {
  RedPacket packet = results_.Operands(part, port_);
  packet.red.what = static_cast<std::uint8_t>(RedWhat::kSegment);
  packet.red.seq = static_cast<std::uint16_t>(part);
  packet.red.tag = static_cast<std::uint8_t>(tag_);
  packet.red.ends = results_.ends(part);
  packet.red.wants = (results_.operation(part).wants >> port_ & 1) != 0;
  return packet;
}

void TreeChild::SendSegments(Cycle now) {
  while (!silent_ && sent_ < results_.parts() && MaySend(sent_) &&
         (episode_.eager || finals_ == results_.operation_of(sent_))) {
    if (!Misbehave(now, sent_)) outbox_.Post(now, SegmentPacket(sent_));
    ++sent_;
  }
}

RedPacket TreeChild::ShortPacket(int part) const {
  const TreeOperation& operation = results_.operation(part);
  RedPacket packet = results_.Operands(part, port_);
  packet.red.what = static_cast<std::uint8_t>(RedWhat::kShort);
  packet.red.seq = static_cast<std::uint16_t>(first_ + part);
  packet.red.rnd = static_cast<std::uint8_t>(operation.rnd);
  packet.red.ftz = operation.ftz;
  packet.red.contributions = 1;
  if (misbehaves(Mishap::kDiffers, part)) packet.red.count = 1;
  return packet;
}

RedPacket TreeChild::SmallPacket(int part) const {
  RedPacket packet = Packet(RedWhat::kSmall, 0);
  packet.data = results_.SmallOperands(part, port_, (first_ + part) % SmallPublished::kNumbers);
  packet.red.bytes = static_cast<std::uint16_t>(packet.data.size());
  return packet;
}

void TreeChild::SendShort(Cycle now) {
  while (!silent_ && sent_ < results_.parts() && (open_.empty() || sent_ - *open_.begin() < kEngines)) {
    if (!Misbehave(now, sent_)) outbox_.Post(now, tree_.small ? SmallPacket(sent_) : ShortPacket(sent_));
    open_.insert(sent_++);
    ++next_short_;
  }
}

/// What is wrong before anything else is sent.
void TreeChild::MisbehaveFirst(Cycle now) {
  if (!misbehaves(episode_.mishap, episode_.at)) return;
  RedPacket packet = Packet(RedWhat::kSegment, 0);
  if (episode_.mishap == Mishap::kUnlocked) {
    packet.red.tag = static_cast<std::uint8_t>((tag_ + 7) % 16);
    outbox_.Post(now, packet);
  } else if (episode_.mishap == Mishap::kStranger || episode_.mishap == Mishap::kDamaged) {
    packet.red.group = static_cast<std::uint8_t>(outbox_.random().Below(2) != 0 ? 8 + outbox_.random().Below(56) : 7);
    if (packet.red.group == 7) packet.red.what = static_cast<std::uint8_t>(8 + outbox_.random().Below(24));
    packet.data.resize(packet.red.bytes = static_cast<std::uint16_t>(8 * outbox_.random().Below(40)));
    if (episode_.mishap == Mishap::kDamaged) {
      outbox_.PostDamaged(now, packet);
    } else {
      outbox_.Post(now, packet);
    }
  }
}

/// What is wrong in place of a part; false: it is sent nevertheless.
bool TreeChild::Misbehave(Cycle now, int part) {
  if (!misbehaves(episode_.mishap, part)) return false;
  RedPacket packet = episode_.streams ? SegmentPacket(part) : Packet(RedWhat::kShort, first_ + part);
  switch (episode_.mishap) {
    case Mishap::kDiffers:
      if (!episode_.streams) return false;
      packet.red.ends = !packet.red.ends;
      break;
    case Mishap::kSkips:
      ++packet.red.seq;
      break;
    case Mishap::kGreedy:
      for (const int end = std::min(results_.parts(), part + 2 * profile().red_segments); sent_ + 1 < end; ++sent_)
        outbox_.Post(now, SegmentPacket(sent_));
      packet = SegmentPacket(sent_);
      break;
    case Mishap::kIllegal:
      packet.red.op = static_cast<std::uint8_t>(RedOp::kXor);
      packet.red.dtype = static_cast<std::uint8_t>(RedType::kFloat64);
      break;
    case Mishap::kWrongSide:
      packet = Packet(RedWhat::kResult, 0);
      break;
    case Mishap::kOldTag:
      packet.red.tag = static_cast<std::uint8_t>(old_tag_);
      outbox_.Post(now, packet);
      return old_tag_ == tag_;  // then it was the right one
    case Mishap::kLeaves:
      packet = Packet(RedWhat::kFail, 0);
      packet.red.code = static_cast<std::uint8_t>(RedCode::kLeft);
      outbox_.Post(now, packet);
      return false;
    case Mishap::kSilent:
      silent_ = true;
      return true;
    default:
      return false;
  }
  outbox_.Post(now, packet);
  return true;
}

void TreeChild::Received(Cycle now, const RedPacket& packet) {
  switch (static_cast<RedWhat>(packet.red.what)) {
    case RedWhat::kCredit:
      TakeCredit(packet);
      break;
    case RedWhat::kResult:
      TakeResult(now, packet);
      break;
    case RedWhat::kShortResult:
      TakeShort(now, packet);
      break;
    case RedWhat::kSmallResult:
      TakeSmall(now, packet);
      break;
    default:
      Fail(now, fmt::format("{} comes to a child", ToString(static_cast<RedWhat>(packet.red.what))));
  }
  if (phase_ == Phase::kStreaming) SendSegments(now);
}

void TreeChild::LockAnswered(Cycle now, const RedPacket& packet) {
  const bool locking = phase_ == Phase::kLocking;
  const auto action = locking ? RedAction::kLock : RedAction::kUnlock;
  RedPacket expected = Packet(RedWhat::kShortResult, next_short_ - 1);
  expected.red.action = static_cast<std::uint8_t>(action);
  expected.red.empty = true;
  expected.red.contributions = static_cast<std::uint32_t>(__builtin_popcountll(tree_.children));
  expected.red.count = static_cast<std::uint16_t>(locking ? episode_.count : 0);
  expected.red.code = packet.red.code;
  expected.red.tag = packet.red.tag;
  Expect(now, packet, expected);
  const auto code = static_cast<RedCode>(packet.red.code);
  if (code == RedCode::kBusy) {
    // All children are told the same, and try again under the same number.
    PostLock(now, action, kBackOff);
  } else if (code != RedCode::kOk) {
    Fail(now, fmt::format("{} is answered {}", ToString(action), ToString(code)));
  } else if (locking) {
    phase_ = Phase::kStreaming;
    tag_ = packet.red.tag;
  } else {
    phase_ = Phase::kDone;
  }
}

void TreeChild::TakeResult(Cycle now, const RedPacket& packet) {
  if (results_due_ == results_.broken()) results_due_ = NextResult(results_due_ + 1);
  if (phase_ != Phase::kStreaming || results_due_ >= results_.parts())
    Fail(now, fmt::format("RESULT number {} comes without an operation", packet.red.seq));
  RedPacket expected = results_.Result(results_due_);
  expected.red.what = static_cast<std::uint8_t>(RedWhat::kResult);
  expected.red.seq = static_cast<std::uint16_t>(results_due_);
  expected.red.tag = static_cast<std::uint8_t>(tag_);
  expected.red.ends = results_.ends(results_due_);
  Expect(now, packet, expected);
  ++results_taken_;
  if (is_node()) TellCredit(now, results_taken_, results_.ends(results_due_));
  finals_ += results_.ends(results_due_);
  results_due_ = NextResult(results_due_ + 1);
  if (finals_ == static_cast<int>(episode_.operations.size())) EndOfStreams(now);
}

void TreeChild::EndOfStreams(Cycle now) {
  if (episode_.count != 0) {
    phase_ = Phase::kDone;
  } else {
    phase_ = Phase::kUnlocking;
    PostLock(now, RedAction::kUnlock, 1);
  }
}

void TreeChild::TakeShort(Cycle now, const RedPacket& packet) {
  if (phase_ == Phase::kLocking || phase_ == Phase::kUnlocking) {
    LockAnswered(now, packet);
    return;
  }
  const int part = static_cast<std::uint16_t>(packet.red.seq - first_);
  if (phase_ != Phase::kShort || open_.erase(part) == 0)
    Fail(now, fmt::format("SHORT_RESULT number {} comes, which nobody waits for", packet.red.seq));
  RedPacket expected = results_.Result(part);
  expected.red.what = static_cast<std::uint8_t>(RedWhat::kShortResult);
  expected.red.seq = packet.red.seq;
  expected.red.rnd = static_cast<std::uint8_t>(results_.operation(part).rnd);
  expected.red.ftz = results_.operation(part).ftz;
  expected.red.contributions = static_cast<std::uint32_t>(__builtin_popcountll(tree_.children));
  if (results_.Mismatches(part)) {
    expected.red.code = static_cast<std::uint8_t>(RedCode::kMismatch);
    expected.red.empty = true;
    expected.data.clear();
    expected.red.count = packet.red.count;
  }
  expected.red.tag = packet.red.tag;
  Expect(now, packet, expected);
  SendShort(now);
  if (open_.empty() && sent_ == results_.parts()) phase_ = Phase::kDone;
}

void TreeChild::TakeSmall(Cycle now, const RedPacket& packet) {
  const SmallPublished published = SmallPublished::Of(packet.data);
  const int part = (published.seqno - first_ % SmallPublished::kNumbers + SmallPublished::kNumbers) % SmallPublished::kNumbers;
  if (phase_ != Phase::kShort || open_.erase(part) == 0)
    Fail(now, fmt::format("SMALL_RESULT number {} comes, which nobody waits for", published.seqno));
  RedPacket expected = Packet(RedWhat::kSmallResult, 0);
  expected.data = results_.SmallAnswer(part, published.seqno);
  expected.red.bytes = static_cast<std::uint16_t>(expected.data.size());
  Expect(now, packet, expected);
  SendShort(now);
  if (open_.empty() && sent_ == results_.parts()) phase_ = Phase::kDone;
}

}  // namespace tilefly::cosim
