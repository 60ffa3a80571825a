// SPDX-License-Identifier: Apache-2.0
// The output of a packet for another switch (docs/blocks/routing.md): candidates, their costs, and the choice. In one
// step at the look-up: tables are those of that cycle, and the loads that the decision will see are known then.
#pragma once

#include <vector>

#include "golden/common/header_bits.h"
#include "golden/registers/registers.h"
#include "golden/routing/load_history.h"
#include "golden/routing/load_ring.h"
#include "golden/routing/route_checker.h"

namespace tilefly::golden {

/// `Loads` is LoadRing or LoadHistory.
template <typename Loads>
class ChooserBy {
 public:
  /// Chooses for a switch with these registers and loads. `checker` watches the choices when it is not null.
  ChooserBy(const Registers& registers, Loads& loads, RouteChecker* const& checker)
      : registers_(registers), loads_(loads), checker_(checker), drawn_(registers.ports()) {}

  /// Chooses the output of a packet for another switch, which was looked up at `port` in cycle `now`. Writes via and
  /// via_valid of `header`. No port in `down` is chosen (docs/blocks/link_retry.md, Routing leaves out ports that are
  /// down).
  RouteChoice Choose(Cycle now, int port, HeaderBits* header, PortMask down = 0);

  /// Sets the number of packets of `port` that have drawn, which is 0 else. Tests begin near the wrap of the count with
  /// it.
  void BeginDraws(int port, std::uint32_t first) { drawn_[port] = first; }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(drawn_);
  }

 private:
  /// What a choice depends on.
  struct Query {
    Cycle now;
    int port;
    const HeaderBits* header;
    SwitchAddress destination;
    bool local;  ///< destination in the own group
    std::uint32_t drawn;
    PortMask ports;  ///< towards the target
    PortMask down;
  };

  RouteChoice ChooseFrom(const Query& query, bool decides);
  RouteChoice Adapt(const Query& query, bool detours);
  bool Detour(const Query& query, std::uint32_t bits, SwitchAddress* via, PortMask* ports) const;
  PortMask Towards(SwitchAddress target) const { return registers_.routes().Towards(target) & registers_.enabled(); }
  int Cost(const Query& query, int output, bool nonminimal);

  const Registers& registers_;
  Loads& loads_;
  RouteChecker* const& checker_;
  std::vector<std::uint32_t> drawn_;  ///< of each port: packets that drew
};

using Chooser = ChooserBy<LoadRing>;

}  // namespace tilefly::golden
