// SPDX-License-Identifier: Apache-2.0
#include "cosim/tree/tree_child.h"

#include <algorithm>

#include "golden/reduction/red_part.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint64_t kBackOff = 3000;  ///< cycles within which a refused lock is tried again

}  // namespace

void TreeChild::Begin(Cycle now, int first) {
  next_short_ = first_ = first;
  old_tag_ = tag_;
  sent_ = credit_ = told_ = finals_ = results_taken_ = tries_ = 0;
  silent_ = false;
  ready_.clear();
  MisbehaveFirst(now);
  if (episode().streams) {
    PostLock(now, RedAction::kLock, 1);
    phase_ = Phase::kLocking;
  } else {
    phase_ = Phase::kShort;
    SendShort(now);
  }
}

void TreeChild::PostLock(Cycle now, RedAction action, std::uint64_t within) {
  RedPacket packet = Packet(RedWhat::kShort, next_short_++);
  packet.red.action = static_cast<std::uint8_t>(action);
  packet.red.empty = true;
  packet.red.contributions = 1;
  packet.red.count = static_cast<std::uint16_t>(action == RedAction::kLock ? episode().count : 0);
  lock_ready_ = outbox_.PostLater(now, within, packet);
}

RedPacket TreeChild::SegmentPacket(int part) const {
  RedPacket packet = operands_.Operands(part, port_);
  packet.red.what = static_cast<std::uint8_t>(RedWhat::kSegment);
  packet.red.seq = static_cast<std::uint16_t>(part);
  packet.red.tag = static_cast<std::uint8_t>(tag_);
  packet.red.ends = operands_.ends(part);
  packet.red.wants = (operands_.operation(part).wants >> port_ & 1) != 0;
  return packet;
}

void TreeChild::SendSegments(Cycle now) {
  while (!silent_ && sent_ < operands_.parts() && MaySend(sent_) &&
         (episode().eager || finals_ == operands_.operation_of(sent_))) {
    if (!Misbehave(now, sent_)) ready_[sent_] = outbox_.Post(now, SegmentPacket(sent_));
    ++sent_;
  }
}

RedPacket TreeChild::ShortPacket(int part) const {
  const TreeOperation& operation = operands_.operation(part);
  RedPacket packet = operands_.Operands(part, port_);
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
  packet.data = operands_.Small(part, port_, (first_ + part) % SmallPublished::kNumbers);
  packet.red.bytes = static_cast<std::uint16_t>(packet.data.size());
  return packet;
}

void TreeChild::SendShort(Cycle now) {
  while (!silent_ && sent_ < operands_.parts() &&
         (ready_.empty() || sent_ - ready_.begin()->first < golden::kRedEngines)) {
    ready_[sent_] = now;
    if (!Misbehave(now, sent_))
      ready_[sent_] = outbox_.Post(now, tree_.small ? SmallPacket(sent_) : ShortPacket(sent_));
    ++sent_;
    ++next_short_;
  }
}

/// What is wrong before anything else is sent.
void TreeChild::MisbehaveFirst(Cycle now) {
  if (!misbehaves(episode().mishap, episode().at)) return;
  RedPacket packet = Packet(RedWhat::kSegment, 0);
  if (episode().mishap == Mishap::kUnlocked) {
    packet.red.tag = static_cast<std::uint8_t>((tag_ + 7) % 16);
    outbox_.Post(now, packet);
  } else if (episode().mishap == Mishap::kStranger || episode().mishap == Mishap::kDamaged) {
    packet.red.group = static_cast<std::uint8_t>(outbox_.random().Below(2) != 0 ? 8 + outbox_.random().Below(56) : 7);
    if (packet.red.group == 7) packet.red.what = static_cast<std::uint8_t>(8 + outbox_.random().Below(24));
    packet.data.resize(packet.red.bytes = static_cast<std::uint16_t>(8 * outbox_.random().Below(40)));
    outbox_.Post(now, packet, episode().mishap == Mishap::kDamaged);
  }
}

/// What is wrong in place of a part; false: it is sent nevertheless.
bool TreeChild::Misbehave(Cycle now, int part) {
  if (!misbehaves(episode().mishap, part)) return false;
  RedPacket packet = episode().streams ? SegmentPacket(part) : Packet(RedWhat::kShort, first_ + part);
  switch (episode().mishap) {
    case Mishap::kDiffers:
      if (!episode().streams) return false;
      packet.red.ends = !packet.red.ends;
      break;
    case Mishap::kSkips:
      ++packet.red.seq;
      break;
    case Mishap::kGreedy:
      for (const int end = std::min(operands_.parts(), part + 2 * profile_.red_segments); sent_ + 1 < end; ++sent_)
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
    case Mishap::kBadSegment:
      outbox_.Post(now, packet, true);
      return true;
    default:
      return false;
  }
  outbox_.Post(now, packet);
  return true;
}

Cycle TreeChild::Received(Cycle now, const RedPacket& packet) {
  Cycle ready = -1;
  switch (static_cast<RedWhat>(packet.red.what)) {
    case RedWhat::kCredit:
      TakeCredit(packet);
      break;
    case RedWhat::kResult:
      ready = TakeResult(now, packet);
      break;
    case RedWhat::kShortResult:
      ready = phase_ == Phase::kShort ? TakeShort(now, PartOf(packet.red.seq)) : LockAnswered(now, packet);
      break;
    case RedWhat::kSmallResult:
      ready = TakeShort(now, SmallPartOf(SmallPublished::Of(packet.data).seqno));
      break;
    default:
      break;
  }
  if (phase_ == Phase::kStreaming) SendSegments(now);
  return ready;
}

Cycle TreeChild::LockAnswered(Cycle now, const RedPacket& packet) {
  if (phase_ != Phase::kLocking && phase_ != Phase::kUnlocking) return -1;
  const Cycle ready = lock_ready_;
  const bool locking = phase_ == Phase::kLocking;
  if (static_cast<RedCode>(packet.red.code) == RedCode::kBusy) {
    // All children are told the same, and try again with the next number.
    if (++tries_ != options_.most_tries) PostLock(now, locking ? RedAction::kLock : RedAction::kUnlock, kBackOff);
  } else if (locking) {
    phase_ = Phase::kStreaming;
    tag_ = packet.red.tag;
    tries_ = 0;
  } else {
    phase_ = Phase::kDone;
  }
  return ready;
}

Cycle TreeChild::TakeReady(int part) {
  const auto found = ready_.find(part);
  if (found == ready_.end()) return -1;
  const Cycle ready = found->second;
  ready_.erase(found);
  return ready;
}

Cycle TreeChild::TakeResult(Cycle now, const RedPacket& packet) {
  if (phase_ != Phase::kStreaming) return -1;
  ++results_taken_;
  if (is_node()) TellCredit(now, results_taken_, packet.red.ends, episode().lazy);
  finals_ += packet.red.ends;
  if (finals_ == static_cast<int>(episode().operations.size())) EndOfStreams(now);
  return TakeReady(packet.red.seq);
}

void TreeChild::EndOfStreams(Cycle now) {
  if (episode().count != 0) {
    phase_ = Phase::kDone;
  } else {
    phase_ = Phase::kUnlocking;
    PostLock(now, RedAction::kUnlock, 1);
  }
}

Cycle TreeChild::TakeShort(Cycle now, int part) {
  if (!waits_for(part)) return -1;
  const Cycle ready = TakeReady(part);
  SendShort(now);
  if (ready_.empty() && sent_ == operands_.parts()) phase_ = Phase::kDone;
  return ready;
}

}  // namespace tilefly::cosim
