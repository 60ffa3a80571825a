// SPDX-License-Identifier: Apache-2.0
// The reduction port as an output's request store sees it: requests of row R (docs/blocks/reduction.md, Row R).
#pragma once

#include <array>
#include <optional>

#include "golden/common/types.h"
#include "testbenches/egress/request_source.h"

namespace tilefly::bench {

/// Requests of row R, at most one a cycle, and at most one of an input in the store.
class RedRow {
 public:
  RedRow(const Profile& profile, const Stimulus& random) : profile_(profile), random_(random) {}

  /// The request that enters the store in cycle `now`. Its input is numbered behind the ports.
  std::optional<RequestSource::Arrival> Next(Cycle now);
  /// Input `input` of the row is granted: it may ask again from the next cycle on.
  void Granted(int input) { asked_[static_cast<std::size_t>(input)] = false; }

 private:
  int CellsOf(Cycle now, int input) const;

  const Profile& profile_;
  const Stimulus& random_;
  std::array<bool, golden::kRedInputs> asked_{};
};

}  // namespace tilefly::bench
