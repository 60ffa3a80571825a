// SPDX-License-Identifier: Apache-2.0
#include "testbenches/systemc/red_child.h"

#include "golden/reduction/arithmetic.h"

namespace tilefly::systemc {
namespace {

constexpr int kOpcodeBit = 11;  // of the small packet's header
constexpr int kCountBit = 17;
constexpr int kHeaderEnd = 17;  // byte behind the header

/// The published packet with these fields, all else 0.
std::vector<std::uint8_t> SmallPacket(int opcode, int seqno, const std::vector<std::uint8_t>& operands) {
  std::vector<std::uint8_t> packet(golden::small::kBytes);
  const std::uint64_t header = std::uint64_t{1} << kCountBit | static_cast<std::uint64_t>(opcode) << kOpcodeBit |
                               static_cast<std::uint64_t>(seqno);
  for (int i = 0; i < 8; ++i)
    packet[static_cast<std::size_t>(kHeaderEnd - 1 - i)] = static_cast<std::uint8_t>(header >> 8 * i);
  std::copy(operands.begin(), operands.end(), packet.begin() + golden::small::kOperandsAt);
  return packet;
}

}  // namespace

void RedChild::Begin(Cycle now) {
  sent_ = results_ = finals_ = credit_ = tries_ = 0;
  silent_ = false;
  ready_.clear();
  if (done()) return;
  if (step().kind == RedStep::Kind::kStream) {
    phase_ = Phase::kLocking;
    if (step().mishap == Mishap::kUnlocked && step().culprit == port_) {
      Red red = Header(RedWhat::kSegment, 0);
      red.tag = static_cast<std::uint8_t>((tag_ + 9) % 16);
      red.empty = true;
      Post(now, red);
    }
    PostLock(now, RedAction::kLock);
  } else {
    phase_ = Phase::kShort;
    SendShorts(now);
  }
}

void RedChild::Next(Cycle now) {
  ++step_;
  Begin(now);
}

void RedChild::PostLock(Cycle now, RedAction action) {
  Red red = Header(RedWhat::kShort, static_cast<int>(step_) * kNumbers + (action == RedAction::kUnlock));
  red.action = static_cast<std::uint8_t>(action);
  red.empty = true;
  red.contributions = 1;
  if (action == RedAction::kLock && step().limited) red.count = static_cast<std::uint16_t>(step().operations);
  ready_[0] = Post(now, red);
}

RedPeer::Bytes RedChild::Operands(int part, int bytes) const {
  Bytes data(static_cast<std::size_t>(bytes));
  Stream random(seed_, static_cast<std::uint32_t>(plan_.group << 8 | port_),
                step_ << 16 | static_cast<std::uint64_t>(part + 2), Purpose::kPayload);
  random.Fill(data.data(), data.size());
  if (random.Below(2) == 0) return data;
  // Floating-point numbers near 1, so that sums round.
  for (std::size_t i = 1; i < data.size(); i += 2) data[i] = static_cast<std::uint8_t>(0x3c | (data[i] & 0x83));
  return data;
}

/// A rank does not begin an operation before it has the last result of the one before.
void RedChild::SendSegments(Cycle now) {
  while (!silent_ && sent_ < segments() && sent_ < profile_.red_segments + credit_ &&
         sent_ / step().segments <= finals_) {
    const bool last = (sent_ + 1) % step().segments == 0;
    const int unit = golden::UnitBytes(step().op, step().type);
    Red red = Header(RedWhat::kSegment, sent_);
    red.op = static_cast<std::uint8_t>(step().op);
    red.dtype = static_cast<std::uint8_t>(step().type);
    red.bytes = static_cast<std::uint16_t>(last ? step().bytes : profile_.red_bytes / unit * unit);
    red.empty = (step().empty & golden::Bit(port_)) != 0;
    red.wants = (step().want & golden::Bit(port_)) != 0;
    red.ends = last;
    red.tag = static_cast<std::uint8_t>(tag_);
    const Bytes data = red.empty ? Bytes() : Operands(sent_, red.bytes);
    if (misbehaves(sent_) && Misbehave(now, red, data)) {
      ++sent_;
      continue;
    }
    ready_[sent_++] = Post(now, red, data);
  }
}

bool RedChild::Misbehave(Cycle now, Red red, const Bytes& data) {
  switch (step().mishap) {
    case Mishap::kDiffers:
      red.ends = !red.ends;
      break;
    case Mishap::kSkips:
      ++red.seq;
      break;
    case Mishap::kIllegal:
      red.op = static_cast<std::uint8_t>(RedOp::kMinmaxnumloc) + 1;
      break;
    case Mishap::kWrongSide:
      red.what = static_cast<std::uint8_t>(RedWhat::kResult);
      break;
    case Mishap::kOldTag:
      red.tag = static_cast<std::uint8_t>((tag_ + 15) % 16);
      Post(now, red, data);
      return false;
    case Mishap::kDamaged:
      Post(now, red, data, true);
      return true;
    case Mishap::kLeaves:
      red = Header(RedWhat::kFail, 0);
      red.code = static_cast<std::uint8_t>(RedCode::kLeft);
      Post(now, red);
      return silent_ = true;
    case Mishap::kSilent:
      return silent_ = true;
    default:
      return false;
  }
  Post(now, red, data);
  return true;
}

/// At most eight are under way.
void RedChild::SendShorts(Cycle now) {
  while (sent_ < step().operations && static_cast<int>(ready_.size()) < golden::kRedEngines &&
         (ready_.empty() || sent_ < ready_.begin()->first + golden::kRedEngines)) {
    const int number = static_cast<int>(step_) * kNumbers + sent_;
    if (step().kind == RedStep::Kind::kSmall) {
      Red red = Header(RedWhat::kSmall, 0);
      red.bytes = golden::small::kBytes;
      constexpr int kSmallNumbers = 1024;
      ready_[sent_] =
          Post(now, red, SmallPacket(step().opcode, number % kSmallNumbers, Operands(sent_, golden::kOperandBytes)));
    } else {
      Red red = Header(RedWhat::kShort, number);
      red.op = static_cast<std::uint8_t>(step().op);
      red.dtype = static_cast<std::uint8_t>(step().type);
      red.rnd = static_cast<std::uint8_t>(number % 4);
      red.bytes = static_cast<std::uint16_t>(step().bytes);
      red.empty = (step().empty & golden::Bit(port_)) != 0;
      red.contributions = 1;
      ready_[sent_] = Post(now, red, red.empty ? Bytes() : Operands(sent_, red.bytes));
    }
    ++sent_;
  }
}

Cycle RedChild::Receive(Cycle cycle, const Red& red, const fabric::Frame& frame) {
  if (done() || cycle < waits_until_) return -1;
  switch (static_cast<RedWhat>(red.what)) {
    case RedWhat::kFail:
      outbox_.clear();
      waits_until_ = cycle + kSettled;
      Next(waits_until_);
      return -1;
    case RedWhat::kCredit:
      if (phase_ != Phase::kStreaming || red.tag != tag_) return -1;
      credit_ += static_cast<std::uint8_t>(red.credit - credit_);
      SendSegments(cycle);
      return -1;
    case RedWhat::kResult:
      return TakeResult(cycle, red);
    case RedWhat::kShortResult:
      if (phase_ == Phase::kLocking || phase_ == Phase::kUnlocking) return Answered(cycle, red);
      return TakeShort(cycle, red.seq - static_cast<int>(step_) * kNumbers);
    default: {
      const int seqno = golden::small::Part(frame.data() + Red::kBytes).record.seq;
      return TakeShort(cycle, (seqno - static_cast<int>(step_) * kNumbers) & 0x3FF);
    }
  }
}

Cycle RedChild::Answered(Cycle now, const Red& red) {
  const Cycle since = ready_[0];
  const auto code = static_cast<RedCode>(red.code);
  const bool locking = phase_ == Phase::kLocking;
  if (code == RedCode::kBusy) {
    // All are told the same, and try again under the same number.
    if (++tries_ > kMostTries) return since;
    PostLock(now + static_cast<Cycle>(random_.Below(kBackOff)), locking ? RedAction::kLock : RedAction::kUnlock);
  } else if (!locking) {
    Next(now);
  } else {
    tries_ = 0;
    phase_ = Phase::kStreaming;
    tag_ = red.tag;
    ready_.clear();
    SendSegments(now);
  }
  return since;
}

Cycle RedChild::TakeResult(Cycle now, const Red& red) {
  if (phase_ != Phase::kStreaming) return -1;
  const auto ready = ready_.find(red.seq);
  const Cycle since = ready == ready_.end() ? -1 : ready->second;
  ++results_;
  if (is_node()) {
    Red credit = Header(RedWhat::kCredit, 0);
    credit.tag = static_cast<std::uint8_t>(tag_);
    credit.credit = static_cast<std::uint8_t>(results_);
    Post(now, credit);
  }
  if (!red.ends) return since;
  if (++finals_ < step().operations) {
    SendSegments(now);
  } else if (step().limited) {
    Next(now);
  } else {
    phase_ = Phase::kUnlocking;
    PostLock(now, RedAction::kUnlock);
  }
  return since;
}

Cycle RedChild::TakeShort(Cycle now, int number) {
  const auto ready = ready_.find(number);
  if (phase_ != Phase::kShort || ready == ready_.end()) return -1;
  const Cycle since = ready->second;
  ready_.erase(ready);
  SendShorts(now);
  if (ready_.empty()) Next(now);
  return since;
}

}  // namespace tilefly::systemc
