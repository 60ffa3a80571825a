// SPDX-License-Identifier: Apache-2.0
// Virtual lanes that keep a system free of deadlock, as contents of VLMAP (docs/topology.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace tilefly::topology {

/// Which paths a packet may take.
enum class Routing {
  kMinimal,     ///< the paths of Routes
  kValiant,     ///< those, and minimal to a drawn intermediate domain, then minimal to the destination
  kProgressive  ///< those, and a new decision after the first local hop
};

/// "minimal", "valiant" or "progressive"; throws UsageError for another name.
Routing ParseRouting(const std::string& name);
const char* NameOf(Routing routing);

/// VLMAP of one traffic class: the lane at index vl_in << 4 | class of in-port << 2 | class of out-port.
using LaneTable = std::array<std::uint8_t, 256>;

/// Lanes of one traffic class, counted from 0: what a system's switches have in `port_mode.pclass` and VLMAP.
struct LanePlan {
  int lanes = 1;
  std::vector<std::array<std::uint8_t, 2>> port_class;  ///< of ends a and b of every link: 1 to 3
  std::vector<LaneTable> tables;                        ///< the different contents
  std::vector<int> table_of;                            ///< of every switch: which of them

  int Next(int at, int vl_in, int in_class, int out_class) const {
    return tables[table_of[at]][vl_in << 4 | in_class << 2 | out_class];
  }
};

/// The plan of a family:
/// - dragonfly, Aries: one lane more after each global link: 2 lanes minimal, 3 with Valiant; progressive also after a
/// local
///   link that follows another one of the source group: 4. Column links of Aries are class 3.
/// - torus: two lanes. A port's class is its dimension; a straight turn beside the dateline (the link between the last
/// and
///   the first switch of a ring) goes to lane 1, other straight turns keep the lane, turns begin at lane 0: so tables
///   differ between switches. With more than three dimensions the lane counts datelines crossed, whose links are
///   class 3.
/// - tree: one lane; Valiant 2, raised where a packet that came down goes up again. Up ports are class 2, down ports
/// class 1.
/// - graph: the lane counts hops: as many as the longest minimal path has links; Valiant twice that.
/// Throws UsageError for Valiant on a torus and progressive outside grouped systems: VLMAP does not see where a
/// decision fell.
LanePlan PlanLanes(const Topology& topology, Routing routing);

struct ClassLanes {
  std::string name;
  int lanes = 0;
};

/// The first lane of each class when they lie one after the other; throws UsageError with the sum when there are more
/// than `available`.
std::vector<int> FirstLanes(const std::vector<ClassLanes>& classes, int available);

/// The words of VLMAP of a class whose lanes begin at `first`; lanes of other classes stay as they are.
LaneTable MoveLanes(const LaneTable& table, int lanes, int first);

}  // namespace tilefly::topology
