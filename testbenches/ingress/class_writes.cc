// SPDX-License-Identifier: Apache-2.0
#include "testbenches/ingress/class_writes.h"

#include "golden/common/register_write.h"
#include "testbenches/ingress/table_writes.h"

namespace tilefly::bench {
namespace {

constexpr int kClasses = 8;
constexpr int kSharedIndex = static_cast<int>(TableReg::kClassShared);
constexpr int kSwitchedClass = 3;
constexpr int kMost = 0xffff;
constexpr int kSmallCap = 60;     // cells
constexpr int kSmallReserve = 12;
constexpr int kSmallShared = 60;

std::uint64_t ShareBits(int reserve, int cap, bool lossy) {
  return ClassShare::Of(static_cast<std::uint64_t>(reserve), static_cast<std::uint64_t>(cap), lossy).ToBits();
}

std::uint64_t Above(int width, std::uint64_t bits) { return bits << width; }
std::uint64_t Below(int width, std::uint64_t bits) { return bits & ~Above(width, ~std::uint64_t{0}); }

}  // namespace

std::uint64_t ClassWrites::Share(Shares shares, int c, Cycle now) const {
  const auto index = static_cast<std::uint32_t>(c);
  const int reserve = random_.Between(0, kSmallReserve, "reserve", now, index);
  const int cap = random_.Between(1, kSmallCap, "cap", now, index);
  const bool one_in_two = random_.Chance(128, "lossy", now, index);
  switch (shares) {
    case Shares::kOff:
      return ShareBits(reserve, cap, false);
    case Shares::kAmple:
      return ShareBits(reserve, kMost, true);
    case Shares::kCaps:
      return ShareBits(reserve, cap, random_.Chance(224, "lossy", now, index));
    case Shares::kShared:
      return ShareBits(reserve, kMost, random_.Chance(224, "lossy", now, index));
    case Shares::kSwitched:
      return ShareBits(reserve, cap, c == kSwitchedClass && one_in_two);
    default:
      return ShareBits(random_.Chance(64, "large reserve", now, index) ? kMost - reserve : reserve,
                       random_.Chance(128, "large cap", now, index) ? kMost - cap : cap, one_in_two);
  }
}

std::uint64_t ClassWrites::Mtu(Shares shares, int c, Cycle now) const {
  const auto index = static_cast<std::uint32_t>(c);
  if (shares == Shares::kOff || shares == Shares::kAmple || random_.Chance(128, "no MTU", now, index)) return 0;
  const int most = random_.Chance(128, "small MTU", now, index) ? 3 : 127;
  return static_cast<std::uint64_t>(random_.Between(1, most, "MTU", now, index));
}

std::uint64_t ClassWrites::Shared(Shares shares, Cycle now) const {
  const bool little = shares == Shares::kShared || (shares == Shares::kMixed && random_.Chance(128, "little shared", now));
  return static_cast<std::uint64_t>(little ? random_.Between(0, kSmallShared, "shared", now) : kMost);
}

std::vector<Cfg> ClassWrites::Setup(Shares shares, Cycle now) const {
  std::vector<Cfg> writes;
  for (int c = 0; c < kClasses; ++c) {
    writes.push_back(WriteClass(c, ClassReg::kShare, Share(shares, c, now), now));
    writes.push_back(WriteClass(c, ClassReg::kMtu, Mtu(shares, c, now), now));
    writes.push_back(WriteClass(c, ClassReg::kRouting, random_.Below(16, "routing", now, static_cast<std::uint32_t>(c)), now));
  }
  writes.push_back(WriteIndex(port_, kSharedIndex, Shared(shares, now)));
  return writes;
}

Cfg ClassWrites::Change(Shares shares, Cycle now) const {
  constexpr int kAll = 127;
  const int c = static_cast<int>(random_.Below(kClasses, "class: which", now));
  const std::uint64_t any = random_.Bits("class: data", now);
  switch (random_.Below(16, "class: what", now)) {
    case 0:
    case 1:
    case 2:
      return WriteClass(c, ClassReg::kMtu, Mtu(shares, c, now), now);
    case 3:
    case 4:
    case 5:
      return WriteClass(c, ClassReg::kRouting, any, now);
    case 6:
    case 7:
      return WriteIndex(random_.Chance(64, "class: all", now) ? kAll : port_, kSharedIndex, Shared(shares, now));
    case 8:  // another port's
      return WriteIndex(port_ ^ 1, static_cast<int>(any >> 40) % (kSharedIndex + 1), any);
    case 9:  // the scheduler's, no register, no class
      if ((any >> 63) == 0) return WriteIndex(port_, kSharedIndex + 1 + static_cast<int>(any >> 40) % (2047 - kSharedIndex), any);
      return WriteIndex(port_,
                        golden::IndexOf(c, std::array{ClassReg{0}, ClassReg{1}, ClassReg{5}, ClassReg{6},
                                                      ClassReg{7}}[(any >> 40) % 5]),
                        any);
    default:
      return WriteClass(shares == Shares::kSwitched ? kSwitchedClass : c, ClassReg::kShare,
                        Share(shares, shares == Shares::kSwitched ? kSwitchedClass : c, now), now);
  }
}

/// Bits above the register's are random.
Cfg ClassWrites::WriteClass(int c, ClassReg reg, std::uint64_t data, Cycle now) const {
  const int width = reg == ClassReg::kShare ? ClassShare::kWidth
                    : reg == ClassReg::kMtu ? ClassMtu::kWidth
                                            : ClassRouting::kWidth;
  const std::uint64_t any = random_.Bits("class: bits above", now, static_cast<std::uint32_t>(c));
  return WriteIndex(port_, golden::IndexOf(c, reg), Below(width, data) | Above(width, any));
}

Cfg ClassWrites::WriteIndex(int port, int index, std::uint64_t data) const { return Write(CfgSpace::kClass, port, index, data); }

}  // namespace tilefly::bench
