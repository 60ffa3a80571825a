// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <optional>

#include "cosim/tree/small_packet.h"
#include "cosim/tree/tree_peer.h"

namespace tilefly::cosim {

/// The parent of a switch in a tree: the node above, which stands for everything above it. It only answers.
class TreeParent : public TreePeer {
 public:
  using TreePeer::TreePeer;
  void Begin(Cycle now, int first) override;
  Cycle Received(Cycle now, const RedPacket& packet) override;
  void Fail() override;
  bool done() const override { return true; }
  int next_short() const override { return first_; }

 protected:
  /// Data of the answer to a segment or a short operation that came, no bytes when it is empty; nullopt: there is no
  /// answer.
  virtual std::optional<Bytes> Answer(const RedPacket& packet) = 0;
  /// The answer to a small operation whose contributions have all come.
  virtual Bytes SmallAnswer(const SmallPublished& last) = 0;
  /// See Episode::lazy.
  virtual bool lazy() const { return false; }

  int first_ = 0;  ///< number of the episode's first short operation

 private:
  void TakeSegment(Cycle now, const RedPacket& packet);
  void SendResults(Cycle now);
  void TakeShort(Cycle now, const RedPacket& packet);
  void AnswerLock(Cycle now, const RedPacket& packet);
  void TakeSmall(Cycle now, const RedPacket& packet);

  int segments_ = 0;  ///< that were answered since the lock
  int results_sent_ = 0;
  std::deque<RedPacket> results_;  ///< for which the switch gives no credit yet
  std::map<int, int> counts_;      ///< contributions to small operations that are not complete, by seqno
};

}  // namespace tilefly::cosim
