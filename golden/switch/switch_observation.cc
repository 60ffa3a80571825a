// SPDX-License-Identifier: Apache-2.0
// The observation record of a switch, and the checkers that judge while it is observed.
#include <algorithm>

#include "golden/common/stage_times.h"
#include "golden/switch/switch.h"

namespace tilefly::golden {

void Switch::Observe(SwitchObservation* observation) {
  context_.watchers.observation = observation;
  checkers_ = nullptr;
  if (observation != nullptr) {
    checkers_ = std::make_unique<Checkers>(context_, edge_flows_.account(), context_.packets.size() == 0, now_,
                                           meters_ == nullptr);
  }
  context_.watchers.routes = checkers_ == nullptr ? nullptr : &checkers_->routes;
  context_.watchers.acks = checkers_ == nullptr ? nullptr : &checkers_->acks;
  context_.watchers.meters = checkers_ == nullptr ? nullptr : &checkers_->meters;
  edge_flows_.Watch(observation != nullptr);
  if (observation == nullptr) return;
  observation->ports.assign(context_.profile.ports, {});
  observation->turns.assign(context_.profile.tiles, {});
  observation->reds.assign(context_.profile.ports, {});
  observation->cfu = {};
  ObserveLevels(now_);
}

/// What links of edge ports took in this cycle is to be acknowledged.
void Switch::WatchAcks(Cycle now) {
  for (const Departure& departure : output_.links.packets) {
    if (!context_.registers.port(departure.port).mode.acks || !departure.has_words()) continue;
    const Cycle free = now + kTakeToRead + WordOffset(departure.format.words - 1, departure.serdes_lanes);
    checkers_->acks.Taken(free, departure.port, departure.header, CellsOf(departure.length), departure.payload);
  }
  checkers_->acks.EndCycle(now, context_.profile.ports);
}

void Switch::ObserveLevels(Cycle now) {
  for (int p = 0; p < context_.profile.ports; ++p) {
    Portobs& port = context_.watchers.observation->ports[p];
    port.owner_valid = static_cast<std::uint8_t>(grants_.owner_valid(p));
    for (int row = 0; row < context_.profile.out_rows; ++row) {
      port.owners = static_cast<std::uint32_t>(port.owners | grants_.owner(p, row) << 4 * row);
    }
    port.ibuf_cells = static_cast<std::uint16_t>(ingress_.buffer().used(p));
    port.obuf_room = static_cast<std::uint16_t>(grants_.room(p));
    port.load = static_cast<std::uint16_t>(std::min(context_.loads.load(p), LoadRing::kMaxShown));
  }
  checkers_->columns.Show(now, &context_.watchers.observation->turns);
}

}  // namespace tilefly::golden
