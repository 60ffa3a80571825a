// SPDX-License-Identifier: Apache-2.0
#include "cosim/setup/routes.h"

#include "golden/common/register_write.h"
#include "support/random.h"

namespace tilefly::cosim {
namespace {

using golden::kAllPorts;
using golden::WriteRegister;

constexpr int kSwitchBits = 5, kPortBits = 6;
constexpr int kExampleGroups = 16, kExampleSwitches = 8, kMostPorts = 4;
constexpr SwitchLength kExampleLength{  // of a dragonfly: local 3 or 5, global 2 or 4, own group 1 or 2
    /*min_far=*/{1, 3, 2, 1}, /*min_own=*/{1, 1, 1, 1}, /*nonmin_far=*/{1, 5, 4, 1}, /*nonmin_own=*/{1, 2, 1, 1}};
constexpr SwitchBias kExampleBias{{0, 60, 60, 300}};

std::uint32_t GroupOf(std::uint32_t target) { return target >> kSwitchBits; }
std::uint32_t NumberOf(std::uint32_t target) { return target & ((1u << kSwitchBits) - 1); }

std::uint64_t MaskOf(const std::map<int, std::uint64_t>& masks, std::uint32_t index) {
  const auto found = masks.find(static_cast<int>(index));
  return found == masks.end() ? 0 : found->second;
}

/// Modes that never leave the minimal paths.
bool StaysMinimal(int mode) {
  return mode == static_cast<int>(RouteMode::kMinHash) || mode == static_cast<int>(RouteMode::kInOrder);
}

bool Decides(const Header& stored, std::uint32_t own) {
  if (stored.hop == 0) return true;
  const bool own_source = GroupOf(stored.src >> kPortBits) == GroupOf(own);
  const bool far = GroupOf(stored.dst >> kPortBits) != GroupOf(own);
  return stored.mode == static_cast<int>(RouteMode::kAdaptive1) && !stored.ordered && stored.hop == 1 && own_source && far;
}

}  // namespace

Routes Routes::Example(std::uint64_t ports, std::uint32_t own, std::uint64_t seed) {
  std::vector<int> usable;
  for (std::uint64_t left = ports; left != 0; left &= left - 1) usable.push_back(__builtin_ctzll(left));
  const auto mask = [&](std::uint32_t index) {
    Stream random(seed, index, 0, Purpose::kRoutes);
    std::uint64_t some = 0;
    for (std::uint64_t n = 1 + random.Below(kMostPorts); n > 0; --n)
      some |= std::uint64_t{1} << usable[random.Below(usable.size())];
    return some;
  };
  Routes routes;
  for (int group = 0; group < kExampleGroups; ++group) {
    if (static_cast<std::uint32_t>(group) != GroupOf(own))
      routes.groups[group] = mask(static_cast<std::uint32_t>(group));
  }
  for (int number = 0; number < kExampleSwitches; ++number) {
    if (static_cast<std::uint32_t>(number) == NumberOf(own)) continue;
    routes.switches[number] = mask(static_cast<std::uint32_t>(kExampleGroups + number));
  }
  routes.group_count = kExampleGroups;
  routes.switch_count = kExampleSwitches;
  routes.seed = static_cast<std::uint32_t>(seed);
  routes.length = kExampleLength;
  routes.bias = kExampleBias;
  return routes;
}

std::vector<Cfg> Routes::Writes() const {
  std::vector<Cfg> writes;
  const auto write = [&](CfgSpace space, int index, std::uint64_t data) {
    writes.push_back(WriteRegister(kAllPorts, space, index, data));
  };
  for (const auto& [group, mask] : groups) write(CfgSpace::kRouteGroup, group, mask);
  for (const auto& [number, mask] : switches) write(CfgSpace::kRouteSwitch, number, mask);
  const SwitchSize size =
      SwitchSize::Of(static_cast<std::uint64_t>(group_count), static_cast<std::uint64_t>(switch_count));
  write(CfgSpace::kSwitch, static_cast<int>(SwitchReg::kSize), size.ToBits());
  write(CfgSpace::kSwitch, static_cast<int>(SwitchReg::kSeed), seed);
  write(CfgSpace::kSwitch, static_cast<int>(SwitchReg::kLength), length.ToBits());
  write(CfgSpace::kSwitch, static_cast<int>(SwitchReg::kBias), bias.ToBits());
  return writes;
}

std::uint64_t Routes::ports() const {
  std::uint64_t all = 0;
  for (const auto* masks : {&groups, &switches}) {
    for (const auto& [index, mask] : *masks) all |= mask;
  }
  return all;
}

std::uint64_t Routes::Towards(std::uint32_t target, std::uint32_t own) const {
  return GroupOf(target) == GroupOf(own) ? MaskOf(switches, NumberOf(target)) : MaskOf(groups, GroupOf(target));
}

std::uint64_t Routes::Detour(std::uint32_t via, std::uint32_t destination, std::uint32_t own) const {
  const bool local = GroupOf(destination) == GroupOf(own);
  if (local) {
    if (GroupOf(via) != GroupOf(own) || NumberOf(via) >= static_cast<std::uint32_t>(switch_count)) return 0;
    return via == own || via == destination ? 0 : Towards(via, own);
  }
  if (NumberOf(via) != 0 || GroupOf(via) >= static_cast<std::uint32_t>(group_count)) return 0;
  return GroupOf(via) == GroupOf(own) || GroupOf(via) == GroupOf(destination) ? 0 : Towards(via, own);
}

Routes::Ways Routes::Of(const Header& stored, std::uint32_t own, bool follows) const {
  const std::uint32_t destination = stored.dst >> kPortBits;
  Ways ways;
  if (!Decides(stored, own)) {
    const bool in_group = GroupOf(stored.via) == GroupOf(own);
    const bool reached = in_group && (GroupOf(stored.via) != GroupOf(stored.src >> kPortBits) || stored.via == own);
    ways.follows_via = stored.via_valid && !reached;
    ways.minimal = Towards(ways.follows_via ? stored.via : destination, own);
    return ways;
  }
  ways.minimal = Towards(destination, own);
  if (ways.minimal == 0 || (StaysMinimal(stored.mode) && !follows)) return ways;
  const bool local = GroupOf(destination) == GroupOf(own);
  for (int v = 0; v < (local ? switch_count : group_count); ++v) {
    const auto number = static_cast<std::uint32_t>(v);
    ways.detours |= Detour(local ? GroupOf(own) << kSwitchBits | number : number << kSwitchBits, destination, own);
  }
  return ways;
}

bool Routes::MayLeave(const Header& stored, std::uint32_t own, int output, bool via_valid, std::uint32_t via,
                      bool follows) const {
  const Ways ways = Of(stored, own, follows);
  const bool unchanged = (follows || via == stored.via) && via_valid == ways.follows_via;
  if (unchanged && (ways.minimal >> output & 1) != 0) return true;
  return ways.detours != 0 && via_valid && (Detour(via, stored.dst >> kPortBits, own) >> output & 1) != 0;
}

}  // namespace tilefly::cosim
