// SPDX-License-Identifier: Apache-2.0
// The inputs as an output's request store sees them: requests within their credits.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "generated/profile.h"
#include "generated/wire.h"
#include "golden/common/types.h"
#include "testbenches/bench/stimulus.h"

namespace tilefly::bench {

/// Requests of all inputs, at most one a row and cycle.
class RequestSource {
 public:
  struct Arrival {
    int input;
    Request request;
  };

  RequestSource(const Profile& profile, const Stimulus& random)
      : profile_(profile), random_(random), outstanding_(static_cast<std::size_t>(profile.ports * golden::kMaxLanes)) {}

  /// The request that arrives from `row` in cycle `now`.
  std::optional<Arrival> Next(Cycle now, int row);
  /// The same when every input asks for as much as its credits allow, of `cells` each, the lowest first.
  std::optional<Arrival> NextOfMost(int row, int cells);
  /// A grant of cycle `now`: its credit comes back, and a further request may follow, much later.
  void Granted(Cycle now, int input, int vl) { returning_.push_back({now + kCreditTrip, Slot(input, vl)}); }
  /// Credits that are back in cycle `now`.
  void Return(Cycle now);

 private:
  /// From a grant to the arrival of the next request that its credit allows (docs/timing.md): t + 11, then s + 8.
  static constexpr Cycle kCreditTrip = 20;
  struct Returning {
    Cycle due;
    std::size_t slot;
  };
  std::size_t Slot(int input, int vl) const { return static_cast<std::size_t>(input * golden::kMaxLanes + vl); }

  const Profile& profile_;
  const Stimulus& random_;
  std::vector<std::uint8_t> outstanding_;  ///< by (input, lane)
  std::deque<Returning> returning_;
};

}  // namespace tilefly::bench
