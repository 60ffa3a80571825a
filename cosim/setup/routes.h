// SPDX-License-Identifier: Apache-2.0
// The system around a switch under test, and the ports by which a packet for another switch may leave. This is the
// scoreboard's own reading of docs/blocks/routing.md. Where routing draws or looks at loads, there is a set of ports
// here.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "generated/registers.h"
#include "generated/wire.h"

namespace tilefly::cosim {

class Routes {
 public:
  std::map<int, std::uint64_t> groups;    ///< ROUTE_GROUP: ports towards a group
  std::map<int, std::uint64_t> switches;  ///< ROUTE_SWITCH: towards a switch of the own group
  int group_count = 0;  ///< SIZE: groups that non-minimal paths may pass, and switches of the own group
  int switch_count = 0;
  std::uint32_t seed = 0;
  SwitchLength length;
  SwitchBias bias;

  /// A small system around the switch of group and switch `own`: each mask has one to four of `ports`.
  static Routes Example(std::uint64_t ports, std::uint32_t own, std::uint64_t seed);

  /// Register writes, one a bus cycle.
  std::vector<Cfg> Writes() const;
  /// All ports that are in some mask.
  std::uint64_t ports() const;

  /// The ways of a packet with the header `stored` at the switch whose group and switch are `own`. The packet is for
  /// another switch.
  struct Ways {
    std::uint64_t minimal = 0;  ///< ports towards its target; none: it is dropped as NO_ROUTE
    std::uint64_t detours = 0;  ///< ports of non-minimal candidates
    bool follows_via = false;   ///< its target is its via
  };
  /// With `follows` the packet may get the way of another packet of its flow instead, whatever the routing mode of that
  /// one.
  Ways Of(const Header& stored, std::uint32_t own, bool follows = false) const;
  /// Whether the packet may leave by `output` with these fields; `stored` is its header without what the switch writes.
  bool MayLeave(const Header& stored, std::uint32_t own, int output, bool via_valid, std::uint32_t via,
                bool follows = false) const;

 private:
  std::uint64_t Towards(std::uint32_t target, std::uint32_t own) const;
  /// Ports towards the target of a non-minimal candidate, 0 when `via` is no candidate.
  std::uint64_t Detour(std::uint32_t via, std::uint32_t destination, std::uint32_t own) const;
};

}  // namespace tilefly::cosim
