// SPDX-License-Identifier: Apache-2.0
#include "testbenches/ingress/route_writes.h"

#include "testbenches/ingress/table_writes.h"

namespace tilefly::bench {
namespace {

constexpr int kAll = 127;
constexpr OwnAddress kOwnAddress = OwnAddress::Of(RouteWrites::kSwitch, RouteWrites::kGroup);
constexpr int kFarStep = 16, kAllGroups = 512;
constexpr SwitchLength kDragonfly{  // as the routing page has it, pclass 1 local, 2 global
    /*min_far=*/{1, 3, 2, 1}, /*min_own=*/{1, 1, 1, 1}, /*nonmin_far=*/{1, 5, 4, 1}, /*nonmin_own=*/{1, 2, 1, 1}};
constexpr std::array<std::uint16_t, 4> kMostBias = {0x03f, 0x00f, 0x03f, 0x0fc};  // bits of them, by mode

/// Bits of `any` above a word of the register, which it does not have.
template <typename Word>
std::uint64_t Above(std::uint64_t any) {
  return any >> Word::kWidth << Word::kWidth;
}

}  // namespace

/// No port, one, some, many; now and then ports that do not exist.
golden::PortMask RouteWrites::Mask(Cycle now, std::uint32_t index) const {
  const auto ports = static_cast<std::uint64_t>(profile_.ports);
  const std::uint64_t kind = random_.Below(16, "routes: kind", now, index);
  if (kind == 0) return 0;
  if (kind == 1) return random_.Bits("routes", now, index);
  if (kind == 2) return golden::Bit(static_cast<int>(random_.Below(64, "routes", now, index)));
  golden::PortMask mask = 0;
  const std::uint64_t count = kind <= 4 ? 1 : 2 + random_.Below(7, "routes: count", now, index);
  for (std::uint32_t i = 0; i < count; ++i)
    mask |= golden::Bit(static_cast<int>(random_.Below(ports, "routes", now, 16 * index + i)));
  return mask;
}

Cfg RouteWrites::WriteGroup(int group, Cycle now) const {
  return Write(CfgSpace::kRouteGroup, kAll, group, Mask(now, static_cast<std::uint32_t>(group)));
}

Cfg RouteWrites::WriteNeighbour(int number, Cycle now) const {
  return Write(CfgSpace::kRouteSwitch, kAll, number, Mask(now, static_cast<std::uint32_t>(number) + 1024));
}

Cfg RouteWrites::WriteSwitch(SwitchReg reg, Cycle now) const {
  const auto index = static_cast<std::uint32_t>(reg);
  const std::uint64_t any = random_.Bits("switch register", now, index);
  const std::uint64_t kind = random_.Below(8, "switch register: kind", now, index);
  std::uint64_t data = any;
  switch (reg) {
    case SwitchReg::kAddress:
      data = Above<OwnAddress>(any) | kOwnAddress.ToBits();
      break;
    case SwitchReg::kSize:
      if (kind != 0)
        data =
            Above<SwitchSize>(any) |
            SwitchSize::Of(1 + (any >> 24) % (kind <= 2 ? kAllGroups : kGroups), 1 + (any >> 16) % kSwitches).ToBits();
      if (kind == 1) data = Above<SwitchSize>(any);
      break;
    case SwitchReg::kSeed:
      break;
    case SwitchReg::kLength:
      if (kind <= 2) data = kDragonfly.ToBits();
      if (kind == 3) data = SwitchLength().ToBits();
      break;
    case SwitchReg::kBias:
      if (kind <= 3) {
        SwitchBias bias = SwitchBias::FromBits(any);
        for (std::size_t m = 0; m < kMostBias.size(); ++m) bias.adaptive[m] &= kMostBias[m];
        data = bias.ToBits();
      }
      if (kind == 4) data = 0;
      break;
  }
  return Write(CfgSpace::kSwitch, kAll, static_cast<int>(reg), data);
}

Cfg RouteWrites::WriteOtherAddress(std::uint64_t any) const {
  return Write(CfgSpace::kSwitch, kAll, static_cast<int>(SwitchReg::kAddress),
               OwnAddress::FromBits(kOwnAddress.ToBits() ^ 1u << any % OwnAddress::kWidth).ToBits());
}

std::vector<Cfg> RouteWrites::Setup() const {
  std::vector<Cfg> writes = {WriteSwitch(SwitchReg::kAddress, 0)};
  for (int i = 0; i < kSwitches; ++i) {
    writes.push_back(WriteNeighbour(i, i));
    writes.push_back(WriteGroup(i, i));
    if (i * kFarStep >= kGroups) writes.push_back(WriteGroup(i * kFarStep, i));
  }
  return writes;
}

std::vector<Cfg> RouteWrites::Stretch(Cycle now) const {
  std::vector<Cfg> writes;
  for (const SwitchReg reg :
       {SwitchReg::kAddress, SwitchReg::kSize, SwitchReg::kSeed, SwitchReg::kLength, SwitchReg::kBias})
    writes.push_back(WriteSwitch(reg, now));
  return writes;
}

std::vector<Cfg> RouteWrites::Flicker(Cycle now) const {
  return {WriteSwitch(SwitchReg::kSeed, now), WriteOtherAddress(random_.Bits("routes: flicker", now)),
          WriteSwitch(SwitchReg::kAddress, now)};
}

Cfg RouteWrites::Change(Cycle now) const {
  const std::uint64_t any = random_.Bits("routes: change", now);
  switch (random_.Below(16, "routes: what", now)) {
    case 0:
      return WriteSwitch(SwitchReg::kSize, now);
    case 1:
      return WriteSwitch(SwitchReg::kSeed, now);
    case 2:
      return WriteSwitch(SwitchReg::kLength, now);
    case 3:
      return WriteSwitch(SwitchReg::kBias, now);
    case 4:  // seldom another address, until it is written back
    case 5:
      if ((any & 15) != 0) return WriteSwitch(SwitchReg::kAddress, now);
      return WriteOtherAddress(any >> 4);
    case 6:  // beyond the registers, beyond the tables
      return Write(CfgSpace::kSwitch, kAll, 5 + static_cast<int>(any % 2043), any);
    case 7:
      return (any & 1) != 0 ? Write(CfgSpace::kRouteGroup, kAll, kAllGroups + static_cast<int>(any >> 1 & 511), any)
                            : Write(CfgSpace::kRouteSwitch, kAll, kSwitches + static_cast<int>(any >> 1 & 511), any);
    case 8:
    case 9:
    case 10:
      return WriteNeighbour(static_cast<int>(any % kSwitches), now);
    default:
      return WriteGroup((any & 7) == 0 ? static_cast<int>(any >> 8 & 511) : static_cast<int>(any >> 8 & 31), now);
  }
}

std::uint32_t RouteWrites::Elsewhere(Cycle now) const {
  const auto any = static_cast<std::uint32_t>(random_.Bits("elsewhere", now));
  const std::uint32_t port = any & 63, number = any >> 6 & 31;
  switch (any >> 28) {
    case 0:
      return any & 0xfffff;
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
      return static_cast<std::uint32_t>(kGroup) << 11 | number << 6 | port;
    case 6:
      return (any >> 11 & 31) * kFarStep << 11 | number << 6 | port;
    default:
      return (any >> 11) % kGroups << 11 | number << 6 | port;
  }
}

std::uint16_t RouteWrites::Via(std::uint32_t destination, Cycle now) const {
  const auto any = static_cast<std::uint32_t>(random_.Bits("via", now));
  const std::uint32_t number = (any & 3) == 0 ? kSwitch : any >> 8 & 31;
  const std::uint32_t kind = any >> 2 & 7;
  if (kind == 0) return static_cast<std::uint16_t>(any >> 16 & 0x3fff);
  const std::uint32_t group = kind <= 3 ? kGroup : kind == 4 ? destination >> 11 : (any >> 13) % kGroups;
  return static_cast<std::uint16_t>(group << 5 | number);
}

std::uint32_t RouteWrites::Source(Cycle now) const {
  const auto any = static_cast<std::uint32_t>(random_.Bits("src", now));
  if ((any >> 30) == 0) return any & 0xfffff;
  const std::uint32_t group = (any >> 30) == 1 ? (any >> 11) % kGroups : kGroup;
  return group << 11 | ((any >> 20 & 3) == 0 ? static_cast<std::uint32_t>(kSwitch) : any >> 6 & 31) << 6 | (any & 63);
}

std::array<std::uint16_t, golden::kMaxPorts> ShownLoads::At(Cycle cycle) const {
  std::array<std::uint16_t, golden::kMaxPorts> loads{};
  const std::uint64_t kind = Kind(cycle);
  if (kind == 0) return loads;
  for (int p = 0; p < profile_.ports; p += 4) {
    // Three bits or twelve a port; a load stands for a while, or changes in every cycle.
    const std::uint64_t bits = random_.Bits("loads", kind == 1 ? cycle / 16 : cycle, static_cast<std::uint32_t>(p));
    for (int i = 0; i < 4 && p + i < profile_.ports; ++i) {
      const auto load = static_cast<std::uint16_t>(bits >> 16 * i & 4095);
      loads[static_cast<std::size_t>(p + i)] = static_cast<std::uint16_t>(kind <= 2                      ? load & 7
                                                                          : kind == 3 && (load & 1) != 0 ? 4095
                                                                                                         : load);
    }
  }
  return loads;
}

}  // namespace tilefly::bench
