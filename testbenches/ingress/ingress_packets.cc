// SPDX-License-Identifier: Apache-2.0
#include "testbenches/ingress/ingress_packets.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tilefly::bench {
namespace {

void PutBigEndian(std::uint8_t* bytes, int size, std::uint64_t value) {
  for (int i = size; i-- > 0; value >>= 8) bytes[i] = static_cast<std::uint8_t>(value);
}

int LengthOf(const Stimulus& random, const Mix& mix, int least, int most, Cycle now) {
  return mix.small ? random.Between(least, least + 8, "small", now) : RandomLength(random, least, most, now);
}

/// Switches passed: few mostly, since routing decides in the first two.
int HopOf(const Profile& profile, const Stimulus& random, Cycle now) {
  constexpr std::array<int, 8> kFew = {0, 0, 1, 1, 1, 2, -1, -1};
  const int hop = kFew[random.Below(kFew.size(), "hop: few", now)];
  return hop >= 0 ? hop : static_cast<int>(random.Below(static_cast<std::uint64_t>(profile.hop_limit), "hop", now));
}

std::uint32_t OwnSwitch() { return TableWrites::kGroup << 11 | TableWrites::kSwitch << 6; }

/// Of an aggregation node: this switch mostly, one whose address differs in a bit, or any other. The port does not matter.
std::uint32_t NodeAddress(const Stimulus& random, const TableWrites& tables, Cycle now) {
  const auto port = static_cast<std::uint32_t>(random.Below(64, "node: port", now));
  if (!random.Chance(96, "node: another", now)) return OwnSwitch() | port;
  if (random.Chance(128, "node: near", now)) return (OwnSwitch() | port) ^ 64u << random.Below(14, "node: bit", now);
  return tables.routes().Elsewhere(now);
}

/// The address with another port: the key of its flow channel then belongs to set 9 (docs/blocks/flow_channel.md, "The table").
std::uint32_t InOneSet(std::uint32_t address, int tc) {
  const std::uint32_t above = address >> 6 ^ address >> 12 ^ (address >> 18 | static_cast<std::uint32_t>(tc) << 2);
  return (address & ~63u) | ((above ^ 9) & 63);
}

/// A fabric address: of an own port mostly, or of another switch.
std::uint32_t RandomAddress(const Profile& profile, const Stimulus& random, const TableWrites& tables, const Mix& mix,
                            Cycle now) {
  const std::uint64_t any = random.Bits("address", now);
  const auto port = static_cast<std::uint32_t>(random.Below(static_cast<std::uint64_t>(profile.ports + 1), "address: port", now));
  if (mix.few) {  // the port itself is enabled in any case
    return OwnSwitch() | ((any & 8) != 0 ? static_cast<std::uint32_t>(tables.port()) : port & 3);
  }
  if (random.Chance(mix.elsewhere, "elsewhere", now)) return tables.routes().Elsewhere(now);
  return OwnSwitch() | port;
}

std::uint64_t RandomMac(const Profile& profile, const Stimulus& random, const TableWrites& tables, const Mix& mix,
                        Cycle now) {
  if (random.Chance(mix.replicated, "replicated", now)) {
    return random.Chance(128, "broadcast", now) ? 0xffff'ffff'ffff : 0x0100'5e00'0000 | (random.Bits("mac", now) & 0x7fffff);
  }
  const std::uint64_t kind = mix.few ? 4 : random.Below(8, "mac: kind", now);
  if (kind == 0) return random.Bits("mac", now) & 0xfeff'ffff'ffff;
  if (kind <= 3) return tables.key(static_cast<int>(random.Below(TableWrites::kKeys, "mac: key", now)));
  return std::uint64_t{0x0200000} << 20 | RandomAddress(profile, random, tables, mix, now);
}

/// Type and what follows: tagged or not, IP or not.
void FillTypes(const Stimulus& random, Cycle now, std::uint8_t* frame) {
  const std::uint64_t bits = random.Bits("types", now);
  int at = 12;
  for (int tags = static_cast<int>(bits & 3); tags > 1; --tags) {  // none, none, one, two tags
    PutBigEndian(frame + at, 2, (bits >> 2 & 1) != 0 ? 0x8100 : 0x88a8);
    at += 4;
  }
  if ((bits >> 3 & 3) != 0) PutBigEndian(frame + at, 2, (bits >> 5 & 1) != 0 ? 0x0800 : 0x86dd);
}

}  // namespace

WirePacket MakeIngressPacket(const Profile& profile, const Stimulus& random, const TableWrites& tables, const Mix& mix,
                             Cycle now) {
  if (!random.Chance(mix.bare, "bare", now)) {
    Header header;
    header.kind = static_cast<std::uint8_t>(random.Below(3, "kind", now));
    const int least = header.kind == static_cast<int>(Kind::kStd) ? profile.min_std_bytes : profile.min_enh_bytes;
    header.len = static_cast<std::uint16_t>(LengthOf(random, mix, least, profile.mtu_bytes, now));
    header.tc = static_cast<std::uint8_t>(random.Below(static_cast<std::uint64_t>(mix.classes), "tc", now));
    header.vl = static_cast<std::uint8_t>(random.Below(16, "vl", now));
    header.hop = static_cast<std::uint8_t>(HopOf(profile, random, now));
    header.dst = random.Chance(mix.replicated, "replicated", now) ? 0xfffff : RandomAddress(profile, random, tables, mix, now);
    if (mix.one_set && header.dst >> 6 != OwnSwitch() >> 6) header.dst = InOneSet(header.dst, header.tc);
    header.src = tables.routes().Source(now);
    header.path = static_cast<std::uint32_t>(random.Below(1 << 30, "path", now));
    header.flow = static_cast<std::uint16_t>(random.Below(static_cast<std::uint64_t>(mix.flows), "flow", now));
    header.ordered = random.Chance(128, "ordered", now);
    header.mode = static_cast<std::uint8_t>(random.Below(8, "mode", now));
    header.via_valid = random.Chance(128, "via valid", now);
    header.via = tables.routes().Via(header.dst, now);
    header.an = random.Chance(32, "an", now);
    if (random.Chance(mix.taken, "taken", now)) {
      header.kind = static_cast<std::uint8_t>(Kind::kRed);
      header.len = static_cast<std::uint16_t>(std::max<int>(header.len, profile.min_enh_bytes));
      header.an = !random.Chance(32, "taken: by address", now);
      header.dst = NodeAddress(random, tables, now);
    }
    if (random.Chance(mix.wrong, "wrong", now)) {
      const std::uint64_t what = random.Below(3, "wrong: what", now);
      if (what == 0) header.hop = static_cast<std::uint8_t>(random.Between(profile.hop_limit, 15, "wrong: hop", now));
      if (what == 1) header.kind = static_cast<std::uint8_t>(random.Between(3, 7, "wrong: kind", now));
      if (what == 2) header.len = static_cast<std::uint16_t>(random.Chance(128, "wrong: short", now) ? least - 1 : profile.mtu_bytes + 1);
    }
    return MakeWithHeader(random, now, header);
  }
  const bool fragment = random.Chance(mix.wrong, "fragment", now);
  const bool giant = random.Chance(mix.wrong / 4, "giant", now);
  const int length = fragment ? random.Between(1, profile.min_std_bytes, "fragment", now)
                     : giant  ? profile.mtu_bytes + random.Between(1, 100, "giant", now)
                              : LengthOf(random, mix, profile.min_std_bytes, profile.mtu_bytes, now);
  return MakeBare(random, now, length, [&](std::uint8_t* frame) {
    if (length < profile.min_std_bytes) return;
    PutBigEndian(frame, 6, RandomMac(profile, random, tables, mix, now));
    FillTypes(random, now, frame);
    if (!random.Chance(mix.wrong, "control", now)) return;
    PutBigEndian(frame, 6, 0x0180'c200'0001);
    PutBigEndian(frame + 12, 4, random.Chance(128, "class pause", now) ? 0x8808'0101 : 0x8808'0001);
  });
}

}  // namespace tilefly::bench
