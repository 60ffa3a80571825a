// SPDX-License-Identifier: Apache-2.0
#include "cosim/tree/small_packet.h"

#include <algorithm>

namespace tilefly::cosim {
namespace {

constexpr std::size_t kHeaderAt = 5;  // byte with the highest bits of the 96
constexpr std::size_t kHeaderSize = 12;
constexpr std::size_t kOperandsAt = kHeaderAt + kHeaderSize;

struct Place {
  int lsb;
  int width;
};
constexpr Place kCookie{64, 32}, kPad{61, 3}, kOvfl{59, 2}, kM{51, 8}, kRc{47, 4}, kResno{37, 10}, kCount{17, 20},
    kOp{11, 6}, kArm{10, 1}, kSeqno{0, 10};

std::size_t ByteOf(int bit) { return kHeaderAt + kHeaderSize - 1 - static_cast<std::size_t>(bit / 8); }

void Put(Bytes* bytes, Place place, std::uint32_t value) {
  for (int i = 0; i < place.width; ++i) {
    const int bit = place.lsb + i;
    if ((value >> i & 1) != 0) (*bytes)[ByteOf(bit)] |= static_cast<std::uint8_t>(1 << bit % 8);
  }
}

std::uint32_t Get(const Bytes& bytes, Place place) {
  std::uint32_t value = 0;
  for (int i = 0; i < place.width; ++i) {
    const int bit = place.lsb + i;
    value |= static_cast<std::uint32_t>(bytes[ByteOf(bit)] >> bit % 8 & 1) << i;
  }
  return value;
}

}  // namespace

Bytes SmallPublished::ToBytes() const {
  Bytes bytes(kBytes);
  Put(&bytes, kCookie, cookie);
  const auto put = [&](Place place, int value) { Put(&bytes, place, static_cast<std::uint32_t>(value)); };
  put(kPad, pad);
  put(kOvfl, repsum_ovfl);
  put(kM, repsum_m);
  put(kRc, rc);
  put(kResno, resno);
  put(kCount, count);
  put(kOp, op);
  put(kArm, arm);
  put(kSeqno, seqno);
  std::copy(operands.begin(), operands.end(), bytes.begin() + kOperandsAt);
  return bytes;
}

SmallPublished SmallPublished::Of(const Bytes& bytes) {
  SmallPublished packet;
  packet.cookie = Get(bytes, kCookie);
  const auto get = [&](Place place) { return static_cast<int>(Get(bytes, place)); };
  packet.pad = get(kPad);
  packet.repsum_ovfl = get(kOvfl);
  packet.repsum_m = get(kM);
  packet.rc = get(kRc);
  packet.resno = get(kResno);
  packet.count = get(kCount);
  packet.op = get(kOp);
  packet.arm = get(kArm) != 0;
  packet.seqno = get(kSeqno);
  std::copy_n(bytes.begin() + kOperandsAt, packet.operands.size(), packet.operands.begin());
  return packet;
}

}  // namespace tilefly::cosim
