// SPDX-License-Identifier: Apache-2.0
// The queues of a sender, one for each class or lane: the packet in front holds back those of its own queue only.
// Traffic is a stream whose packets are functions of their numbers, so no packet is stored: a queue is the position of
// its first packet, and all of them share how far the stream was looked through. What stands between is found again.
#pragma once

#include <array>
#include <cstdint>

namespace tilefly {

/// `Position`: of a packet in the stream, with its `number`, which grows by one from a packet to the next.
template <typename Position, int kQueues>
class StreamQueues {
 public:
  /// Sets of queues, a bit each.
  using Mask = std::uint32_t;
  static_assert(kQueues <= 32);

  static constexpr Mask Bit(int queue) { return Mask{1} << queue; }

  StreamQueues() = default;
  explicit StreamQueues(const Position& begin) : next_(begin) {}

  /// Queues that have a first packet.
  Mask waiting() const { return waiting_; }
  /// Of a queue that has one.
  const Position& first(int queue) const { return first_[queue]; }
  /// The first packet that nobody has looked at.
  const Position& next() const { return next_; }

  /// Looks at packet `next`, which is of `queue`, and goes on to the one after it by `advance(&position)`.
  template <typename Advance>
  void Look(int queue, Advance&& advance) {
    if ((waiting_ & Bit(queue)) == 0) first_[queue] = next_;
    waiting_ |= Bit(queue);
    advance(&next_);
  }

  /// The first packet of `queue` has gone; the next one is looked for by `queue_of(position)`.
  template <typename QueueOf, typename Advance>
  void Pop(int queue, QueueOf&& queue_of, Advance&& advance) {
    Position& at = first_[queue];
    do {
      if (at.number + 1 == next_.number) {
        waiting_ &= ~Bit(queue);
        return;
      }
      advance(&at);
    } while (queue_of(at) != queue);
  }

  /// The first packet that has not gone, whatever its queue.
  const Position& oldest() const {
    const Position* oldest = &next_;
    for (int queue = 0; queue < kQueues; ++queue) {
      if ((waiting_ & Bit(queue)) != 0 && first_[queue].number < oldest->number) oldest = &first_[queue];
    }
    return *oldest;
  }
  /// The packet at `position`, which is of `queue`, has gone.
  bool Gone(const Position& position, int queue) const {
    if (position.number >= next_.number) return false;
    return (waiting_ & Bit(queue)) == 0 || position.number < first_[queue].number;
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(first_, waiting_, next_);
  }

 private:
  std::array<Position, kQueues> first_{};
  Mask waiting_ = 0;
  Position next_{};
};

}  // namespace tilefly
