// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "golden/common/cycle.h"

namespace tilefly::network {

/// When a link that repeats is down, at both of its ends. It is known before it happens.
class LinkDowns {
 public:
  /// The link is down from cycle `from` on and before `till`; kNever: for ever. Times that meet are one.
  void Add(Cycle from, Cycle till) {
    std::vector<Down> kept;
    for (const Down& down : downs_) {
      if (down.till < from || till < down.from) {
        kept.push_back(down);
      } else {
        from = std::min(from, down.from);
        till = std::max(till, down.till);
      }
    }
    kept.push_back({from, till});
    std::sort(kept.begin(), kept.end(), [](const Down& a, const Down& b) { return a.from < b.from; });
    downs_ = std::move(kept);
  }
  bool IsUp(Cycle cycle) const {
    return std::none_of(downs_.begin(), downs_.end(),
                        [&](const Down& down) { return down.from <= cycle && cycle < down.till; });
  }
  /// The first cycle from `cycle` on in which the link goes down or comes up; kNever: there is none.
  Cycle NextChange(Cycle cycle) const {
    Cycle next = kNever;
    for (const Down& down : downs_) {
      if (down.from >= cycle) next = std::min(next, down.from);
      if (down.till >= cycle) next = std::min(next, down.till);
    }
    return next;
  }

  /// Cycles from `from` on and before `to` in which the link is down.
  Cycle CyclesDown(Cycle from, Cycle to) const {
    Cycle cycles = 0;
    for (const Down& down : downs_) cycles += std::max<Cycle>(0, std::min(down.till, to) - std::max(down.from, from));
    return cycles;
  }

  /// State between two cycles. See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(downs_);
  }

 private:
  struct Down {
    Cycle from;
    Cycle till;
  };
  std::vector<Down> downs_;
};

}  // namespace tilefly::network
