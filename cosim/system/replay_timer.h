// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cosim/endpoint/attempt_laws.h"
#include "generated/registers.h"

namespace tilefly::cosim {

/// The replay timer and the replay limit of a sending half (docs/blocks/retry.md, Sender, rules 5, 9 and 10), as far as
/// they follow from what the link and the observation record of the port show. The half makes a cycle in each Step.
class ReplayTimer {
 public:
  /// What the half hears and does in a cycle.
  struct Events {
    bool reports = false, nack = false;  ///< a report, and whether it asks for a replay
    std::uint16_t seq = 0;               ///< its number
    bool masks = false;                  ///< a mask of SerDes lanes, `bad`
    unsigned bad = 0;
    int lanes = 4;          ///< in use
    bool replays = false;   ///< a replay begins
    std::uint16_t top = 0;  ///< before it all were sent whole when the cycle began
  };

  /// `lanes`: of the cable.
  explicit ReplayTimer(int lanes) : cable_((1u << lanes) - 1) {}

  /// An attempt has started; another one, or a replay, may begin from cycle `free` on.
  void Starts(Cycle free) { free_ = free; }
  /// Makes cycle `now`. Returns whether the timer runs out.
  bool Step(Cycle now, const PortRetry& registers, const Events& events) {
    const bool waits = heard_ != events.top, failed = failed_;
    const bool own = Nacks(events);
    if (!failed && now >= free_) {
      failed_ = pending_ && waits && replays_ == registers.limit && registers.limit != kNoLimit;
      pending_ = false;
    }
    if (events.replays && replays_ < kNoLimit - 1) ++replays_;
    const bool progress = events.reports && events.seq != heard_;
    if (progress) replays_ = 0;
    if (events.reports) heard_ = events.seq;
    pending_ = pending_ || own || (events.reports && events.nack);
    if (failed_ || events.replays || progress || !waits) {
      timer_ = 0;
      return false;
    }
    if (timer_ < registers.timer) return ++timer_, false;
    timer_ = 0;
    pending_ = true;
    return true;
  }
  /// The latest report.
  std::uint16_t heard() const { return heard_; }
  /// The link is down: all begins anew.
  void LinkDown() {
    free_ = 0;
    heard_ = 0;
    pending_ = failed_ = again_ = false;
    timer_ = replays_ = 0;
    avoid_ = 0;
  }

 private:
  static constexpr int kNoLimit = 255;

  /// Whether the half nacks for itself, because a SerDes lane has died (docs/blocks/link_retry.md, SerDes lanes).
  bool Nacks(const Events& events) {
    const unsigned wanted = cable_ & ~avoid_;
    const int count = wanted == 0 ? 1 : __builtin_popcount(wanted);
    const bool nacks = again_ && events.lanes == count && !events.reports;
    if (nacks) again_ = false;
    if (events.masks) {
      again_ = again_ || (events.bad & ~avoid_ & cable_) != 0;
      avoid_ = events.bad;
    }
    return nacks;
  }

  const unsigned cable_;
  Cycle free_ = 0;
  std::uint16_t heard_ = 0;
  int timer_ = 0;
  int replays_ = 0;  ///< without progress
  bool pending_ = false, failed_ = false;
  unsigned avoid_ = 0;
  bool again_ = false;
};

}  // namespace tilefly::cosim
