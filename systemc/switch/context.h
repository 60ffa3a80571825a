// SPDX-License-Identifier: Apache-2.0
// What the modules of one switch share: its registers, counters, loads, and links that go down.
#pragma once

#include <array>
#include <functional>

#include "golden/acks/flow_account.h"
#include "golden/common/counters.h"
#include "golden/registers/registers.h"
#include "golden/routing/chooser.h"
#include "golden/routing/down_ports.h"
#include "golden/routing/load_ring.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/link/link_user.h"
#include "systemc/switch/crossing.h"

namespace tilefly::systemc {

struct Context {
  explicit Context(const Profile& p)
      : profile(p), geometry(p), registers(p), counters(p.ports), loads(p.ports, p.load_epoch_cycles, p.neighbour_epochs),
        downs(p.load_epoch_cycles), chooser(registers, loads, no_checker) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const golden::PortRegisters& port(int p) const { return registers.port(p); }
  /// Ports that have a link with retry which is down in cycle `cycle`.
  golden::PortMask LinksDown(Cycle cycle) const {
    golden::PortMask down = 0;
    golden::ForEachBit(repeating, [&](int p) { down |= links[p]->IsUp(cycle) ? 0 : golden::Bit(p); });
    return down;
  }
  /// Event of `cycle`: the link of `output` goes down or comes up, and routing is to learn of it.
  void ShowDown(Cycle cycle, int output, bool down) {
    shown_down_ = down ? shown_down_ | golden::Bit(output) : shown_down_ & ~golden::Bit(output);
    downs.Set(cycle, shown_down_);
  }

  const Profile profile;
  const golden::Geometry geometry;
  golden::Registers registers;
  golden::Counters counters;
  golden::LoadRing loads;      ///< of the outputs
  golden::DownPorts downs;     ///< of the outputs, as the inputs see them
  golden::Chooser chooser;
  golden::FlowAccount flows;   ///< of the edge ports
  CrossingPool crossings;
  fabric::PacketPool made;     ///< packets that the switch makes
  std::uint64_t taken = 0;     ///< packets that links took: hops
  std::array<const LinkRoom*, golden::kMaxPorts> links{};  ///< links with retry, of the ports in `repeating`
  golden::PortMask repeating = 0;
  std::function<void(Cycle)> on_turn;  ///< a link with retry goes down or comes up in a cycle to come; may be empty

 private:
  golden::PortMask shown_down_ = 0;
  golden::RouteChecker* no_checker = nullptr;
};

}  // namespace tilefly::systemc
