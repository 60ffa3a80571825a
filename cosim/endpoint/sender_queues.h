// SPDX-License-Identifier: Apache-2.0
// The frames that a sender has taken from its source and not started: the first frame of each queue, and which of them
// is next (docs/cosimulation.md, Queues of a sender).
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "cosim/setup/frame_source.h"

namespace tilefly::cosim {

/// What held a frame back at its sender, in cycles.
struct StartWait {
  Cycle taken = 0;        ///< when the sender took it from its source: its time had come, and the link was free
  Cycle down_before = 0;  ///< before that the free link was down
  Cycle down = 0;         ///< since then it was
  Cycle passed = 0;       ///< in which frames that came later to their turn, of other queues, had the link
  Cycle blocked = 0;      ///< for want of credits, or in a PAUSE; what is left is a stall of the endpoint
  Cycle throttled = 0;    ///< in a pause of its flow, with credits
};

/// Why a frame may not start.
enum class HeldBack { kNo, kByLink, kByPauseOfFlow };

class SenderQueues {
 public:
  struct Waiting {
    FramePtr frame;
    Cycle not_before = 0;  ///< stall of its start
    StartWait wait;
  };

  /// `by_lane`: each lane has a queue; else there is one queue for all frames.
  explicit SenderQueues(bool by_lane) : by_lane_(by_lane) {}

  bool empty() const { return waiting_ == 0; }
  /// Lanes that have a frame and need no other. With one queue the mask is empty when a frame is needed.
  LaneMask lanes() const { return waiting_; }
  bool full() const { return !by_lane_ && !empty(); }
  /// Adds the first frame of its queue.
  void Add(FramePtr frame, Cycle not_before, const StartWait& wait);

  /// The frame that starts in cycle `now`, chosen from the frames that `blocked(frame)`, a HeldBack, does not hold back; null: none
  /// starts. If none starts, the cycle is counted for the frames that are held back. `*held` becomes whether there were
  /// such frames.
  template <typename Blocked>
  Waiting Take(Cycle now, Blocked&& blocked, bool* held);
  /// A cycle in which the free link is down.
  void Down();
  /// Another frame keeps the link for `cycles` cycles.
  void Pass(Cycle cycles);

 private:
  static constexpr int kLanes = 16;
  static constexpr int kClasses = 8;

  int IndexOf(const Frame& frame) const { return by_lane_ && frame.enh ? frame.header.vl : 0; }
  /// The smaller the rank, the earlier the turn: packets of reductions first, then by class, then by lane.
  int Rank(const Frame& frame) const;
  template <typename Visit>
  void ForEach(Visit&& visit) {
    for (int lane = 0; waiting_ >> lane != 0; ++lane) {
      if ((waiting_ >> lane & 1) != 0) visit(first_[static_cast<std::size_t>(lane)]);
    }
  }

  const bool by_lane_;
  LaneMask waiting_ = 0;
  std::array<Waiting, kLanes> first_;
  int next_class_ = 0;
  std::array<std::uint8_t, kClasses> next_lane_{};  ///< by class
};

template <typename Blocked>
SenderQueues::Waiting SenderQueues::Take(Cycle now, Blocked&& blocked, bool* held) {
  Waiting* next = nullptr;
  LaneMask held_lanes = 0, throttled = 0;
  ForEach([&](Waiting& one) {
    const HeldBack why = blocked(*one.frame);
    if (why == HeldBack::kByPauseOfFlow) throttled |= LaneMask{1} << IndexOf(*one.frame);
    if (why != HeldBack::kNo) held_lanes |= LaneMask{1} << IndexOf(*one.frame);
    else if (now >= one.not_before && (next == nullptr || Rank(*one.frame) < Rank(*next->frame))) next = &one;
  });
  *held = held_lanes != 0;
  if (next == nullptr) {
    ForEach([&](Waiting& one) {
      one.wait.blocked += (held_lanes & ~throttled) >> IndexOf(*one.frame) & 1;
      one.wait.throttled += throttled >> IndexOf(*one.frame) & 1;
    });
    return {};
  }
  const Frame& frame = *next->frame;
  waiting_ &= ~(LaneMask{1} << IndexOf(frame));
  next_class_ = (frame.header.tc + 1) % kClasses;
  next_lane_[frame.header.tc % kClasses] = static_cast<std::uint8_t>((frame.header.vl + 1) % kLanes);
  return std::exchange(*next, {});
}

}  // namespace tilefly::cosim
