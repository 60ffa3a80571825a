// SPDX-License-Identifier: Apache-2.0
// How files of classes and command lines call the modes of routing.
#pragma once

#include <string>
#include <vector>

#include "generated/registers.h"

namespace tilefly::golden {

struct RouteName {
  const char* name;
  RouteMode mode;
};

/// `min` and `valiant` choose minimal and non-minimal paths by a hash. The sender decides what the hash is taken of, by
/// the flow number that it gives its packets.
inline constexpr RouteName kRouteNames[] = {
    {"adaptive_0", RouteMode::kAdaptive0}, {"adaptive_1", RouteMode::kAdaptive1}, {"adaptive_2", RouteMode::kAdaptive2},
    {"adaptive_3", RouteMode::kAdaptive3}, {"min", RouteMode::kMinHash},          {"valiant", RouteMode::kNminHash},
    {"in_order", RouteMode::kInOrder},     {"min_hash", RouteMode::kMinHash},     {"nmin_hash", RouteMode::kNminHash}};

inline std::vector<std::string> RouteNames() {
  std::vector<std::string> names;
  for (const RouteName& one : kRouteNames) names.emplace_back(one.name);
  return names;
}

/// The mode of this name, null when there is none.
inline const RouteName* FindRouteName(const std::string& name) {
  for (const RouteName& one : kRouteNames) {
    if (name == one.name) return &one;
  }
  return nullptr;
}

}  // namespace tilefly::golden
