// SPDX-License-Identifier: Apache-2.0
// What a system is: counts, degrees, distances.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace tilefly::topology {

struct Range {
  int least = 0;
  int most = 0;
};

/// Distances of switches, counted in links between switches; exact, over all ordered pairs.
struct Distances {
  std::vector<std::int64_t> pairs;  ///< pairs at each distance, 0 (each switch and itself) to the diameter
  double mean = 0;                  ///< of two different switches
  double endpoints_mean = 0;        ///< of two different endpoints; 0 for those of one switch

  int diameter() const { return static_cast<int>(pairs.size()) - 1; }
};

/// Half of the groups against the other half, when each pair of groups has the same links and there is an even number:
/// (g/2)^2 * links of a pair. An upper bound of the minimum bisection.
struct GroupHalves {
  std::int64_t links = 0;
  double bisection_tb_per_s = 0;   ///< both directions of these links
  double all_to_all_tb_per_s = 0;  ///< what all global links carry when each endpoint sends to all others alike
};

struct Description {
  int switches = 0, endpoints = 0, nodes = 0;
  int groups = 0;                            ///< of GroupsOf; 0 where there are none
  std::array<std::int64_t, kKinds> links{};  ///< by kind; terminal: endpoints
  Range pair_links;                          ///< links of kind global for each pair of groups
  Range degree;                              ///< links of a switch to others
  double mean_degree = 0;
  Range ports;                          ///< used ports of a switch
  std::array<double, kKinds> metres{};  ///< of cable, by kind
  Distances distances;
  std::optional<GroupHalves> halves;
};

/// Breadth-first over the graph of switches, many sources at once; about a second for 16,352 switches.
Distances MeasureDistances(const Topology& topology);

/// How far a switch is from some others, in links between switches.
struct Reach {
  int farthest = 0;
  std::int64_t sum = 0;
};
/// Of every switch: how far it is from the switches `from`.
std::vector<Reach> MeasureReach(const Topology& topology, const std::vector<int>& from);

Description Describe(const Topology& topology);

std::string DescriptionText(const Topology& topology, const Description& description);
nlohmann::ordered_json DescriptionJson(const Topology& topology, const Description& description);

}  // namespace tilefly::topology
