// SPDX-License-Identifier: Apache-2.0
#include "cosim/endpoint/outages.h"

namespace tilefly::cosim {

LinkOutages::LinkOutages(const OutageOptions& options, std::uint64_t ports, std::uint64_t seed)
    : options_(options), ports_(ports), random_(seed, 0, 0, Purpose::kOutage) {}

int LinkOutages::At(Cycle now) {
  if (now >= end_) {
    port_ = random_.Pick(ports_);
    begin_ = now + 1 + static_cast<Cycle>(random_.Below(2 * static_cast<std::uint64_t>(options_.every)));
    end_ = begin_ + 1 + static_cast<Cycle>(random_.Below(static_cast<std::uint64_t>(options_.max_cycles)));
  }
  return now >= begin_ ? port_ : -1;
}

}  // namespace tilefly::cosim
