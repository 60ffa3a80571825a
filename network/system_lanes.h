// SPDX-License-Identifier: Apache-2.0
// Virtual lanes of a system's traffic classes, as register writes (docs/network.md, Lanes).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "golden/registers/registers.h"
#include "topology/lanes.h"

namespace tilefly::network {

/// The lanes of a traffic class.
struct LaneClass {
  std::string name;  ///< file and class, for messages
  std::vector<int> lanes;
  bool named = true;  ///< true: the file names the lanes; false: they were found
};
using LaneClasses = std::array<LaneClass, golden::kMaxClasses>;

class SystemLanes {
 public:
  /// Plans lanes by `plan`, for packets routed as `routing` says. Classes that have lanes in `given` take the first of
  /// them. When no class has lanes there, the classes in `used` get lanes one after the other. `reductions`: the last
  /// two lanes are kept for reductions. Throws UsageError when a class has too few lanes, or when there are not enough
  /// for all classes; the message has the sum.
  SystemLanes(const topology::Topology& topology, const Profile& profile, topology::LanePlan plan,
              const std::string& routing, const LaneClasses& given, const std::vector<int>& used, bool reductions);

  const topology::LanePlan& plan() const { return plan_; }
  /// The lanes of a class, in the order in which packets take them; empty: the class is not used.
  const std::vector<int>& of_class(int tc) const { return lanes_[tc]; }
  /// How many lanes the classes have.
  int used() const {
    std::uint32_t lanes = 0;
    for (const std::vector<int>& of_class : lanes_) {
      for (const int lane : of_class) lanes |= 1u << lane;
    }
    return __builtin_popcount(lanes);
  }
  /// Class of a port, PORT.MODE.pclass.
  std::uint8_t port_class(int node, int port) const {
    return port_classes_[static_cast<std::size_t>(node) * static_cast<std::size_t>(ports_) +
                         static_cast<std::size_t>(port)];
  }
  /// Writes of VL_CLASS for lanes that were not given, for switches whose tables are `before`.
  std::vector<Cfg> ClassWrites(const golden::Tables& before) const;
  /// Writes of VL_CLASS that give the lanes of reductions to class `tc`.
  static std::vector<Cfg> ReductionWrites(int tc, const golden::Tables& before);
  /// Writes of VLMAP for the plan's table number `table`, for switches whose tables are `before`.
  std::vector<Cfg> MapWrites(int table, const golden::Tables& before) const;

 private:
  void LayOut(const topology::Topology& topology, const std::vector<int>& used, const Profile& profile,
              bool reductions);
  void TakeGiven(const topology::Topology& topology, const std::string& routing, const LaneClasses& given, int lanes,
                 bool reductions);
  std::string Remedy(const topology::Topology& topology, int classes, int available) const;

  topology::LanePlan plan_;
  bool given_ = false;
  std::array<std::vector<int>, golden::kMaxClasses> lanes_;
  int ports_;
  std::vector<std::uint8_t> port_classes_;  ///< 0 at ports of endpoints
};

}  // namespace tilefly::network
