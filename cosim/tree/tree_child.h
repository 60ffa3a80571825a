// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "cosim/tree/small_packet.h"
#include "cosim/tree/tree_operands.h"
#include "cosim/tree/tree_peer.h"

namespace tilefly::cosim {

/// A child of a switch in a tree: a host, or a node that has children of its own.
class TreeChild : public TreePeer {
 public:
  /// `operands`: the operands of the episode that starts when Begin is called.
  TreeChild(const Profile& profile, const Tree& tree, int port, const Options& options, const TreeOperands* operands)
      : TreePeer(profile, tree, port, options), operands_(*operands) {}

  void Begin(Cycle now, int first) override;
  Cycle Received(Cycle now, const RedPacket& packet) override;
  bool done() const override { return phase_ == Phase::kDone; }
  int next_short() const override { return next_short_; }

 protected:
  enum class Phase : std::uint8_t { kLocking, kStreaming, kUnlocking, kShort, kDone };

  const Episode& episode() const { return operands_.episode(); }
  Phase phase() const { return phase_; }
  /// Number of the episode's first short operation.
  int first() const { return first_; }
  /// Whether this part is in a short operation that has no result yet.
  bool waits_for(int part) const { return phase_ == Phase::kShort && ready_.count(part) != 0; }
  /// Part that a short operation's number stands for; likewise for a number of a small operation.
  int PartOf(int number) const { return static_cast<std::uint16_t>(number - first_); }
  int SmallPartOf(int seqno) const { return SmallPublished::Since(first_, seqno); }

 private:
  bool misbehaves(Mishap mishap, int part) const {
    return episode().mishap == mishap && episode().culprit == port_ && episode().at == part;
  }
  void PostLock(Cycle now, RedAction action, std::uint64_t within);
  void SendSegments(Cycle now);
  void SendShort(Cycle now);
  RedPacket SegmentPacket(int part) const;
  RedPacket ShortPacket(int part) const;
  RedPacket SmallPacket(int part) const;
  void MisbehaveFirst(Cycle now);
  bool Misbehave(Cycle now, int part);
  Cycle LockAnswered(Cycle now, const RedPacket& packet);
  Cycle TakeResult(Cycle now, const RedPacket& packet);
  Cycle TakeShort(Cycle now, int part);
  /// Returns the cycle in which the part was ready and forgets it; -1: the part is not under way.
  Cycle TakeReady(int part);
  void EndOfStreams(Cycle now);

  const TreeOperands& operands_;
  Phase phase_ = Phase::kDone;
  int first_ = 0;
  int next_short_ = 0;
  int sent_ = 0;  ///< segments or short operations of the episode
  int results_taken_ = 0;
  int finals_ = 0;   ///< operations whose last result has come
  int old_tag_ = 0;  ///< of the lock before
  int tries_ = 0;    ///< of this lock or unlock
  bool silent_ = false;
  Cycle lock_ready_ = 0;
  std::map<int, Cycle> ready_;  ///< parts without result, and when they were ready
};

}  // namespace tilefly::cosim
