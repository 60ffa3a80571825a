// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/systemc/red_hosts.h"

namespace tilefly::systemc {

/// The parent of the switch in a tree, with all that is above it: it answers.
class RedParent final : public RedPeer {
 public:
  using RedPeer::RedPeer;
  Cycle Receive(Cycle cycle, const Red& red, const fabric::Frame& frame) override;

 private:
  void Answer(Cycle now, Red red, const Bytes& data);
  void TakeSegment(Cycle now, const Red& red, Bytes data);
  void SendResults(Cycle now);
  void TakeSmall(Cycle now, const Bytes& data);

  int segments_ = 0;  ///< since the lock
  int results_ = 0;
  int taken_ = 0;                              ///< segments of all locks
  std::deque<std::pair<Red, Bytes>> waiting_;  ///< results for which the switch gives no credit yet
  std::map<int, std::uint32_t> counts_;        ///< contributions to small operations that are not complete
};

}  // namespace tilefly::systemc
