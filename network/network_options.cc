// SPDX-License-Identifier: Apache-2.0
#include "network/network_options.h"

#include <set>

namespace tilefly::network {

std::vector<int> NetworkOptions::UsedClasses() const {
  std::set<int> used;
  for (const TrafficPart& part : traffic.classes) used.insert(part.tc);
  for (const PlannedPacket& packet : traffic.plan) used.insert(packet.tc);
  if (background) {
    for (const TrafficPart& part : background->classes) used.insert(part.tc);
  }
  if (used.empty()) used.insert(0);
  return {used.begin(), used.end()};
}

}  // namespace tilefly::network
