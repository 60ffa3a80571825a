// SPDX-License-Identifier: Apache-2.0
// Engines of short operations (docs/blocks/reduction-trees.md, Short operations, Small-operand engine).
#include "golden/reduction/red_engines.h"

#include <algorithm>

namespace tilefly::golden {

bool RedEngines::IsInUse(int group) const {
  for (int e = 0; e < kRedEngines; ++e) {
    if (engine(group, e).have != 0 || engine(group, e).back) return true;
  }
  return false;
}

bool RedEngines::IsWaiting(int group) const {
  for (int e = 0; e < kRedEngines; ++e) {
    if (engine(group, e).have != 0) return true;
  }
  return false;
}

bool RedEngines::IsOverdue(Cycle now, int group) const {
  const RedTree& tree = registers_.tree(group);
  if (tree.small || tree.timeout == 0) return false;
  for (int e = 0; e < kRedEngines; ++e) {
    if (engine(group, e).have != 0 && now >= engine(group, e).since + tree.timeout) return true;
  }
  return false;
}

bool RedEngines::IsSilent(Cycle now, int group) const {
  for (int e = 0; e < kRedEngines; ++e) {
    if (IsReady(now, kRedEngines * group + e) || engine(group, e).back) return false;
  }
  return true;
}

Cycle RedEngines::DeadlineOf(Cycle now, int group) const {
  const RedTree& tree = registers_.tree(group);
  Cycle due = kNever;
  if (tree.timeout == 0) return due;
  for (int e = 0; e < kRedEngines; ++e) {
    // Of a small group: the decision of that cycle may launch what is there, and later ones when there is room.
    const Cycle end = engine(group, e).since + tree.timeout;
    if (engine(group, e).have != 0 && end > now) due = std::min(due, end);
  }
  return due;
}

void RedEngines::Arrived(Cycle now, const RedEvent& report) {
  const RedTree& tree = registers_.tree(report.group);
  RedEngine& of = engine(report.group, report.engine);
  if ((tree.parent_mask() & Bit(report.port)) != 0) {
    of.back = true;
  } else if ((tree.children & Bit(report.port)) != 0) {
    if (of.have == 0) of.since = now;
    of.have |= Bit(report.port);
  }
}

void RedEngines::Launched(const RedLaunch& launch) {
  RedEngine& used = engine(launch.group, launch.engine);
  if (launch.goes_down()) {
    used.back = false;
  } else {
    used.have = 0;
    used.armed = false;
  }
}

void RedEngines::Clear(int group) {
  for (int e = 0; e < kRedEngines; ++e) {
    RedEngine& of = engine(group, e);
    of.have = 0;
    of.back = of.armed = false;
  }
}

void RedEngines::Forget(int group) {
  for (int e = 0; e < kRedEngines; ++e) engine(group, e) = {};
}

}  // namespace tilefly::golden
