// SPDX-License-Identifier: Apache-2.0
// Virtual lanes that keep a system free of deadlock, as contents of VLMAP (docs/topology.md).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "generated/registers.h"
#include "topology/topology.h"

namespace tilefly::topology {

/// Which paths a packet may take.
enum class Routing {
  kMinimal,     ///< the paths of Routes
  kValiant,     ///< those, and minimal to a drawn address group, then minimal to the destination; in the own group
                ///< through a drawn switch of it
  kProgressive  ///< those, and a new decision after a first hop inside the own address group
};

/// "minimal", "valiant" or "progressive"; throws UsageError for another name, which may have been meant for one of `others`.
Routing ParseRouting(const std::string& name, const std::vector<std::string>& others = {});
const char* NameOf(Routing routing);

/// VLMAP of one traffic class: the lane at the index of a class of 0 (`VlmapIndex`).
using LaneTable = std::array<std::uint8_t, 256>;

/// Place in such a table.
constexpr std::size_t PlaceOf(int vl_in, int in_class, int out_class) {
  return VlmapIndex::Of(static_cast<std::uint64_t>(out_class), static_cast<std::uint64_t>(in_class),
                        static_cast<std::uint64_t>(vl_in), 0)
      .ToBits();
}

/// Lanes of one traffic class, counted from 0: what a system's switches have in `port_mode.pclass` and VLMAP.
struct LanePlan {
  int lanes = 1;
  std::vector<std::array<std::uint8_t, 2>> port_class;  ///< of ends a and b of every link: 1 to 3
  std::vector<LaneTable> tables;                        ///< the different contents
  std::vector<int> table_of;                            ///< of every switch: which of them

  int Next(int at, int vl_in, int in_class, int out_class) const {
    return tables[table_of[at]][PlaceOf(vl_in, in_class, out_class)];
  }
};

/// The plan of a family:
/// - dragonfly, Aries: one lane more wherever links do not come in the order column, row, global: 2 lanes minimal;
///   through a drawn group 3, with a second decision 4; of Aries, whose address groups are chassis, 4 and 5. Row
///   (local) links are class 1, global ones 2, columns 3.
/// - torus: two lanes. A port's class is its dimension; a straight turn beside the dateline (the link between the last
///   and the first switch of a ring) goes to lane 1, other straight turns keep the lane, turns begin at lane 0: so
///   tables differ between switches. With more than three dimensions the lane counts datelines crossed, whose links are
///   class 3.
/// - tree: one lane; Valiant 2, raised where a packet that came down goes up again. Up ports are class 2, down ports
///   class 1.
/// - graph: the lane counts hops: as many as the longest path has links.
/// Throws UsageError for Valiant on a torus and progressive outside grouped systems: VLMAP does not see where a
/// decision fell.
LanePlan PlanLanes(const Topology& topology, Routing routing);
/// The same plan with more lanes, for paths that need them because links are down: the lane goes on rising where the
/// plan raises it. A torus, whose lanes count datelines, has no more lanes than its plan.
LanePlan PlanLanes(const Topology& topology, Routing routing, int lanes);

/// A plan with one table for all switches, in which a port's class is its link's kind: a packet on `lane` of a link of
/// kind `in` goes on to lane `next(lane, in, out)` of one of kind `out`, or to the nearest of 0 to `lanes` - 1. From an
/// endpoint (`in` is kTerminal) it comes on lane 0.
LanePlan LanesByKind(const Topology& topology, int lanes,
                     const std::function<int(int lane, LinkKind in, LinkKind out)>& next);
/// As for a graph: the lane rises with each link, to the last of `lanes`.
LanePlan LanesByHops(const Topology& topology, int lanes);

/// Lanes that VLMAP tells apart.
inline constexpr int kMostLanes = 16;

struct ClassLanes {
  std::string name;
  int lanes = 0;
};

/// The first lane of each class when they lie one after the other; throws UsageError with the sum when there are more
/// than `available`, and `remedy`.
std::vector<int> FirstLanes(const std::vector<ClassLanes>& classes, int available, const std::string& remedy);

/// The words of VLMAP of a class that has these lanes, as many as the table or more; lanes of other classes stay as
/// they are. From an edge port a packet takes the first one, whatever lane it came on.
LaneTable MoveLanes(const LaneTable& table, const std::vector<int>& lanes);

}  // namespace tilefly::topology
