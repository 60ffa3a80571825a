// SPDX-License-Identifier: Apache-2.0
// Says which rank waits for which when the jobs of a system do not end.
#pragma once

#include <string>
#include <vector>

#include "network/network.h"

namespace tilefly::network {

/// A receive whose message has not come, or a reduction in the switches that is not complete.
struct WaitingReceive {
  int job;
  int rank;
  int operation;
  std::string reduction;       ///< how far the reduction has come; empty: this is a receive
  std::vector<int> waits_for;  ///< receives that must end before its message is sent, as indices in the report
};

struct WaitReport {
  /// For a network that has run. Collective: the report is complete on the first process, and of no use on the others.
  explicit WaitReport(const Network& network);

  /// A text for when nothing is under way: the circle, or else the receives, up to a limit.
  std::string Text(const Network& network) const;
  /// A text with the receives, up to a limit, one in each line.
  std::string Lines(const Network& network) const;

  std::vector<WaitingReceive> receives;
  std::vector<int> cycle;  ///< receives that wait for one another in a circle, each for the next; empty: no circle
  int ranks = 0;           ///< ranks that are not done and have not failed
  std::int64_t dropped = 0;   ///< packets dropped
  std::int64_t given_up = 0;  ///< packets that their senders gave up

 private:
  std::string Line(const Network& network, const WaitingReceive& one) const;
};

}  // namespace tilefly::network
