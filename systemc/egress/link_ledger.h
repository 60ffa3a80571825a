// SPDX-License-Identifier: Apache-2.0
// When a link is taken, for loosely timed use: initiators that run ahead of one another book in any order.
#pragma once

#include <iterator>
#include <map>

#include "golden/common/types.h"

namespace tilefly::systemc {

using golden::Cycle;

class LinkLedger {
 public:
  /// Books the first `cycles` free in a row from `earliest` on and returns the first of them. What ended by `past`, before
  /// which nobody will ask any more, is forgotten.
  Cycle Book(Cycle past, Cycle earliest, Cycle cycles) {
    while (!busy_.empty() && busy_.begin()->second <= past) busy_.erase(busy_.begin());
    Cycle start = earliest;
    auto next = busy_.upper_bound(start);
    if (next != busy_.begin() && std::prev(next)->second > start) start = std::prev(next)->second;
    for (; next != busy_.end() && next->first < start + cycles; ++next) start = next->second;
    Cycle end = start + cycles;
    if (next != busy_.end() && next->first == end) {
      end = next->second;
      next = busy_.erase(next);
    }
    if (next != busy_.begin() && std::prev(next)->second == start) {
      std::prev(next)->second = end;
    } else {
      busy_.emplace_hint(next, start, end);
    }
    return start;
  }

 private:
  std::map<Cycle, Cycle> busy_;  ///< from, to (exclusive); apart from one another
};

}  // namespace tilefly::systemc
