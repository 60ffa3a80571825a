// SPDX-License-Identifier: Apache-2.0
// Routing of one golden switch by itself: registers, loads as told, and what becomes of a header.
#pragma once

#include <array>
#include <vector>

#include "golden/common/register_write.h"
#include "golden/registers/registers.h"
#include "golden/routing/chooser.h"
#include "golden/routing/draws.h"

namespace tilefly::golden {

/// Own address, and those of the examples.
inline constexpr SwitchAddress kOwn{3, 9};
inline constexpr int kOwnGroup = 3, kFarGroup = 7, kOwnSwitch = 9, kNearSwitch = 4;
inline constexpr std::uint32_t kFar = FabricAddress(kFarGroup, 2, 1);             ///< a port of another group
inline constexpr std::uint32_t kNear = FabricAddress(kOwnGroup, kNearSwitch, 1);  ///< of the own group
inline constexpr std::uint32_t kOwnSource = FabricAddress(kOwnGroup, 1, 5);
inline constexpr std::uint32_t kFarSource = FabricAddress(20, 1, 5);

inline Cfg RouteWrite(CfgSpace space, int index, std::uint64_t data) {
  return WriteRegister(kAllPorts, space, index, data);
}
inline Cfg RouteWrite(SwitchReg reg, std::uint64_t data) {
  return RouteWrite(CfgSpace::kSwitch, static_cast<int>(reg), data);
}

/// A header that has just come from its source.
inline Header HeaderTo(std::uint32_t destination, RouteMode mode, std::uint32_t source = kOwnSource) {
  Header header;
  header.kind = static_cast<std::uint8_t>(Kind::kEnhEth);
  header.len = 100;
  header.src = source;
  header.dst = destination;
  header.mode = static_cast<std::uint8_t>(mode);
  return header;
}

class ChooserRig {
 public:
  static constexpr Cycle kNow = 1000;
  static constexpr int kPort = 5;

  /// All ports enabled, of class 0; own address kOwn; no routes, SIZE 0.
  explicit ChooserRig(const Profile& profile = kTile8)
      : registers(profile), loads(profile.ports, profile.load_epoch_cycles, profile.neighbour_epochs) {
    PortMode mode;
    mode.enable = true;
    Set(PortReg::kMode, mode.ToBits());
    registers.Apply(RouteWrite(SwitchReg::kAddress, kOwn.ToBits()));
  }

  void Set(SwitchReg reg, std::uint64_t data) { registers.Apply(RouteWrite(reg, data)); }
  void Set(PortReg reg, std::uint64_t data, int port = kAllPorts) {
    Cfg write = RouteWrite(CfgSpace::kPort, static_cast<int>(reg), data);
    write.port = static_cast<std::uint8_t>(port);
    registers.Apply(write);
  }
  void SetBias(int m, std::uint64_t bias) {
    biases_.adaptive[static_cast<std::size_t>(m)] = static_cast<std::uint16_t>(bias);
    Set(SwitchReg::kBias, biases_.ToBits());
  }
  void SetSize(int groups, int switches) { Set(SwitchReg::kSize, SwitchSize::Of(groups, switches).ToBits()); }
  void Group(int group, PortMask ports) { registers.Apply(RouteWrite(CfgSpace::kRouteGroup, group, ports)); }
  void Neighbour(int number, PortMask ports) { registers.Apply(RouteWrite(CfgSpace::kRouteSwitch, number, ports)); }
  /// Every group, or every switch of the own group.
  void AllGroups(PortMask ports) {
    for (int group = 0; group < RouteTables::kGroups; ++group) Group(group, ports);
  }
  void AllNeighbours(PortMask ports) {
    for (int number = 0; number < RouteTables::kSwitches; ++number) Neighbour(number, ports);
  }
  void Load(int output, int load) { loads.Tell(kNow, output, load); }

  /// Routes a packet as the port's `drawn`-th after others; `header` as it goes on.
  RouteChoice Choose(Header* header, std::uint32_t drawn = 0, int port = kPort) {
    RouteChecker* watched = &checker;
    Chooser chooser(registers, loads, watched);
    HeaderBits unrelated(HeaderTo(kFar, RouteMode::kMinHash));
    for (std::uint32_t k = 0; k < drawn; ++k) chooser.Choose(kNow, port, &unrelated);
    HeaderBits bits(*header);
    const RouteChoice choice = chooser.Choose(kNow, port, &bits);
    *header = bits.Unpack();
    return choice;
  }
  int OutputOf(Header header, std::uint32_t drawn = 0) { return Choose(&header, drawn).output; }
  /// Draws of the port's `drawn`-th packet.
  Draws DrawsOf(std::uint32_t drawn = 0) const {
    return {registers.routes().scrambled_seed(), registers.AddressOf(kPort), drawn};
  }

  Registers registers;
  LoadRing loads;
  RouteChecker checker;

 private:
  SwitchBias biases_;
};

}  // namespace tilefly::golden
