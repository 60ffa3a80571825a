// SPDX-License-Identifier: Apache-2.0
// Messages on their way through a crossbar (docs/blocks/crossbar.md, XBAR-3 and XBAR-4): order of each pair, and the time of
// a crossing.
#pragma once

#include <deque>
#include <map>
#include <utility>

#include "golden/common/audit.h"

namespace tilefly::golden {

class CrossingChecker {
 public:
  /// Cycles from leave to arrival of a message that meets no other. The checker is a judge, so the number is written
  /// apart from golden/common/stage_times.h.
  static constexpr Cycle kLoneCrossing = 8;

  /// `message` leaves `source` for `destination` in cycle `now`.
  void Leave(Cycle now, int source, int destination, std::uint32_t message) {
    lone_ = under_way_++ == 0;
    pairs_[{source, destination}].push_back({now, message});
  }
  /// `message` arrives. A message was alone when no other was under way from its leave cycle to its arrival.
  void Arrive(Cycle now, int source, int destination, std::uint32_t message, Audit* audit) {
    std::deque<Leaving>& pair = pairs_[{source, destination}];
    const bool expected = !pair.empty() && pair.front().message == message;
    audit->Require("XBAR-3", expected, destination, message);
    if (!expected) return;
    const Cycle crossing = now - pair.front().cycle;
    audit->Require("XBAR-4", lone_ ? crossing == kLoneCrossing : crossing >= kLoneCrossing, destination, crossing);
    pair.pop_front();
    --under_way_;
  }

 private:
  struct Leaving {
    Cycle cycle;
    std::uint32_t message;
  };
  std::map<std::pair<int, int>, std::deque<Leaving>> pairs_;
  int under_way_ = 0;
  bool lone_ = false;  ///< the messages under way are one, and were one all the time
};

}  // namespace tilefly::golden
