// SPDX-License-Identifier: Apache-2.0
#include "network/timetable.h"

namespace tilefly::network {

void Timetable::Clear() {
  rounds_ = Calendar(domains.count());
  windows_.clear();
  for (const std::vector<int>& members : domains.members) windows_.emplace_back(static_cast<int>(members.size()));
}

Cycle Timetable::NextWindow(int domain, Cycle round) {
  const Cycle window = windows_[domain].Next();
  if (window == kNever || window < (round + 1) * windows_of_round_) return window;
  rounds_.Enter(domain, window / windows_of_round_);
  return kNever;
}

}  // namespace tilefly::network
