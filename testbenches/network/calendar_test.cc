// SPDX-License-Identifier: Apache-2.0
#include "network/calendar.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace tilefly::network {
namespace {

/// Against a plain map: entries near and far, looks ahead without taking, entries before what was looked at.
RC_GTEST_PROP(Calendar, GivesEveryNodeWhenItIsFirstDue, ()) {
  constexpr int kNodes = 10;
  Calendar calendar(kNodes);
  std::map<int, Cycle> entered;
  Cycle taken = -1;
  for (int step = 0; step < 200; ++step) {
    for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
      const int node = *rc::gen::inRange(0, kNodes);
      const Cycle due = taken + 1 + *rc::gen::oneOf(rc::gen::inRange(0, 5), rc::gen::inRange(0, 1000));
      calendar.Enter(node, due);
      const auto found = entered.emplace(node, due).first;
      found->second = std::min(found->second, due);
    }
    Cycle expected = kNever;
    for (const auto& [node, due] : entered) expected = std::min(expected, due);
    const Cycle next = calendar.Next();
    RC_ASSERT(next <= expected);
    if (next == kNever || *rc::gen::inRange(0, 2) == 0) continue;
    std::vector<int> nodes;
    calendar.PopDue(next, &nodes);
    taken = next;
    RC_ASSERT(nodes.empty() == (next < expected));
    for (const int node : nodes) {
      RC_ASSERT(entered.at(node) == next);
      entered.erase(node);
    }
    for (const auto& [node, due] : entered) RC_ASSERT(due > next);
  }
}

}  // namespace
}  // namespace tilefly::network
