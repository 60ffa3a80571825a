// SPDX-License-Identifier: Apache-2.0
// The pipeline of a combiner in cycles (docs/blocks/arithmetic.md, tilefly_combine): of Combined for `tilefly_combine`,
// of RepSum for `tilefly_repsum`. What is computed is known when operands enter.
#pragma once

#include "golden/common/delay_line.h"
#include "golden/common/stage_times.h"
#include "golden/common/types.h"

namespace tilefly::golden {

template <typename Result>
class Combiner {
 public:
  /// Operands stand on the inputs in cycle `now`, and give `result`. At most one pair of operands comes in a cycle,
  /// after `Advance`.
  void Enter(Cycle now, const Result& result) { inside_.Push(now + kCombineCycles, result); }
  /// Cycle `now` begins. Cycles in which nothing is due may be left out.
  void Advance(Cycle now) {
    inside_.Drain(now, [&](const Result& result) {
      shown_ = result;
      shown_in_ = now;
    });
  }

  /// Whether a result stands on the outputs in cycle `now`.
  bool valid(Cycle now) const { return shown_in_ == now; }
  /// The last result.
  const Result& shown() const { return shown_; }
  /// Whether a word is inside or on the outputs in cycle `now`, before operands enter in this cycle.
  bool busy(Cycle now) const { return valid(now) || inside_.Next() != kNever; }
  /// Cycle of the next result, kNever when there is none.
  Cycle Next() const { return inside_.Next(); }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(inside_, shown_, shown_in_);
  }

 private:
  DelayLine<Result> inside_;
  Result shown_{};
  Cycle shown_in_ = -1;
};

}  // namespace tilefly::golden
