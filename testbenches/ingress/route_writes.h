// SPDX-License-Identifier: Apache-2.0
// What routing of the input side gets: masks of ports towards a system of some groups, the registers of space SWITCH,
// and loads as they are shown to the port.
#pragma once

#include <array>
#include <vector>

#include "generated/profile.h"
#include "generated/registers.h"
#include "generated/wire.h"
#include "golden/common/types.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

class RouteWrites {
 public:
  static constexpr int kGroup = 3, kSwitch = 9;       ///< own address
  static constexpr int kGroups = 32, kSwitches = 32;  ///< with masks, most of them; further ones are every 16th group

  RouteWrites(const Profile& profile, const Stimulus& random) : profile_(profile), random_(random) {}

  /// The writes before the first packet.
  std::vector<Cfg> Setup() const;
  /// A change of a mask or of a register, now and then of the own address and back.
  Cfg Change(Cycle now) const;
  /// The registers of space SWITCH for a stretch of traffic.
  std::vector<Cfg> Stretch(Cycle now) const;
  /// Another seed and, for one cycle, another own address: three writes for successive cycles.
  std::vector<Cfg> Flicker(Cycle now) const;

  /// Address of a port of another switch: of the own group, or of another; now and then one that has no mask.
  std::uint32_t Elsewhere(Cycle now) const;
  /// Group and switch of a via, and an address of a source, as they matter here.
  std::uint16_t Via(std::uint32_t destination, Cycle now) const;
  std::uint32_t Source(Cycle now) const;

 private:
  golden::PortMask Mask(Cycle now, std::uint32_t index) const;
  Cfg WriteGroup(int group, Cycle now) const;
  Cfg WriteNeighbour(int number, Cycle now) const;
  Cfg WriteSwitch(SwitchReg reg, Cycle now) const;
  Cfg WriteOtherAddress(std::uint64_t any) const;

  const Profile& profile_;
  const Stimulus& random_;
};

/// Loads that the ring shows, a function of the cycle: golden is told of them before they are shown.
class ShownLoads {
 public:
  ShownLoads(const Profile& profile, const Stimulus& random) : profile_(profile), random_(random) {}

  /// Of all ports in `cycle`.
  std::array<std::uint16_t, golden::kMaxPorts> At(Cycle cycle) const;
  /// Whether all are equal.
  bool Equal(Cycle cycle) const { return Kind(cycle) == 0; }

 private:
  std::uint64_t Kind(Cycle cycle) const { return random_.Below(5, "loads: kind", cycle / 256); }

  const Profile& profile_;
  const Stimulus& random_;
};

}  // namespace tilefly::bench
