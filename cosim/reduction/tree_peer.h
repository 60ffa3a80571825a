// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>

#include "cosim/reduction/tree_results.h"

namespace tilefly::cosim {

/// What the peer behind one port has to send for one group: packets in order, each at its time.
class RedOutbox {
 public:
  /// Behind what is there, some cycles from now, drawn.
  void Post(Cycle now, RedPacket packet) {
    last_ = std::max(last_, now + 1 + static_cast<Cycle>(random_.Below(pace_)));
    waiting_.push_back({last_, std::move(packet), false});
  }
  /// The same, and it ends badly.
  void PostDamaged(Cycle now, RedPacket packet) {
    Post(now, std::move(packet));
    waiting_.back().damaged = true;
  }
  /// Later by up to `cycles`.
  void PostLater(Cycle now, std::uint64_t cycles, RedPacket packet) {
    Post(now + static_cast<Cycle>(random_.Below(cycles)), std::move(packet));
  }

  struct Item {
    Cycle at;
    RedPacket packet;
    bool damaged;
  };
  const Item* Next(Cycle now) const { return waiting_.empty() || waiting_.front().at > now ? nullptr : &waiting_.front(); }
  void Pop() { waiting_.pop_front(); }
  void Clear() { waiting_.clear(); }
  bool empty() const { return waiting_.empty(); }
  Stream& random() { return random_; }

  RedOutbox(std::uint64_t seed, int group, int port)
      : random_(seed, static_cast<std::uint32_t>(group << 8 | port), 1, Purpose::kReduction),
        pace_(1 + random_.Below(4) * random_.Below(100)) {}

 private:
  Stream random_;
  std::uint64_t pace_;  ///< cycles within which a packet follows
  std::deque<Item> waiting_;
  Cycle last_ = 0;
};

/// One end of a tree's link: keeps the protocol (docs/blocks/reduction.md, Credits; reduction-trees.md), and compares what
/// comes with what should.
class TreePeer {
 public:
  TreePeer(const SwitchSetup& setup, const Tree& tree, int port, std::uint64_t seed, TreeResults* results)
      : setup_(setup), tree_(tree), port_(port), results_(*results), outbox_(seed, tree.group, port) {}
  virtual ~TreePeer() = default;
  TreePeer(const TreePeer&) = delete;
  TreePeer& operator=(const TreePeer&) = delete;

  /// An episode begins; its first short operation has the number `first`.
  virtual void Begin(Cycle now, const Episode& episode, int first) = 0;
  /// Throws CheckFailure.
  virtual void Received(Cycle now, const RedPacket& packet) = 0;
  virtual bool done() const = 0;
  /// Number of the next short operation.
  virtual int next_short() const = 0;

  int port() const { return port_; }
  RedOutbox& outbox() { return outbox_; }
  /// Lane of what it sends.
  int lane() const { return port_ == tree_.parent ? kRedDownLane : kRedUpLane; }

 protected:
  const Profile& profile() const { return setup_.profile(); }
  bool is_node() const { return tree_.peers[static_cast<std::size_t>(port_)].node; }
  RedPacket Packet(RedWhat what, int seq) const;
  /// A packet that came is what it should be: all of `red`, and the bytes.
  void Expect(Cycle now, const RedPacket& packet, const RedPacket& expected) const;
  [[noreturn]] void Fail(Cycle now, const std::string& what) const;
  /// Counts a CREDIT; one of the lock before may come late.
  void TakeCredit(const RedPacket& packet) {
    if (packet.red.tag == tag_) credit_ += static_cast<std::uint8_t>(packet.red.credit - credit_);
  }
  /// Of a node: it has launched `count` segments since the lock, the last one of an operation if `ends`. A CREDIT says so,
  /// of a lazy episode with the last one, and when all credit is used.
  void TellCredit(Cycle now, int count, bool ends);
  bool MaySend(int segment) const { return segment < profile().red_segments + credit_; }

  const SwitchSetup& setup_;
  const Tree& tree_;
  const int port_;
  TreeResults& results_;
  RedOutbox outbox_;
  Episode episode_;
  int first_ = 0;   ///< number of the episode's first short operation
  int tag_ = 0;     ///< of the lock
  int credit_ = 0;  ///< of the last CREDIT, unwrapped
  int told_ = 0;    ///< by the last CREDIT of its own
};

}  // namespace tilefly::cosim
