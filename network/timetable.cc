// SPDX-License-Identifier: Apache-2.0
#include "network/timetable.h"

namespace tilefly::network {

void Timetable::Clear() {
  rounds_ = Calendar(domains_.count());
  slices_.clear();
  for (const std::vector<int>& members : domains_.members) slices_.emplace_back(static_cast<int>(members.size()));
}

Cycle Timetable::NextSlice(int domain, Cycle round) {
  const Cycle slice = slices_[domain].Next();
  if (slice == kNever || slice < (round + 1) * slices_of_round_) return slice;
  rounds_.Enter(domain, slice / slices_of_round_);
  return kNever;
}

}  // namespace tilefly::network
