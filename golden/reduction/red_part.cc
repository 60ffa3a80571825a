// SPDX-License-Identifier: Apache-2.0
#include "golden/reduction/red_part.h"

#include <algorithm>

#include "golden/link/frame_format.h"

namespace tilefly::golden {
namespace {

/// What all packets with operands tell.
RedPart PartOf(const Red& header, const std::uint8_t* data) {
  RedPart part;
  part.record.full = !header.empty;
  part.record.bytes = header.bytes;
  part.record.op = header.op;
  part.record.dtype = header.dtype;
  if (data != nullptr) part.data.assign(data, data + DataBytes(header));
  return part;
}

}  // namespace

int RedFrame::LengthOf(const Profile& profile, int data_bytes) {
  return std::max(profile.min_enh_bytes, Red::kBytes + data_bytes + kFcsBytes);
}

RedPart SegmentPart(const Red& header, const std::uint8_t* data) {
  RedPart part = PartOf(header, data);
  part.record.ends = header.ends;
  return part;
}

RedPart ShortPart(const Red& header, const std::uint8_t* data) {
  RedPart part = PartOf(header, data);
  RedCollect& record = part.record;
  record.action = header.action;
  record.ftz = header.ftz;
  record.rnd = header.rnd;
  record.seq = header.seq;
  record.count = header.count;
  record.contributions = header.contributions;
  record.code = header.code;
  record.tag = header.tag;
  return part;
}

namespace small {
namespace {

__extension__ using Bits = unsigned __int128;

constexpr int kHeaderAt = 5;
constexpr int kHeaderBytes = 12;

struct Place {
  int lsb;
  int width;
};
constexpr Place kCookie{64, 32}, kPad{61, 3}, kOvfl{59, 2}, kM{51, 8}, kRc{47, 4}, kResno{37, 10}, kCount{17, 20};
constexpr Place kOpcode{11, 6}, kArm{10, 1}, kSeqno{0, 10};
constexpr int kM8 = 8;     // width of m in `rep`
constexpr int kOvfl2 = 2;  // and of ovfl

Bits HeaderOf(const std::uint8_t* packet) {
  Bits header = 0;
  for (int i = 0; i < kHeaderBytes; ++i) header = header << 8 | packet[kHeaderAt + i];
  return header;
}
std::uint32_t Get(Bits header, Place place) {
  return static_cast<std::uint32_t>(header >> place.lsb) &
         static_cast<std::uint32_t>((std::uint64_t{1} << place.width) - 1);
}
Bits Put(std::uint32_t value, Place place) { return Bits{value} << place.lsb; }

/// What an opcode does.
struct Meaning {
  RedOp op = RedOp::kSum;
  RedType type = RedType::kInt16;
  RedAction action = RedAction::kReduce;
  RedRnd rnd = RedRnd::kNearest;
  bool ftz = false;
  bool operands = true;
  bool known = true;
};

Meaning IntegersBy(RedOp op) { return {op, RedType::kInt64, RedAction::kReduce, RedRnd::kNearest, false, true, true}; }
Meaning FloatsBy(RedOp op) { return {op, RedType::kFloat64, RedAction::kReduce, RedRnd::kNearest, false, true, true}; }

Meaning SumsOf(RedRnd rnd, bool ftz) {
  return {RedOp::kSum, RedType::kFloat64, RedAction::kReduce, rnd, ftz, true, true};
}

Meaning MeaningOf(RedOpcode opcode) {
  switch (opcode) {
    case RedOpcode::kBarrier:
      return {RedOp::kSum, RedType::kInt16, RedAction::kReduce, RedRnd::kNearest, false, false, true};
    case RedOpcode::kBitAnd:
      return IntegersBy(RedOp::kAnd);
    case RedOpcode::kBitOr:
      return IntegersBy(RedOp::kOr);
    case RedOpcode::kBitXor:
      return IntegersBy(RedOp::kXor);
    case RedOpcode::kIntMin:
      return IntegersBy(RedOp::kMin);
    case RedOpcode::kIntMax:
      return IntegersBy(RedOp::kMax);
    case RedOpcode::kIntMinmaxloc:
      return IntegersBy(RedOp::kMinmaxloc);
    case RedOpcode::kIntSum:
      return IntegersBy(RedOp::kSum);
    case RedOpcode::kFltMin:
      return FloatsBy(RedOp::kMin);
    case RedOpcode::kFltMax:
      return FloatsBy(RedOp::kMax);
    case RedOpcode::kFltMinmaxloc:
      return FloatsBy(RedOp::kMinmaxloc);
    case RedOpcode::kFltMinnum:
      return FloatsBy(RedOp::kMinnum);
    case RedOpcode::kFltMaxnum:
      return FloatsBy(RedOp::kMaxnum);
    case RedOpcode::kFltMinmaxnumloc:
      return FloatsBy(RedOp::kMinmaxnumloc);
    case RedOpcode::kFltSumNearest:
      return SumsOf(RedRnd::kNearest, false);
    case RedOpcode::kFltSumUp:
      return SumsOf(RedRnd::kUp, false);
    case RedOpcode::kFltSumDown:
      return SumsOf(RedRnd::kDown, false);
    case RedOpcode::kFltSumZero:
      return SumsOf(RedRnd::kZero, false);
    case RedOpcode::kFltSumFtzNearest:
      return SumsOf(RedRnd::kNearest, true);
    case RedOpcode::kFltSumFtzUp:
      return SumsOf(RedRnd::kUp, true);
    case RedOpcode::kFltSumFtzDown:
      return SumsOf(RedRnd::kDown, true);
    case RedOpcode::kFltSumFtzZero:
      return SumsOf(RedRnd::kZero, true);
    case RedOpcode::kFltRepsum: {
      Meaning sum = FloatsBy(RedOp::kSum);
      sum.action = RedAction::kRepsum;
      return sum;
    }
  }
  return {RedOp::kSum, RedType::kInt16, RedAction::kReduce, RedRnd::kNearest, false, false, false};
}

}  // namespace

RedPart Part(const std::uint8_t* packet) {
  const Bits header = HeaderOf(packet);
  const auto opcode = Get(header, kOpcode);
  const Meaning meaning = MeaningOf(static_cast<RedOpcode>(opcode));
  RedPart part;
  RedCollect& record = part.record;
  record.full = meaning.operands;
  record.bytes = kOperandBytes;
  record.op = static_cast<std::uint8_t>(meaning.op);
  record.dtype = static_cast<std::uint8_t>(meaning.type);
  record.action = static_cast<std::uint8_t>(meaning.action);
  record.rnd = static_cast<std::uint8_t>(meaning.rnd);
  record.ftz = meaning.ftz;
  record.seq = static_cast<std::uint16_t>(Get(header, kSeqno));
  record.count = static_cast<std::uint16_t>(opcode);
  record.contributions = Get(header, kCount);
  record.code =
      meaning.known ? static_cast<std::uint8_t>(Get(header, kRc)) : static_cast<std::uint8_t>(RedRc::kDiffers);
  record.cookie = Get(header, kCookie);
  record.resno = static_cast<std::uint16_t>(Get(header, kResno));
  record.arm = Get(header, kArm) != 0;
  if (meaning.action == RedAction::kRepsum) {
    record.rep =
        static_cast<std::uint16_t>((Get(header, kPad) << kOvfl2 | Get(header, kOvfl)) << kM8 | Get(header, kM));
  }
  if (meaning.operands) part.data.assign(packet + kOperandsAt, packet + kBytes);
  return part;
}

std::vector<std::uint8_t> PacketOf(const RedCollect& merged, const std::uint8_t* operands) {
  const std::uint32_t m = merged.rep & ((1u << kM8) - 1);
  const std::uint32_t ovfl = merged.rep >> kM8 & ((1u << kOvfl2) - 1);
  const std::uint32_t pad = merged.rep >> (kM8 + kOvfl2);
  Bits header = Put(merged.cookie, kCookie) | Put(pad, kPad) | Put(ovfl, kOvfl) | Put(m, kM) | Put(merged.code, kRc) |
                Put(merged.resno, kResno) | Put(merged.contributions, kCount) | Put(merged.count, kOpcode) |
                Put(merged.arm, kArm) | Put(merged.seq, kSeqno);
  std::vector<std::uint8_t> packet(kBytes);
  for (int i = kHeaderBytes; i-- > 0; header >>= 8) packet[kHeaderAt + i] = static_cast<std::uint8_t>(header);
  std::copy_n(operands, kOperandBytes, packet.begin() + kOperandsAt);
  return packet;
}

RedRc CodeOf(std::uint8_t flags) {
  if ((flags & kIntOverflowFlag) != 0) return RedRc::kIntOverflow;
  if ((flags & kInvalidFlag) != 0) return RedRc::kInvalid;
  if ((flags & kOverflowFlag) != 0) return RedRc::kOverflow;
  return (flags & kInexactFlag) != 0 ? RedRc::kInexact : RedRc::kSuccess;
}

}  // namespace small
}  // namespace tilefly::golden
