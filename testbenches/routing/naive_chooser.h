// SPDX-License-Identifier: Apache-2.0
// The choice of a packet's port, once more, as docs/blocks/routing.md says it, with the ports that are down left out as
// docs/blocks/link_retry.md says. It keeps plain tables, and knows nothing of golden/routing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "generated/registers.h"
#include "generated/wire.h"

namespace tilefly::golden {

struct NaiveChooser {
  struct Place {
    int group, number;
  };
  struct Way {
    int port;
    bool nonminimal = false;
    Place via{};
  };
  /// What becomes of a packet.
  struct Result {
    bool no_route = true;
    int port = 0, hash_port = 0;
    bool decided = false, nonminimal = false, gave_up_via = false;
  };

  std::array<std::uint64_t, 512> to_group{};
  std::array<std::uint64_t, 32> to_switch{};
  std::uint64_t enabled = 0, down = 0;
  Place own{};
  int groups = 0, switches = 0;       ///< register SIZE
  std::uint32_t seed = 0;
  std::array<int, 16> length{};       ///< nibbles
  std::array<int, 4> bias{};
  std::vector<int> pclass, load;      ///< by port

  /// The port's packet number `k`. Writes via and via_valid of `header`.
  Result Choose(Header* header, int ingress, std::uint32_t k) const {
    const Place dst = PlaceOf(header->dst >> 6), src = PlaceOf(header->src >> 6), via = PlaceOf(header->via);
    const bool far = dst.group != own.group;
    Result result;
    bool by_via = header->via_valid;
    if (by_via && own.group == via.group && (via.group != src.group || own.number == via.number)) by_via = false;
    result.decided = header->hop == 0 || (header->mode == 1 && !header->ordered && header->hop == 1 &&
                                          src.group == own.group && far);
    if (result.decided) by_via = false;
    std::uint64_t ports = Towards(by_via ? via : dst);
    if (by_via && ports != 0 && (ports & ~down) == 0) {
      result.gave_up_via = true;
      by_via = false;
      ports = Towards(dst);
    }
    ports &= ~down;
    header->via_valid = by_via;
    if (ports == 0) return result;
    result.no_route = false;

    const std::uint32_t hf = G(G(std::uint32_t{header->flow} << 20 | header->src) ^ header->dst);
    const std::uint32_t h = G(hf ^ static_cast<std::uint32_t>(own.group << 11 | own.number << 6));
    const std::uint32_t hp =
        G(G(G(header->src) ^ header->dst) ^ static_cast<std::uint32_t>(own.group << 11 | own.number << 6));
    result.hash_port = Pick(hp & 255, ports);
    Way way{Pick(h & 255, ports)};
    if (header->mode == 6) way = {Pick(hp & 255, ports)};
    if (header->mode == 5 && result.decided) {
      if (const auto target = TargetOf(hf >> 16, dst, far)) way = {Pick(h & 255, Towards(*target) & ~down), true, *target};
    }
    if ((header->mode < 4 || header->mode == 7) && (result.decided || !header->ordered))
      way = Cheapest(*header, ingress, k, ports, dst, far, result.decided);
    result.port = way.port;
    result.nonminimal = way.nonminimal;
    if (way.nonminimal) {
      header->via = static_cast<std::uint16_t>(way.via.group << 5 | way.via.number);
      header->via_valid = true;
    }
    return result;
  }

 private:
  static std::uint32_t G(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
  }
  static Place PlaceOf(std::uint32_t address) { return {static_cast<int>(address >> 5 & 511), static_cast<int>(address & 31)}; }
  static int Pick(std::uint32_t byte, std::uint64_t mask) {
    std::vector<int> ports;
    for (int p = 0; p < 64; ++p) {
      if ((mask >> p & 1) != 0) ports.push_back(p);
    }
    return ports[byte * ports.size() >> 8];
  }
  std::uint64_t Towards(Place target) const {
    const std::uint64_t mask = target.group == own.group ? to_switch[static_cast<std::size_t>(target.number)]
                                                         : to_group[static_cast<std::size_t>(target.group)];
    return mask & enabled;
  }
  std::optional<Place> TargetOf(std::uint32_t r, Place dst, bool far) const {
    const int v = static_cast<int>(r * static_cast<std::uint32_t>(far ? groups : switches) >> 16);
    if ((far ? groups : switches) == 0 || v > (far ? 511 : 31)) return std::nullopt;
    if (far ? v == own.group || v == dst.group : v == own.number || v == dst.number) return std::nullopt;
    const Place target = far ? Place{v, 0} : Place{own.group, v};
    if ((Towards(target) & ~down) == 0) return std::nullopt;
    return target;
  }
  int CostOf(const Header& header, int port, bool far, bool nonminimal) const {
    const int nibble = 8 * nonminimal + 4 * !far + pclass[static_cast<std::size_t>(port)];
    const int extra = !nonminimal ? 0 : bias[header.mode < 4 ? header.mode : 0] * (header.mode == 1 ? header.hop : 1);
    return load[static_cast<std::size_t>(port)] * length[static_cast<std::size_t>(nibble)] + extra;
  }
  Way Cheapest(const Header& header, int ingress, std::uint32_t k, std::uint64_t ports, Place dst, bool far,
               bool decides) const {
    const std::uint32_t key = G(G(seed) ^ static_cast<std::uint32_t>(own.group << 11 | own.number << 6 | ingress));
    const std::uint32_t ra = G(key + 2 * k), rb = G(key + 2 * k + 1);
    std::vector<Way> candidates = {{Pick(ra & 255, ports)}, {Pick(ra >> 8 & 255, ports)}};
    for (int i = 0; decides && i < 2; ++i) {
      if (const auto target = TargetOf(rb >> 16 * i & 0xffff, dst, far))
        candidates.push_back({Pick(ra >> (16 + 8 * i) & 255, Towards(*target) & ~down), true, *target});
    }
    Way best = candidates.front();
    for (const Way& one : candidates) {
      if (CostOf(header, one.port, far, one.nonminimal) < CostOf(header, best.port, far, best.nonminimal)) best = one;
    }
    return best;
  }
};

}  // namespace tilefly::golden
