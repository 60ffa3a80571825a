// SPDX-License-Identifier: Apache-2.0
#include "golden/ingress/lookup.h"

#include "golden/common/fabric_address.h"

namespace tilefly::golden {
namespace {

constexpr std::uint64_t kBroadcastMac = (std::uint64_t{1} << 48) - 1;
constexpr std::uint64_t kGroupBit = std::uint64_t{1} << 40;  // bit 0 of the address's first byte
constexpr int kAddressBits = 20;
constexpr std::uint32_t kAddressMask = (1u << kAddressBits) - 1;

PortMask Flood(const Registers& registers, int port, PortReg which) {
  const int index = static_cast<int>(which) - static_cast<int>(PortReg::kFloodUnknown);
  return registers.port(port).flood[index] & ~Bit(port);
}

/// Enabled ports exist: the register bus writes no others.
Destination ToMask(const Registers& registers, PortMask mask) {
  mask &= registers.enabled();
  if (mask == 0) return {Drop::kUnknownMac, 0, HeaderBits::kReplicated};
  const bool unicast = (mask & (mask - 1)) == 0;
  return {Drop::kNone, mask,
          unicast ? registers.AddressOf(LowestBit(mask)) : HeaderBits::kReplicated};
}

Destination ToAddress(const Registers& registers, std::uint32_t address) {
  if (SwitchAddress::OfPort(address) != registers.routes().own()) return {Drop::kNone, 0, address};
  const PortMask ports = Bit(static_cast<int>(address & 63)) & registers.enabled();
  return {ports != 0 ? Drop::kNone : Drop::kNoRoute, ports, address};
}

/// Entry of the exact-match table, -1 without one.
int FindMac(const Registers& registers, std::uint64_t mac) {
  const MacTable* table = registers.tables().mac.get();
  if (table == nullptr) return -1;
  std::uint64_t set = 0;
  for (int i = 0; i < 6; ++i) set ^= mac >> 8 * i & 0xFF;
  const int first = static_cast<int>(set) % registers.mac_sets() * registers.mac_ways();
  const std::uint64_t key = MacKey::Of(mac, true).ToBits();
  for (int way = 0; way < registers.mac_ways(); ++way) {
    if (table->keys[first + way] == key) return first + way;
  }
  return -1;
}

}  // namespace

Destination LookUp(const Registers& registers, const Profile& profile, int port, const HeaderBits& header) {
  const std::uint32_t address = header.destination();
  if (header.hop() >= profile.hop_limit) return {Drop::kHopLimit, 0, address};
  if (address == HeaderBits::kReplicated) {
    return ToMask(registers, Flood(registers, port, PortReg::kFloodBroadcast));
  }
  return ToAddress(registers, address);
}

Destination LookUp(const Registers& registers, int port, const BareFields& fields) {
  const std::uint64_t mac = fields.destination;
  const auto low = static_cast<std::uint32_t>(mac) & kAddressMask;
  if (mac == MacOfAddress(low)) return ToAddress(registers, low);
  if (mac == kBroadcastMac) return ToMask(registers, Flood(registers, port, PortReg::kFloodBroadcast));
  const int entry = FindMac(registers, mac);
  if (entry < 0) {
    const PortReg flood = (mac & kGroupBit) != 0 ? PortReg::kFloodMulticast : PortReg::kFloodUnknown;
    return ToMask(registers, Flood(registers, port, flood));
  }
  PortMask mask = registers.tables().mac->ports[entry];
  if ((mask & (mask - 1)) != 0) mask &= ~Bit(port);
  return ToMask(registers, mask);
}

int Classify(const Registers& registers, int port, const BareFields& fields) {
  const PortMode& mode = registers.port(port).mode;
  const auto trust = static_cast<Trust>(mode.trust);
  if (trust == Trust::kDscp && fields.ip) return registers.tables().dscp[fields.dscp];
  if ((trust == Trust::kDscp || trust == Trust::kPcp) && fields.tagged) return registers.tables().pcp[fields.pcp];
  return mode.default_tc;
}

}  // namespace tilefly::golden
