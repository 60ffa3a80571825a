// SPDX-License-Identifier: Apache-2.0
// Which time series a system has (docs/time-series.md, Series): groups and links by their numbers in `Samples`.
#pragma once

#include <string>
#include <vector>

#include "network/wiring.h"
#include "topology/topology.h"

namespace tilefly::network {

struct SampleFrame {
  static constexpr int kMostGroups = 64;   ///< more are taken together, in blocks of equal size
  static constexpr int kMostLinks = 4096;  ///< directions of links; of more there are sums

  /// A link, from one end to the other, or several.
  struct Link {
    std::string name;
    double words_per_cycle = 0;  ///< that they can carry
    bool from_nic = false;       ///< no output of a switch sends
    bool to_nic = false;         ///< no input buffer of a switch receives
  };

  /// NICs have `nic_lanes` lanes.
  SampleFrame(const topology::Topology& topology, const Wiring& wiring, int nic_lanes);

  /// What leaves by a port of a switch.
  int link(int node, int port) const { return link_of_port[static_cast<std::size_t>(node * ports + port)]; }
  /// What comes in by a port of a switch.
  int link_into(const Wiring& wiring, int node, int port) const {
    const FarEnd& far = wiring.far(node, port);
    return far.node >= 0 ? link(far.node, far.port) : link_of_nic[static_cast<std::size_t>(far.endpoint)];
  }

  int ports;                           ///< of a switch
  std::vector<int> group_of_node;      ///< by switch
  std::vector<std::string> groups;     ///< names; one without a name: the system has none
  std::vector<int> group_of_endpoint;  ///< by endpoint
  bool each_link = false;              ///< a series is one direction of one link
  std::vector<Link> links;             ///< series
  std::vector<int> link_of_port;       ///< by switch and port, -1: no link
  std::vector<int> link_of_nic;        ///< by endpoint
};

}  // namespace tilefly::network
