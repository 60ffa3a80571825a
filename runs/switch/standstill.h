// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/endpoint/endpoint.h"

namespace tilefly::runs {

/// Finds out that the links of a switch carry nothing although they should: no progress.
class Standstill {
 public:
  /// `endpoints`: of all ports; they must outlive it. `longest_stall`: cycles that one of them stalls, or waits for
  /// the replay timer, at most.
  Standstill(const std::vector<std::unique_ptr<cosim::Endpoint>>& endpoints, Cycle longest_stall)
      : endpoints_(endpoints), patience_(kStuckAfter + 4 * longest_stall) {}

  /// Called every few cycles. `offered`: frames up to now; `source_waits`: the source has a pause, so nothing moves
  /// unless a sender holds something back; `excused`: nothing has to move now. True when words should have moved and
  /// did not.
  bool Look(Cycle now, std::int64_t offered, bool source_waits, bool excused);
  /// The cycle since which something is to move and does not.
  Cycle since() const { return since_; }
  /// Longer than any honest silence: every endpoint stalls at once.
  Cycle patience() const { return patience_; }
  /// The end of the last PAUSE that the switch was sent: what it holds back until then comes at a time that is known.
  Cycle PausesEnd() const;
  /// For the report: whom the switch pauses, and which links with retry have something to do; empty: none.
  std::string PausedPorts(Cycle now) const;

 private:
  static constexpr Cycle kStuckAfter = 20000;

  const std::vector<std::unique_ptr<cosim::Endpoint>>& endpoints_;
  const Cycle patience_;
  std::int64_t activity_ = -1;  ///< frames and words at the last look
  Cycle since_ = 0;
};

}  // namespace tilefly::runs
