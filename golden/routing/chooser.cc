// SPDX-License-Identifier: Apache-2.0
#include "golden/routing/chooser.h"

#include "golden/routing/draws.h"

namespace tilefly::golden {
namespace {

constexpr int kOfEachKind = 2;  // candidates

std::uint32_t FlowHashOf(const HeaderBits& header, std::uint32_t flow) {
  return FlowHash(flow, header.source(), header.destination());
}
bool OneBit(PortMask mask) { return (mask & (mask - 1)) == 0; }
RouteChoice Minimal(int output) { return {Drop::kNone, static_cast<std::uint8_t>(output), false, false, {0, 0}}; }
RouteChoice NonMinimal(int output, SwitchAddress via) {
  return {Drop::kNone, static_cast<std::uint8_t>(output), false, true, via};
}

}  // namespace

template <typename Loads>
RouteChoice ChooserBy<Loads>::Choose(Cycle now, int port, HeaderBits* header, PortMask down) {
  const SwitchAddress own = registers_.routes().own();
  const HeaderBits came = *header;
  Query query{now, port, header, SwitchAddress::OfPort(header->destination()), false, drawn_[port]++, 0, down};
  query.local = query.destination.group == own.group;
  const bool decides = Decides(own, *header);
  bool by_via = header->via_valid() && !decides && !ViaReached(own, *header);
  query.ports = Towards(by_via ? SwitchAddress::FromBits(header->via()) : query.destination);
  if (by_via && query.ports != 0 && (query.ports & ~down) == 0) {  // it gives up its via
    by_via = false;
    query.ports = Towards(query.destination);
  }
  query.ports &= ~down;
  RouteChoice choice =
      query.ports != 0 ? ChooseFrom(query, decides) : RouteChoice{Drop::kNoRoute, 0, false, false, {0, 0}};
  choice.decided = decides;
  choice.follows =
      decides && header->ordered() && header->hop() == 0 && registers_.port(port).mode.acks && !header->is_red();
  if (choice.follows && query.ports != 0) {
    choice.hash_output = static_cast<std::uint8_t>(ChoosePort(HashIn(own.group, own.number, FlowHashOf(*header, 0)), query.ports));
  }
  if (choice.nonminimal) header->set_via(choice.via.ToBits());
  header->set_via_valid(choice.nonminimal || by_via);
  if (checker_ != nullptr) checker_->Routed(registers_, port, came, *header, choice);
  return choice;
}

template <typename Loads>
RouteChoice ChooserBy<Loads>::ChooseFrom(const Query& query, bool decides) {
  const auto mode = static_cast<RouteMode>(query.header->mode());
  const RouteTables& routes = registers_.routes();
  const bool detours =
      decides && mode != RouteMode::kMinHash && mode != RouteMode::kInOrder && routes.Targets(query.local) != 0;
  if (!detours && OneBit(query.ports)) return Minimal(LowestBit(query.ports));
  const HeaderBits& header = *query.header;
  const bool adapts = mode != RouteMode::kMinHash && mode != RouteMode::kNminHash && mode != RouteMode::kInOrder;
  if (adapts && (decides || !header.ordered())) return Adapt(query, detours);

  const std::uint32_t flow_hash = FlowHashOf(header, mode == RouteMode::kInOrder ? 0 : header.flow());
  const std::uint32_t hash = HashIn(routes.own().group, routes.own().number, flow_hash);
  if (detours) {
    SwitchAddress via;
    PortMask ports;
    if (Detour(query, flow_hash >> 16, &via, &ports)) return NonMinimal(ChoosePort(hash, ports), via);
  }
  return Minimal(ChoosePort(hash, query.ports));
}

/// Of the candidates the one of lowest cost, the first of equals.
template <typename Loads>
RouteChoice ChooserBy<Loads>::Adapt(const Query& query, bool detours) {
  const RouteTables& routes = registers_.routes();
  const Draws draws(routes.scrambled_seed(), FabricAddress(routes.own().group, routes.own().number, query.port),
                    query.drawn);
  RouteChoice best = Minimal(ChoosePort(draws.minimal_port(0), query.ports));
  int lowest = Cost(query, best.output, false);
  const int other = ChoosePort(draws.minimal_port(1), query.ports);
  if (other != best.output) {
    const int cost = Cost(query, other, false);
    if (cost < lowest) {
      lowest = cost;
      best = Minimal(other);
    }
  }
  if (!detours) return best;
  for (int i = 0; i < kOfEachKind; ++i) {
    SwitchAddress via;
    PortMask ports;
    if (!Detour(query, draws.target(i), &via, &ports)) continue;
    const int output = ChoosePort(draws.nonminimal_port(i), ports);
    const int cost = Cost(query, output, true);
    if (cost >= lowest) continue;
    lowest = cost;
    best = NonMinimal(output, via);
  }
  return best;
}

/// The target that 16 random bits choose for a non-minimal path, and the ports towards it. False: it is no candidate.
template <typename Loads>
bool ChooserBy<Loads>::Detour(const Query& query, std::uint32_t bits, SwitchAddress* via, PortMask* ports) const {
  const RouteTables& routes = registers_.routes();
  const int number = ChooseNumber(bits, routes.Targets(query.local));
  const SwitchAddress own = routes.own();
  if (query.local) {
    if (number >= RouteTables::kSwitches || number == own.number || number == query.destination.number) return false;
    *via = {own.group, number};
  } else {
    if (number >= RouteTables::kGroups || number == own.group || number == query.destination.group) return false;
    *via = {number, 0};
  }
  *ports = Towards(*via) & ~query.down;
  return *ports != 0;
}

template <typename Loads>
int ChooserBy<Loads>::Cost(const Query& query, int output, bool nonminimal) {
  const RouteTables& routes = registers_.routes();
  const int links = routes.Links(nonminimal, query.local, registers_.port(output).mode.pclass);
  const int cost = loads_.Shown(query.now, output) * links;
  if (!nonminimal) return cost;
  constexpr int kBiases = 4;
  const int mode = query.header->mode();
  const int bias = routes.Bias(mode < kBiases ? mode : 0);
  return cost + (mode == static_cast<int>(RouteMode::kAdaptive1) ? bias * query.header->hop() : bias);
}

template class ChooserBy<LoadRing>;
template class ChooserBy<LoadHistory>;

}  // namespace tilefly::golden
