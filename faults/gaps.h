// SPDX-License-Identifier: Apache-2.0
// Rare events by the gaps between them: one draw for each event, and none for what goes well.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "support/random.h"

namespace tilefly::faults {

/// One kind of event on one direction of a link. The k-th gap is floor(ln U / ln(1 - chance)), with U in (0, 1] from the
/// draw (seed, direction, k, purpose).
class Gaps {
 public:
  Gaps(std::uint64_t seed, std::uint32_t direction, Purpose purpose) : seed_(seed), direction_(direction), purpose_(purpose) {}

  /// From the next call of Next on; a new gap begins.
  void Set(double chance) {
    chance_ = chance;
    left_ = Draw();
  }
  /// Whether the event happens this time.
  bool Next() {
    if (left_ > 0) {
      left_ -= left_ != kNever;
      return false;
    }
    left_ = Draw();
    return true;
  }

  /// How many of the next calls of Next are false for sure.
  std::int64_t left() const { return left_; }
  /// Stands for `calls` calls of Next, of at most left().
  void Skip(std::int64_t calls) { left_ -= left_ != kNever ? calls : 0; }

  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();  ///< left() of what never happens

 private:
  std::int64_t Draw() {
    if (chance_ <= 0) return kNever;
    const double even = 1 - Unit(tilefly::Draw(seed_, direction_, gaps_++, purpose_));
    const double gap = std::floor(std::log(even) / std::log1p(-chance_));
    return gap < 1e18 ? static_cast<std::int64_t>(gap) : kNever;
  }

  std::uint64_t seed_;
  std::uint32_t direction_;
  Purpose purpose_;
  double chance_ = 0;
  std::uint64_t gaps_ = 0;
  std::int64_t left_ = kNever;
};

}  // namespace tilefly::faults
