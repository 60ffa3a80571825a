// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/origin_tracker.h"

namespace tilefly::cosim {
namespace {

/// A scoreboard judges: the number is written apart from golden/common/stage_times.h, on purpose.
constexpr Cycle kWireAfterTake = 8;

}  // namespace

OriginTracker::OriginTracker(const Profile& profile)
    : rows_(profile.rows),
      row_in_(profile.row_in),
      banks_(static_cast<std::size_t>(profile.ports * profile.rows)),
      taken_(static_cast<std::size_t>(profile.ports)) {}

void OriginTracker::Sample(Cycle now, const Observation& observation) {
  const int ports = static_cast<int>(taken_.size());
  for (int port = 0; port < ports; ++port) {
    const Portobs& obs = observation.ports[static_cast<std::size_t>(port)];
    if (obs.pick_valid && obs.pick_dst < ports) Bank(obs.pick_dst, port / row_in_).push_back(port);
    if (!obs.take_valid || obs.take_row >= rows_) continue;
    std::deque<int>& bank = Bank(port, obs.take_row);
    if (bank.empty()) continue;  // a device that takes what nobody sent fails elsewhere
    taken_[static_cast<std::size_t>(port)].push_back({now - 1 + kWireAfterTake, bank.front()});
    bank.pop_front();
  }
}

int OriginTracker::Origin(int port, Cycle first) {
  std::deque<Taken>& taken = taken_[static_cast<std::size_t>(port)];
  // What was taken and has no words (no Ethernet header) is passed over.
  while (!taken.empty() && taken.front().first < first) taken.pop_front();
  return !taken.empty() && taken.front().first == first ? taken.front().input : -1;
}

}  // namespace tilefly::cosim
