// SPDX-License-Identifier: Apache-2.0
// What is at the other end of every port of a system, and how many cycles away (docs/network.md, Cycles).
#pragma once

#include <array>
#include <vector>

#include "faults/plan.h"
#include "golden/common/types.h"
#include "topology/topology.h"

namespace tilefly::network {

/// How long links take, in cycles.
struct LinkTiming {
  /// The delays of `chip`: the calibrated channel with its FEC, and the cable beyond what the channel covers. Throws
  /// UsageError when the channel has no room for the FEC; its message begins with `origin`, where the FEC was given.
  static LinkTiming Chip(const Profile& profile, faults::Fec fec = faults::Fec::kRs544, const std::string& origin = "");
  /// The delays of `bench`: fixed delays of 1, 10 and 100 cycles.
  static LinkTiming Bench();

  Cycle DelayOf(topology::LinkKind kind, double metres) const;

  std::array<Cycle, 4> fixed{};  ///< by kind of link
  double cycles_per_metre = 0;   ///< of cable
  double free_metres = 0;        ///< metres of cable that `fixed` covers
};

/// The other end of a port.
struct FarEnd {
  bool connected() const { return node >= 0 || endpoint >= 0; }

  std::int32_t node = -1;      ///< switch; -1: none
  std::int32_t endpoint = -1;  ///< endpoint; -1: none
  std::int32_t delay = 0;
  std::uint8_t port = 0;  ///< port of the switch
  topology::LinkKind kind = topology::LinkKind::kTerminal;
};

class Wiring {
 public:
  /// Throws UsageError, with the port, when a port does not exist or is used twice.
  Wiring(const topology::Topology& topology, int ports, const LinkTiming& timing);

  int nodes() const { return static_cast<int>(far_.size()) / ports_; }
  int ports() const { return ports_; }
  const FarEnd& far(int node, int port) const { return far_[static_cast<std::size_t>(node) * ports_ + port]; }
  /// The smallest delay of a link from `node` to a switch whose value in `part_of` differs; kNever: there is none. An
  /// empty `part_of`: to any switch.
  /// any.
  Cycle SmallestDelay(int node, const std::vector<int>& part_of) const;

 private:
  void Connect(topology::Port at, const FarEnd& far);

  int ports_;
  std::vector<FarEnd> far_;
};

}  // namespace tilefly::network
