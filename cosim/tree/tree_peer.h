// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/tree/red_outbox.h"
#include "cosim/tree/tree.h"
#include "generated/profile.h"
#include "golden/reduction/red_lanes.h"

namespace tilefly::cosim {

/// One end of a tree's link: which packets it sends and when (docs/blocks/reduction.md, Credits; reduction-trees.md).
/// Its behaviour follows from the packets that it got and from the seed. A bench takes packets from the outbox, and
/// hands over the packets that come; others judge these.
class TreePeer {
 public:
  struct Options {
    std::uint64_t seed = 1;
    std::uint64_t pace = 0;  ///< of the outbox
    Cycle late = 0;          ///< cycles by which CREDITs come too late, a planted fault
    int most_tries = 0;      ///< tries of a lock that is refused, after which the child waits for ever; 0: no limit
  };

  TreePeer(const Profile& profile, const Tree& tree, int port, const Options& options)
      : profile_(profile),
        tree_(tree),
        port_(port),
        options_(options),
        outbox_(options.seed, tree.group, port, options.pace) {}
  virtual ~TreePeer() = default;
  TreePeer(const TreePeer&) = delete;
  TreePeer& operator=(const TreePeer&) = delete;

  /// Starts an episode, whose first short operation has the number `first`.
  virtual void Begin(Cycle now, int first) = 0;
  /// A packet has come. Returns the cycle in which the own packet was ready that it answers, -1: there is none.
  virtual Cycle Received(Cycle now, const RedPacket& packet) = 0;
  /// The group has failed: packets that were not sent are dropped.
  virtual void Fail() { outbox_.Clear(); }
  /// Whether nothing is left to do.
  virtual bool done() const = 0;
  /// Number of the next short operation.
  virtual int next_short() const = 0;

  int port() const { return port_; }
  int group() const { return tree_.group; }
  RedOutbox& outbox() { return outbox_; }
  const RedOutbox& outbox() const { return outbox_; }
  std::uint32_t address() const { return tree_.peer(port_).address; }
  /// Lane of the packets that this peer sends.
  int lane() const { return port_ == tree_.parent ? kRedDownLane : kRedUpLane; }

 protected:
  bool is_node() const { return tree_.peer(port_).node; }
  RedPacket Packet(RedWhat what, int seq) const;
  /// Counts a CREDIT. A CREDIT of the lock before may come late.
  void TakeCredit(const RedPacket& packet) {
    if (packet.red.tag == tag_) credit_ += static_cast<std::uint8_t>(packet.red.credit - credit_);
  }
  /// For a node: it has launched `count` segments since the lock, the last one ending an operation if `ends`. A CREDIT
  /// says so; a lazy node sends it with the last segment, and when all credit is used.
  void TellCredit(Cycle now, int count, bool ends, bool lazy);
  bool MaySend(int segment) const { return segment < profile_.red_segments + credit_; }

  const Profile& profile_;
  const Tree& tree_;
  const int port_;
  const Options options_;
  RedOutbox outbox_;
  int tag_ = 0;     ///< of the lock
  int credit_ = 0;  ///< of the last CREDIT, unwrapped
  int told_ = 0;    ///< by the last CREDIT of its own
};

}  // namespace tilefly::cosim
