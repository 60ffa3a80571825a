// SPDX-License-Identifier: Apache-2.0
#include "network/wiring.h"

#include <fmt/format.h>

#include <cmath>

#include "support/errors.h"

namespace tilefly::network {
namespace {

constexpr double kNsPerMetre = 5;
constexpr double kCopperMetres = 2.6;  // covered by the calibrated channel
constexpr double kRounding = 1e-9;
/// What the code of half the length takes less than RS(544,514) (docs/blocks/link_retry.md, FEC profiles).
constexpr int kLowLatencyCycles = 39;

}  // namespace

LinkTiming LinkTiming::Chip(const Profile& profile, faults::Fec fec, const std::string& origin) {
  const int saved = fec == faults::Fec::kLowLatency ? kLowLatencyCycles : 0;
  if (saved > 0 && profile.channel_cycles <= saved)
    throw UsageError(fmt::format("{}: low_latency takes {} cycles off a channel, and the profile's has {}; give fec: rs544, or "
                                 "channel_cycles of {} or more",
                                 origin, saved, profile.channel_cycles, saved + 1));
  LinkTiming timing;
  timing.fixed.fill(profile.channel_cycles - saved);
  timing.cycles_per_metre = kNsPerMetre * profile.clock_khz / 1e6;
  timing.free_metres = kCopperMetres;
  return timing;
}

LinkTiming LinkTiming::Bench() {
  LinkTiming timing;
  timing.fixed = {1, 10, 100, 10};
  return timing;
}

Cycle LinkTiming::DelayOf(topology::LinkKind kind, double metres) const {
  const double cable = std::max(0.0, metres - free_metres) * cycles_per_metre;
  return fixed[static_cast<std::size_t>(kind)] + static_cast<Cycle>(std::ceil(cable - kRounding));
}

Wiring::Wiring(const topology::Topology& topology, int ports, const LinkTiming& timing)
    : ports_(ports), far_(topology.switches.size() * static_cast<std::size_t>(ports)) {
  for (const topology::Link& link : topology.links) {
    const Cycle delay = timing.DelayOf(link.kind, link.metres);
    const auto end = [&](topology::Port far) {
      return FarEnd{far.at, -1, static_cast<std::int32_t>(delay), static_cast<std::uint8_t>(far.port), link.kind};
    };
    Connect(link.a, end(link.b));
    Connect(link.b, end(link.a));
  }
  for (std::size_t e = 0; e < topology.endpoints.size(); ++e) {
    const topology::Endpoint& endpoint = topology.endpoints[e];
    const Cycle delay = timing.DelayOf(topology::LinkKind::kTerminal, endpoint.metres);
    Connect(endpoint.port,
            {-1, static_cast<std::int32_t>(e), static_cast<std::int32_t>(delay), 0, topology::LinkKind::kTerminal});
  }
}

Cycle Wiring::SmallestDelay(int node, const std::vector<int>& part_of) const {
  Cycle smallest = kNever;
  for (int port = 0; port < ports_; ++port) {
    const FarEnd& to = far(node, port);
    if (to.node < 0 || (!part_of.empty() && part_of[node] == part_of[to.node])) continue;
    smallest = std::min<Cycle>(smallest, to.delay);
  }
  return smallest;
}

void Wiring::Connect(topology::Port at, const FarEnd& far) {
  if (at.at < 0 || at.at >= nodes() || at.port < 0 || at.port >= ports_) {
    throw UsageError(fmt::format("topology: there is no port {} of switch {}; {} switches of {} ports", at.port, at.at,
                                 nodes(), ports_));
  }
  FarEnd& place =
      far_[static_cast<std::size_t>(at.at) * static_cast<std::size_t>(ports_) + static_cast<std::size_t>(at.port)];
  if (place.connected()) throw UsageError(fmt::format("topology: port {} of switch {} is used twice", at.port, at.at));
  place = far;
}

}  // namespace tilefly::network
