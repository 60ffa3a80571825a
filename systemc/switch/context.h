// SPDX-License-Identifier: Apache-2.0
// What the modules of one switch share: its registers, counters and loads.
#pragma once

#include "golden/acks/flow_account.h"
#include "golden/common/counters.h"
#include "golden/ingress/registers.h"
#include "golden/routing/chooser.h"
#include "golden/routing/load_ring.h"
#include "systemc/fabric/packet_pool.h"
#include "systemc/switch/crossing.h"

namespace tilefly::systemc {

struct Context {
  explicit Context(const Profile& p)
      : profile(p), geometry(p), registers(p), counters(p.ports), loads(p.ports, p.load_epoch_cycles, p.neighbour_epochs),
        chooser(registers, loads, no_checker) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const golden::PortRegisters& port(int p) const { return registers.port(p); }

  const Profile profile;
  const golden::Geometry geometry;
  golden::Registers registers;
  golden::Counters counters;
  golden::LoadRing loads;      ///< of the outputs
  golden::Chooser chooser;
  golden::FlowAccount flows;   ///< of the edge ports
  CrossingPool crossings;
  fabric::PacketPool made;     ///< packets that the switch makes
  std::uint64_t taken = 0;     ///< packets that links took: hops

 private:
  golden::RouteChecker* no_checker = nullptr;
};

}  // namespace tilefly::systemc
