// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/device.h"
#include "support/random.h"

namespace tilefly::cosim {

struct OutageOptions {
  Cycle every = 0;             ///< cycles from an outage's end to the next outage, in the mean; 0: no outages
  Cycle max_cycles = 3000;     ///< an outage takes 1 to this many cycles, with the cycle in which its port falls silent
};

/// Links that go down and come back, one at a time, at times drawn from a seed.
class LinkOutages {
 public:
  /// `ports`: ports whose links may go down, one bit each, at least one. `options.every` must not be 0.
  LinkOutages(const OutageOptions& options, std::uint64_t ports, std::uint64_t seed);

  /// The port whose link is to be down in cycle `now`, -1: none. Call it in ascending order of cycles.
  int At(Cycle now);

 private:
  const OutageOptions options_;
  const std::uint64_t ports_;
  Stream random_;
  int port_ = -1;
  Cycle begin_ = 0;
  Cycle end_ = 0;  ///< of the outage that is or comes
};

}  // namespace tilefly::cosim
