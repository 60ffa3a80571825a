// SPDX-License-Identifier: Apache-2.0
// Which global port of a group leads to which group (docs/topology.md, "Global links").
#pragma once

#include <string>
#include <vector>

#include "topology/parameters.h"
#include "topology/topology.h"

namespace tilefly::topology {

enum class Arrangement { kAbsolute, kRelative, kCirculant };

/// Names in the order of Arrangement.
const std::vector<std::string>& ArrangementNames();

/// The group that port k of group i leads to, in a system of g groups with g - 1 ports each (S2).
int PeerGroup(Arrangement arrangement, int i, int k, int g);
/// The port of group i that leads to group j != i: the inverse of PeerGroup.
int PortTowards(Arrangement arrangement, int i, int j, int g);

/// The global ports of all groups of a system: `ports` a group, `links` links for each pair of groups.
class GlobalLinks {
 public:
  /// links * (groups - 1) <= ports.
  GlobalLinks(Arrangement arrangement, int groups, int ports, int links);

  /// The port of group `from` at which copy m of its links to group `to` ends.
  int Port(int from, int to, int copy) const;

 private:
  Arrangement arrangement_;
  int groups_;
  int ports_;
  int links_;
};

/// Keys `g`, `links` and `arrangement` of a family whose groups have `ports` global ports. `links` is 1, or what fits.
struct GlobalKeys {
  int groups = 1;
  int links = 1;
  Arrangement arrangement = Arrangement::kAbsolute;
};
enum class LinksDefault { kOne, kWhatFits };
GlobalKeys ReadGlobalKeys(Parameters* parameters, int ports, int default_groups, int most_groups,
                          const std::string& why_most, LinksDefault links_default);

/// Where the switches of a group have their global ports.
struct GlobalPorts {
  int group_switches = 0;
  int first = 0;  ///< port of a switch
  int count = 0;  ///< from there on
};
/// Adds the global links of all pairs of groups; switches are numbered group by group.
void AddGlobalLinks(const GlobalKeys& keys, const GlobalPorts& ports, double metres, Topology* topology);

}  // namespace tilefly::topology
