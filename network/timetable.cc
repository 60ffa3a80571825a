// SPDX-License-Identifier: Apache-2.0
#include "network/timetable.h"

namespace tilefly::network {

void Timetable::Clear() {
  rounds_ = Calendar(domains_.count());
  slices_.clear();
  for (const std::vector<int>& members : domains_.members) slices_.emplace_back(static_cast<int>(members.size()));
}

}  // namespace tilefly::network
