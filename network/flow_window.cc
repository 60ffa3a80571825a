// SPDX-License-Identifier: Apache-2.0
#include "network/flow_window.h"

#include <algorithm>
#include <vector>

#include "golden/common/types.h"
#include "topology/routes.h"

namespace tilefly::network {
namespace {

constexpr Cycle kOneSwitch = 180;  ///< T of a path through one switch
constexpr Cycle kEachSwitch = 86;  ///< what a further switch adds to T, beside the delay of its link there and back
constexpr int kMostFull = (1 << 12) - 1;

/// The longest ways of minimal paths, in cycles of T beyond the first switch.
class LongestWays {
 public:
  LongestWays(const topology::Topology& topology, const Wiring& wiring) : routes_(topology), wiring_(wiring) {}

  Cycle Find() {
    Cycle longest = 0;
    for (int domain = 0; domain < routes_.domains(); ++domain) longest = std::max(longest, FindTo(domain));
    return longest;
  }

 private:
  static constexpr Cycle kUnknown = -1;

  bool Ends(int at) const { return routes_.HasEndpoints(at); }
  Cycle WayOver(int arc) const {
    return kEachSwitch + 2 * wiring_.far(routes_.wiring().Tail(arc), routes_.wiring().TailPort(arc)).delay;
  }

  /// From any switch with endpoints to one of the domain.
  Cycle FindTo(int domain) {
    const std::vector<int>& members = routes_.Members(domain);
    if (std::none_of(members.begin(), members.end(), [this](int at) { return Ends(at); })) return 0;
    std::vector<std::vector<int>> next;
    routes_.Towards(domain, &next);
    way_.assign(next.size(), kUnknown);
    for (const int at : members) way_[at] = 0;
    for (const int to : members) {
      if (!Ends(to)) continue;
      inside_.assign(next.size(), kUnknown);
      for (const int at : members) way_[at] = std::max(way_[at], Inside(at, to));
    }
    Cycle longest = 0;
    for (int at = 0; at < static_cast<int>(next.size()); ++at) {
      if (Ends(at)) longest = std::max(longest, Outside(at, next));
    }
    return longest;
  }

  /// From a switch to another one of its domain.
  Cycle Inside(int at, int to) {
    if (at == to) return 0;
    if (inside_[at] != kUnknown) return inside_[at];
    std::vector<int> arcs;
    routes_.Inside(at, to, &arcs);
    Cycle longest = 0;
    for (const int arc : arcs) longest = std::max(longest, WayOver(arc) + Inside(routes_.wiring().Head(arc), to));
    return inside_[at] = longest;
  }

  /// From a switch into the domain and on to the switch of it that is farthest from where the way comes in.
  Cycle Outside(int at, const std::vector<std::vector<int>>& next) {
    if (way_[at] != kUnknown) return way_[at];
    Cycle longest = 0;
    for (const int arc : next[at]) longest = std::max(longest, WayOver(arc) + Outside(routes_.wiring().Head(arc), next));
    return way_[at] = longest;
  }

  topology::Routes routes_;
  const Wiring& wiring_;
  std::vector<Cycle> way_, inside_;
};

}  // namespace

Cycle LongestFlowRoundTrip(const topology::Topology& topology, const Wiring& wiring) {
  return kOneSwitch + LongestWays(topology, wiring).Find();
}

int FullCells(Cycle round_trip) { return static_cast<int>(std::min<Cycle>(kMostFull, (2 * round_trip + 2) / 3)); }

Cycle LeastFlowEpoch(const Profile& profile, int full_cells) {
  return (Cycle{full_cells} * profile.mtu_words_enh + profile.mtu_cells - 1) / profile.mtu_cells;
}

}  // namespace tilefly::network
