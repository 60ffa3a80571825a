// SPDX-License-Identifier: Apache-2.0
// Which time series a system has (docs/time-series.md, Series): its groups and links, by their numbers in `Samples`.
#pragma once

#include <string>
#include <vector>

#include "network/wiring.h"
#include "topology/topology.h"

namespace tilefly::network {

struct SampleFrame {
  static constexpr int kMostGroups = 64;   ///< more groups are joined to blocks of equal size
  static constexpr int kMostLinks = 8192;  ///< directions of links; when there are more, they are summed by kind

  /// A series of links: one direction of a link, or several together.
  struct Link {
    std::string name;
    double words_per_cycle = 0;  ///< words that these links can carry
    bool from_nic = false;       ///< true: no output of a switch sends on it
    bool to_nic = false;         ///< true: no input buffer of a switch receives from it
  };

  /// `nic_lanes`: SerDes lanes of the NICs' links.
  SampleFrame(const topology::Topology& topology, const Wiring& wiring, int nic_lanes);

  /// The series of what leaves by a port of a switch.
  int link(int node, int port) const { return link_of_port[static_cast<std::size_t>(node * ports + port)]; }
  /// The series of what comes in by a port of a switch.
  int link_into(const Wiring& wiring, int node, int port) const {
    const FarEnd& far = wiring.far(node, port);
    return far.node >= 0 ? link(far.node, far.port) : link_of_nic[static_cast<std::size_t>(far.endpoint)];
  }

  int ports;                           ///< ports of a switch
  std::vector<int> group_of_node;      ///< by switch
  std::vector<std::string> groups;     ///< names of groups; one empty name: the system has no groups
  std::vector<int> group_of_endpoint;  ///< by endpoint
  bool each_link = false;              ///< true: each series is one direction of one link
  std::vector<Link> links;             ///< the series
  std::vector<int> link_of_port;       ///< by switch and port: its series; -1: no link
  std::vector<int> link_of_nic;        ///< by endpoint: the series of its NIC's link
};

}  // namespace tilefly::network
