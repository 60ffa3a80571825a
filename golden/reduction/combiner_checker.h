// SPDX-License-Identifier: Apache-2.0
// Checker of ARITH-1 to ARITH-5 of docs/blocks/arithmetic.md. It watches the operands and the results of a combiner.
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "golden/common/audit.h"
#include "golden/reduction/arithmetic.h"
#include "golden/reduction/combiner.h"
#include "golden/reduction/repsum.h"

namespace tilefly::golden {

/// ARITH-1 of one combiner.
template <typename Result>
class CombinerChecker {
 public:
  /// Operands enter in cycle `now`, whose result is known.
  void Entered(Cycle now, const Result& result) { due_.push_back({now + kCombineCycles, result}); }
  /// What stands on the outputs in cycle `now`.
  void Shown(Cycle now, bool valid, const Result& result, Audit* audit) {
    const bool due = !due_.empty() && due_.front().first == now;
    audit->Require("ARITH-1", valid == due && (!due || result == due_.front().second), 0, now);
    if (due) due_.pop_front();
  }

 private:
  std::deque<std::pair<Cycle, Result>> due_;
};

/// ARITH-2 to ARITH-4: what must hold of a result, whatever was computed.
void CheckCombined(const Operation& operation, int use, const Operands& a, const Operands& b, const Combined& result,
                   Audit* audit);

/// ARITH-5: `sum` is the sum of the summands in the order of the list, in the reverse order, and in pairs.
void CheckReproducible(const std::vector<RepSum>& summands, const RepSum& sum, Audit* audit);

}  // namespace tilefly::golden
