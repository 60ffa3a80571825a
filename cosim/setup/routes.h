// SPDX-License-Identifier: Apache-2.0
// The system that a switch under test stands in, and by which ports a packet for another switch may leave: the
// scoreboard's own reading of docs/blocks/routing.md. What is left to draws and loads is a set of ports here.
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
  /// All ports that some mask has.
  std::uint64_t ports() const;

  /// The ways of a packet with the header `stored` at the switch of group and switch `own`, from which it is to another
  /// one.
  struct Ways {
    std::uint64_t minimal = 0;  ///< ports towards its target; none: NO_ROUTE
    std::uint64_t detours = 0;  ///< of non-minimal candidates
    bool follows_via = false;   ///< its target is its via
  };
  /// With `follows` it may get the way of another packet of its flow instead, whatever that one's mode.
  Ways Of(const Header& stored, std::uint32_t own, bool follows = false) const;
  /// Whether it may leave by `output` with these fields; `stored` is the header without what the switch writes.
  bool MayLeave(const Header& stored, std::uint32_t own, int output, bool via_valid, std::uint32_t via,
                bool follows = false) const;

 private:
  std::uint64_t Towards(std::uint32_t target, std::uint32_t own) const;
  /// Ports towards the target of a non-minimal candidate, 0 when it is none.
  std::uint64_t Detour(std::uint32_t via, std::uint32_t destination, std::uint32_t own) const;
};

}  // namespace tilefly::cosim
