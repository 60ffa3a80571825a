// SPDX-License-Identifier: Apache-2.0
#include "network/system_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "golden/common/register_write.h"
#include "golden/reduction/red_lanes.h"
#include "support/errors.h"

namespace tilefly::network {
namespace {

constexpr int kPortClasses = 4;
constexpr int kReductionLanes = kRedDownLane + 1 - kRedUpLane;

/// Throws UsageError when a class has a lane of reductions.
void KeepFree(const LaneClasses& given) {
  for (const LaneClass& one : given) {
    for (const int lane : one.lanes) {
      if (lane != kRedUpLane && lane != kRedDownLane) continue;
      throw UsageError(
          fmt::format("{} has lane {}; a job that reduces in switches keeps lanes {} and {} for itself: "
                      "give the class others (lanes)",
                      one.name, lane, kRedUpLane, kRedDownLane));
    }
  }
}

}  // namespace

SystemLanes::SystemLanes(const topology::Topology& topology, const Profile& profile, topology::LanePlan plan,
                         const std::string& routing, const LaneClasses& given, const std::vector<int>& used,
                         bool reductions)
    : plan_(std::move(plan)),
      given_(std::any_of(given.begin(), given.end(), [](const LaneClass& one) { return !one.lanes.empty(); })),
      ports_(profile.ports),
      port_classes_(topology.switches.size() * static_cast<std::size_t>(profile.ports)) {
  if (given_) {
    TakeGiven(topology, routing, given, profile.vls, reductions);
    if (reductions) KeepFree(given);
  } else {
    LayOut(topology, used, profile, reductions);
  }
  const auto place = [&](const topology::Port& end) -> std::uint8_t& {
    return port_classes_[static_cast<std::size_t>(end.at) * static_cast<std::size_t>(ports_) +
                         static_cast<std::size_t>(end.port)];
  };
  for (std::size_t link = 0; link < topology.links.size(); ++link) {
    place(topology.links[link].a) = plan_.port_class[link][0];
    place(topology.links[link].b) = plan_.port_class[link][1];
  }
}

/// What fits when so many classes with the plan's lanes do not.
std::string SystemLanes::Remedy(const topology::Topology& topology, int classes, int available) const {
  const int minimal = topology::PlanLanes(topology, topology::Routing::kMinimal).lanes;
  std::string text = fmt::format("take fewer classes, at most {}", available / plan_.lanes);
  if (minimal < plan_.lanes && classes * minimal <= available)
    text += fmt::format(", or --routing min, which takes {} lane{} a class", minimal, minimal == 1 ? "" : "s");
  return text;
}

void SystemLanes::LayOut(const topology::Topology& topology, const std::vector<int>& used, const Profile& profile,
                         bool reductions) {
  std::vector<topology::ClassLanes> classes;
  for (const int tc : used) classes.push_back({fmt::format("class {}", tc), plan_.lanes});
  if (reductions) classes.push_back({"reductions", kReductionLanes});
  const int available = profile.vls - (reductions ? kReductionLanes : 0);
  const std::vector<int> first =
      topology::FirstLanes(classes, profile.vls, Remedy(topology, static_cast<int>(used.size()), available));
  for (std::size_t i = 0; i < used.size(); ++i) {
    for (int lane = 0; lane < plan_.lanes; ++lane) lanes_[used[i]].push_back(first[i] + lane);
  }
}

void SystemLanes::TakeGiven(const topology::Topology& topology, const std::string& routing, const LaneClasses& given,
                            int lanes, bool reductions) {
  const auto count = static_cast<std::size_t>(plan_.lanes);
  std::set<std::string> names;  // classes of a file may stand for several numbers
  for (const LaneClass& one : given) names.insert(one.name);
  const int classes = static_cast<int>(names.size());
  const int available = lanes - (reductions ? kReductionLanes : 0);
  const int sum = classes * plan_.lanes;
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    const LaneClass& one = given[tc];
    if (one.lanes.size() >= count && (one.named || sum <= available)) {
      lanes_[tc].assign(one.lanes.begin(), one.lanes.begin() + plan_.lanes);
      continue;
    }
    const std::string has = fmt::format("{} has {} lane{}; a packet routed {} takes up to {} one after the other",
                                        one.name, one.lanes.size(), one.lanes.size() == 1 ? "" : "s", routing, count);
    if (sum <= available) {
      throw UsageError(
          fmt::format("{}: give each class so many, or leave lanes out of the file: then {} * {} = {} of the {} "
                      "lanes are given to the classes one after the other",
                      has, classes, count, sum, available));
    }
    throw UsageError(fmt::format("{}, and {} classes need {} * {} = {} of the {} lanes{}: {}", has, classes, classes,
                                 count, sum, available, reductions ? " that jobs that reduce in switches leave" : "",
                                 Remedy(topology, classes, available)));
  }
}

std::vector<Cfg> SystemLanes::ClassWrites(const golden::Tables& before) const {
  std::vector<Cfg> writes;
  for (int tc = 0; tc < golden::kMaxClasses && !given_; ++tc) {
    for (const int lane : lanes_[tc]) {
      if (before.vl_class[lane] != tc)
        writes.push_back(
            golden::WriteRegister(golden::kAllPorts, CfgSpace::kVlClass, lane, static_cast<std::uint64_t>(tc)));
    }
  }
  return writes;
}

std::vector<Cfg> SystemLanes::ReductionWrites(int tc, const golden::Tables& before) {
  std::vector<Cfg> writes;
  for (const int lane : {kRedUpLane, kRedDownLane}) {
    if (before.vl_class[lane] != tc)
      writes.push_back(
          golden::WriteRegister(golden::kAllPorts, CfgSpace::kVlClass, lane, static_cast<std::uint64_t>(tc)));
  }
  return writes;
}

std::vector<Cfg> SystemLanes::MapWrites(int table, const golden::Tables& before) const {
  std::array<bool, kPortClasses> is_used = {true};
  for (const auto& ends : plan_.port_class) is_used[ends[0]] = is_used[ends[1]] = true;
  std::vector<Cfg> writes;
  for (int tc = 0; tc < golden::kMaxClasses; ++tc) {
    if (lanes_[tc].empty()) continue;
    const topology::LaneTable moved = topology::MoveLanes(plan_.tables[table], lanes_[tc]);
    for (int index = 0; index < static_cast<int>(moved.size()); ++index) {
      VlmapIndex at = VlmapIndex::FromBits(static_cast<std::uint64_t>(index));
      const auto& own = lanes_[tc];
      if (!is_used[at.pclass_in] || !is_used[at.pclass_out]) continue;
      if (at.pclass_in != 0 && std::find(own.begin(), own.end(), at.vl_in) == own.end()) continue;
      at.tc = static_cast<std::uint8_t>(tc);
      const auto entry = static_cast<int>(at.ToBits());
      if (moved[index] != before.vlmap[entry])
        writes.push_back(golden::WriteRegister(golden::kAllPorts, CfgSpace::kVlmap, entry, moved[index]));
    }
  }
  return writes;
}

}  // namespace tilefly::network
