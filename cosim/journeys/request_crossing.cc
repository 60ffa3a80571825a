// SPDX-License-Identifier: Apache-2.0
#include "cosim/journeys/request_crossing.h"

#include <algorithm>

#include "golden/routing/load_ring.h"

namespace tilefly::cosim {

RequestCrossing::RequestCrossing(const Profile& profile, bool row_r)
    : profile_(profile),
      geometry_(profile_),
      row_r_(row_r),
      crossbar_(profile_, geometry_),
      outputs_(static_cast<std::size_t>(profile.ports)) {}

void RequestCrossing::Leave(const Way& way) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(under_way_.size()));
    under_way_.emplace_back();
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  under_way_[slot] = way;
  crossbar_.Leave(way->input, way->output, slot);
}

void RequestCrossing::Compare(const Observation& observation) {
  for (std::size_t port = 0; port < outputs_.size(); ++port) {
    Output& output = outputs_[port];
    const std::int64_t load = std::min<std::int64_t>(output.cells, golden::LoadRing::kMaxShown), seen = observation.ports[port].load;
    if (row_r_ ? seen < load : seen != load) output.holds = false;
  }
}

}  // namespace tilefly::cosim
