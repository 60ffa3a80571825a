// SPDX-License-Identifier: Apache-2.0
// Which rank waits for whom when the jobs of a system do not end.
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
  std::string reduction;       ///< how far it is; empty: this is a receive
  std::vector<int> waits_for;  ///< receives that must end before its message is sent: indices in the report
};

struct WaitReport {
  /// Of a network that has run. Collective: complete on the first process, of no use on the others.
  explicit WaitReport(const Network& network);

  /// As text, when nothing is under way: the cycle, or the receives up to a limit.
  std::string Text(const Network& network) const;
  /// The receives up to a limit, a line each.
  std::string Lines(const Network& network) const;

  std::vector<WaitingReceive> receives;
  std::vector<int> cycle;  ///< receives of which each waits for the next, the last for the first; empty: there is none
  int ranks = 0;           ///< that are not done, and have not failed
  std::int64_t dropped = 0;   ///< packets
  std::int64_t given_up = 0;  ///< packets, by their senders

 private:
  std::string Line(const Network& network, const WaitingReceive& one) const;
};

}  // namespace tilefly::network
