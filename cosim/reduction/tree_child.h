// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "cosim/reduction/tree_peer.h"

namespace tilefly::cosim {

/// A child of the switch in a tree: a host, or a node whose own children are further down.
class TreeChild final : public TreePeer {
 public:
  using TreePeer::TreePeer;
  void Begin(Cycle now, const Episode& episode, int first) override;
  void Received(Cycle now, const RedPacket& packet) override;
  bool done() const override { return phase_ == Phase::kDone; }
  int next_short() const override { return next_short_; }

 private:
  enum class Phase { kLocking, kStreaming, kUnlocking, kShort, kDone };

  bool misbehaves(Mishap mishap, int part) const {
    return episode_.mishap == mishap && episode_.culprit == port_ && episode_.at == part;
  }
  bool wants(int part) const { return is_node() || (results_.operation(part).wants >> port_ & 1) != 0; }
  /// The next segment from `part` on whose result comes.
  int NextResult(int part) const;
  void PostLock(Cycle now, RedAction action, std::uint64_t within);
  void SendSegments(Cycle now);
  void SendShort(Cycle now);
  RedPacket SegmentPacket(int part) const;
  RedPacket ShortPacket(int part) const;
  RedPacket SmallPacket(int part) const;
  void MisbehaveFirst(Cycle now);
  bool Misbehave(Cycle now, int part);
  void LockAnswered(Cycle now, const RedPacket& packet);
  void TakeResult(Cycle now, const RedPacket& packet);
  void TakeShort(Cycle now, const RedPacket& packet);
  void TakeSmall(Cycle now, const RedPacket& packet);
  void EndOfStreams(Cycle now);

  Phase phase_ = Phase::kDone;
  int next_short_ = 0;  ///< number of the next short operation
  int sent_ = 0;        ///< segments or short operations of the episode
  int results_due_ = 0; ///< the segment whose result comes next
  int results_taken_ = 0;
  int finals_ = 0;      ///< operations whose last result has come
  int old_tag_ = 0;     ///< of the lock before
  bool silent_ = false;
  std::set<int> open_;  ///< short operations without result
};

}  // namespace tilefly::cosim
