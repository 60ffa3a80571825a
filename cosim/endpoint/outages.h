// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/device.h"
#include "support/random.h"

namespace tilefly::cosim {

struct OutageOptions {
  Cycle every = 0;             ///< cycles from the end of an outage to the begin of the next, in the mean; 0: there are none
  Cycle max_cycles = 3000;     ///< an outage takes 1 to this many cycles, that in which its port falls silent included
};

/// Links that go down and come back, one at a time, drawn.
class LinkOutages {
 public:
  /// Of links of `ports`, one bit each, at least one; `options.every` is not 0.
  LinkOutages(const OutageOptions& options, std::uint64_t ports, std::uint64_t seed);

  /// The port whose link is to be down in cycle `now`, -1: none. Cycles ascend.
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
