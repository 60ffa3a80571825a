// SPDX-License-Identifier: Apache-2.0
// What a run met of routing: functional bins, found from what golden's routing did with each packet.
#pragma once

#include <array>

#include "golden/ports/input_port.h"
#include "golden/routing/draws.h"
#include "testbenches/bench/comparison.h"

namespace tilefly::bench {

class RouteWatch {
 public:
  RouteWatch(Comparison* run, const golden::InputPort& port, int number) : run_(*run), port_(port), number_(number) {
    constexpr const char* kDecides[] = {"ADAPTIVE_0 decides", "ADAPTIVE_1 decides", "ADAPTIVE_2 decides",
                                        "ADAPTIVE_3 decides", "MIN_HASH decides",   "NMIN_HASH decides",
                                        "IN_ORDER decides",   "mode 7 decides"};
    constexpr const char* kDetours[] = {"ADAPTIVE_0 takes a detour",
                                        "ADAPTIVE_1 takes a detour",
                                        "ADAPTIVE_2 takes a detour",
                                        "ADAPTIVE_3 takes a detour",
                                        nullptr,
                                        "NMIN_HASH takes a detour",
                                        nullptr,
                                        "mode 7 takes a detour"};
    for (std::size_t m = 0; m < decides_.size(); ++m) {
      decides_[m] = run_.AddBin(kDecides[m], 10);
      if (kDetours[m] != nullptr) detours_[m] = run_.AddBin(kDetours[m], 10);
    }
    ties_ = run_.AddBin("several ports of equal load", 10);
    no_port_ = run_.AddBin("a drawn target without a port", 10);
    by_group_ = run_.AddBin("a via is reached by its group", 10);
    by_switch_ = run_.AddBin("a via is reached by its switch", 10);
    follows_ = run_.AddBin("a packet follows its via", 10);
    lost_ = run_.AddBin("no port towards a via", 10);
    back_ = run_.AddBin("a second decision turns back", 10);
    away_ = run_.AddBin("a second decision turns away", 2);
    local_ = run_.AddBin("a detour in the own group", 10);
  }

  /// Before a cycle of golden.
  void Before() {
    routes_ = port_.registers().routes();
    enabled_ = port_.registers().enabled();
  }

  /// After it; `equal`: the loads that its decisions will see are equal.
  void After(const golden::InputPort::Outputs& outputs, bool equal) {
    if (!outputs.routed) return;
    const golden::HeaderBits& came = outputs.routed->came;
    const golden::RouteChoice& choice = outputs.routed->choice;
    const golden::SwitchAddress destination = golden::SwitchAddress::OfPort(came.destination());
    const golden::SwitchAddress via = golden::SwitchAddress::FromBits(came.via());
    const bool by_via = came.via_valid() && !choice.decided && !golden::ViaReached(routes_.own(), came);
    const std::uint32_t drawn = drawn_++;
    const auto mode = static_cast<std::size_t>(came.mode());
    const bool adaptive = mode < 4 || mode == 7;
    const bool second = choice.decided && came.hop() == 1;
    if (choice.drop != Drop::kNone) {
      run_.Hit(lost_, by_via);
      return;
    }
    run_.Hit(decides_[mode], choice.decided);
    if (choice.nonminimal) run_.Hit(detours_[mode]);
    const golden::PortMask ports = Towards(by_via ? via : destination);
    run_.Hit(ties_, adaptive && equal && (ports & (ports - 1)) != 0);
    run_.Hit(no_port_, adaptive && choice.decided && DrawsNoPort(destination, drawn));
    run_.Hit(follows_, by_via);
    const bool reached = came.via_valid() && !choice.decided && !by_via;
    const bool own_group = via.group == golden::SwitchAddress::OfPort(came.source()).group;
    run_.Hit(by_group_, reached && !own_group);
    run_.Hit(by_switch_, reached && own_group);
    run_.Hit(back_, second && came.via_valid() && !choice.nonminimal);
    run_.Hit(away_, second && !came.via_valid() && choice.nonminimal);
    run_.Hit(local_, choice.nonminimal && destination.group == routes_.own().group);
    run_.Event("routed: output, decided, non-minimal, mode",
               {choice.output, choice.decided, choice.nonminimal, came.mode()});
  }

 private:
  golden::PortMask Towards(golden::SwitchAddress target) const { return routes_.Towards(target) & enabled_; }
  /// Whether the packet, of this destination and after so many, drew a target in another group that no port leads to.
  bool DrawsNoPort(golden::SwitchAddress destination, std::uint32_t drawn) const {
    const golden::SwitchAddress own = routes_.own();
    if (destination.group == own.group || routes_.Targets(false) == 0) return false;
    const golden::Draws draws(routes_.scrambled_seed(), golden::FabricAddress(own.group, own.number, number_), drawn);
    const int group = golden::ChooseNumber(draws.target(0), routes_.Targets(false));
    return group < golden::RouteTables::kGroups && group != own.group && group != destination.group &&
           Towards({group, 0}) == 0;
  }

  Comparison& run_;
  const golden::InputPort& port_;
  int number_;
  golden::RouteTables routes_;
  golden::PortMask enabled_ = 0;
  std::uint32_t drawn_ = 0;
  std::array<Bin, 8> decides_{}, detours_{};
  Bin ties_{}, no_port_{}, by_group_{}, by_switch_{}, follows_{}, lost_{}, back_{}, away_{}, local_{};
};

}  // namespace tilefly::bench
