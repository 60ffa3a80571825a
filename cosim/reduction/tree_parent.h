// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "cosim/reduction/tree_peer.h"

namespace tilefly::cosim {

/// The parent of the switch in a tree: the node above, with all that is above it.
class TreeParent final : public TreePeer {
 public:
  using TreePeer::TreePeer;
  void Begin(Cycle now, const Episode& episode, int first) override;
  void Received(Cycle now, const RedPacket& packet) override;
  /// It only answers.
  bool done() const override { return true; }
  int next_short() const override { return first_; }

 private:
  void TakeSegment(Cycle now, const RedPacket& packet);
  void SendResults(Cycle now);
  void TakeShort(Cycle now, const RedPacket& packet);
  void AnswerLock(Cycle now, const RedPacket& packet);
  void TakeSmall(Cycle now, const RedPacket& packet);

  int segments_ = 0;  ///< that have come since the lock
  int results_sent_ = 0;
  std::map<int, int> counts_;  ///< contributions to small operations that are not complete
};

}  // namespace tilefly::cosim
