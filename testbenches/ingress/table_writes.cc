// SPDX-License-Identifier: Apache-2.0
#include "testbenches/ingress/table_writes.h"

namespace tilefly::bench {
namespace {

/// Set of the exact-match table: XOR of the six bytes.
int SetOf(std::uint64_t mac) {
  int set = 0;
  for (int i = 0; i < 6; ++i) set ^= static_cast<int>(mac >> 8 * i & 255);
  return set;
}

}  // namespace

Cfg Write(CfgSpace space, int port, int index, std::uint64_t data) {
  Cfg write;
  write.valid = true;
  write.space = static_cast<std::uint8_t>(space);
  write.port = static_cast<std::uint8_t>(port);
  write.index = static_cast<std::uint16_t>(index);
  write.data = data;
  return write;
}

TableWrites::TableWrites(const Profile& profile, const Stimulus& random, int port)
    : profile_(profile), random_(random), port_(port), routes_(profile, random) {
  constexpr int kAll = 127;
  for (int k = 0; k < kKeys; ++k) {
    std::uint64_t mac = random.Bits("key", k) & 0xffff'ffff'ffff;
    // Every fourth key is a group address; every sixth has the set of the one before.
    mac = k % 4 == 0 ? mac | std::uint64_t{1} << 40 : mac & ~(std::uint64_t{1} << 40);
    if (k % 6 == 5) mac = (mac & ~std::uint64_t{255}) | static_cast<std::uint64_t>(SetOf(keys_.back()) ^ SetOf(mac & ~std::uint64_t{255}));
    keys_.push_back(mac);
  }
  for (const Cfg& write : routes_.Setup()) setup_.push_back(write);
  for (int p = 0; p < profile.ports; ++p) {
    PortMode mode = OtherMode(p, p);
    mode.enable = mode.enable || p == port;
    setup_.push_back(Write(CfgSpace::kPort, p, static_cast<int>(PortReg::kMode), mode.ToBits()));
  }
  for (int f = 0; f < 3; ++f) {
    setup_.push_back(Write(CfgSpace::kPort, port, static_cast<int>(PortReg::kFloodUnknown) + f, Mask(2, f)));
  }
  for (int k = 0; k < kKeys; ++k) {
    setup_.push_back(Entry(k, false, k));
    setup_.push_back(Entry(k, true, k));
  }
  for (int i = 0; i < 64; ++i) setup_.push_back(Write(CfgSpace::kDscp, kAll, i, random.Below(8, "dscp", i)));
  for (int i = 0; i < 8; ++i) setup_.push_back(Write(CfgSpace::kPcp, kAll, i, random.Below(8, "pcp", i)));
  for (int i = 0; i < 300; ++i) {
    setup_.push_back(Write(CfgSpace::kVlmap, kAll, static_cast<int>(random.Below(2048, "vlmap", i)),
                           random.Below(golden::kMaxLanes, "vl", i)));
  }
}

std::uint64_t TableWrites::Mask(std::uint32_t index, Cycle now) const {
  const std::uint64_t any = random_.Bits("mask", now, index);
  if (index == 2) return any | random_.Bits("mask", now, 9);  // many ports
  if (index == 1 && random_.Chance(48, "no port", now)) return 0;
  return index == 0 ? golden::Bit(static_cast<int>(any % 64 % static_cast<unsigned>(profile_.ports))) : any;
}

/// The key, or the ports, of entry `k`; the way follows from the number, so that some keys stand in two ways.
Cfg TableWrites::Entry(int k, bool ports, Cycle now) const {
  const int way = random_.Between(0, profile_.mac_ways - 1, "way", now, static_cast<std::uint32_t>(k));
  const int index = SetOf(key(k)) * profile_.mac_ways + way;
  if (ports) return Write(CfgSpace::kMacPorts, 127, index, Mask(random_.Chance(128, "one port", now) ? 0 : 1, now));
  const bool valid = random_.Chance(224, "valid", now);
  return Write(CfgSpace::kMacKey, 127, index, MacKey::Of(key(k), valid).ToBits());
}

PortMode TableWrites::OtherMode(int port, Cycle now) const {
  const auto index = static_cast<std::uint32_t>(port);
  PortMode mode;
  mode.enable = random_.Chance(224, "enable", now, index);
  mode.pclass = static_cast<std::uint8_t>(random_.Below(4, "pclass", now, index));
  return mode;
}

PortMode TableWrites::RandomMode(Cycle now) const {
  PortMode mode = PortMode::FromBits(random_.Bits("mode", now));
  mode.enable = true;
  mode.lanes = static_cast<std::uint8_t>(random_.Chance(192, "four lanes", now) ? 4 : mode.lanes);
  return mode;
}

Cfg TableWrites::Change(Cycle now) const {
  constexpr int kAll = 127;
  const std::uint64_t data = random_.Bits("change: data", now);
  const auto index = static_cast<int>(random_.Below(2048, "change: index", now));
  const int k = static_cast<int>(random_.Below(kKeys, "change: key", now));
  switch (random_.Below(10, "change", now)) {
    case 0:
      return Entry(k, false, now);
    case 1:
      return Entry(k, true, now);
    case 2:
      return Write(CfgSpace::kDscp, kAll, index % 128, data);  // beyond the table too
    case 3:
      return Write(CfgSpace::kPcp, kAll, index % 8, data);
    case 4:
    case 5:
      return Write(CfgSpace::kVlmap, kAll, index, data);
    case 6:
      if (random_.Chance(16, "change: no register", now)) return Write(CfgSpace::kPort, port_, 7 + index % 2041, data);
      return Write(
          CfgSpace::kPort, random_.Chance(192, "change: own port", now) ? port_ : port_ ^ 1,
          static_cast<int>(PortReg::kFloodUnknown) + (random_.Chance(128, "change: flood", now) ? index % 3 : 0),
          Mask(random_.Chance(192, "change: many", now) ? 2 : 1, now));
    case 7:
    case 8: {
      const int other = static_cast<int>(random_.Below(static_cast<std::uint64_t>(profile_.ports), "change: port", now));
      if (other == port_) return Cfg{};
      return Write(CfgSpace::kPort, other, static_cast<int>(PortReg::kMode), OtherMode(other, now).ToBits());
    }
    default: {  // a read, or an access to a space that this side does not have
      Cfg write = Write(static_cast<CfgSpace>(random_.Below(16, "change: space", now)), port_, index, data);
      write.read = true;
      return write;
    }
  }
}

}  // namespace tilefly::bench
