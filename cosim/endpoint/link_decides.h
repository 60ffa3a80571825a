// SPDX-License-Identifier: Apache-2.0
// Who takes a link down and up (docs/blocks/link_retry.md, Link down, "The link decides").
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "golden/common/cycle.h"

namespace tilefly::cosim {

class LinkDecides {
 public:
  /// A link of `delay` cycles in a switch whose longest packet has `mtu_words` words. It is down until `Raise`.
  LinkDecides(int delay, int mtu_words) : delay_(delay), least_(2 * delay + 4 * mtu_words + 16) {}

  /// DOWN_MIN: the shortest time that a link is down.
  Cycle least_down() const { return least_; }
  /// How long a link is down that a port gave up; DOWN_MIN when that is longer.
  void Retrain(Cycle retrain) { retrain_ = retrain; }

  /// `link_up_i` of end `i` in cycle `c`, of which the caller has told all that came before.
  bool up(std::size_t i, Cycle c) const { return !raised_ ? false : c < down_[i] || c >= up_; }
  /// Whether both ends are up in cycle `c`.
  bool works(Cycle c) const { return up(0, c) && up(1, c); }
  /// The link is up for the first time in cycle `c`.
  void Raise() { raised_ = true; }
  /// Somebody takes the link down in cycle `c`, for `time` cycles at least, or until BringUp (kNever): both ends see it in
  /// that cycle.
  void TakeDown(Cycle c, Cycle time = 0) {
    const Cycle end = time == kNever ? kNever : c + time;
    Down({c, c}, c, time);
    up_ = std::max(up_, end);
  }
  /// Somebody wants the link up in cycle `c`: a link that is down comes up then, or when DOWN_MIN is over. Returns the cycle;
  /// -1: the link is not down.
  Cycle BringUp(Cycle c) {
    if (!raised_ || c >= up_) return -1;
    up_ = std::max(c, Begin() + least_);
    return up_;
  }
  /// End `i` shows `link_fail_o` in cycle `c`. Returns whether it gives the link up by that.
  bool Fails(std::size_t i, Cycle c) {
    if (!up(i, c) || down_[i] == c + 1) return false;
    ++given_up_[i];
    std::array<Cycle, 2> from{c + 1 + delay_, c + 1 + delay_};
    from[i] = c + 1;
    Down(from, c, retrain_);
    return true;
  }
  /// The cycle in which a link that is down, or goes down, comes up; kNever: it waits for BringUp.
  Cycle comes_up() const { return up_; }
  /// Times that an end has given the link up.
  int given_up(std::size_t i) const { return given_up_[i]; }
  /// Times that the link went down.
  int downs() const { return downs_; }

 private:
  /// The first cycle of the two with a link down.
  Cycle Begin() const { return std::min(down_[0], down_[1]); }
  void Down(const std::array<Cycle, 2>& from, Cycle c, Cycle time) {
    const bool was_up = c > up_;  // else one end is down and the other one is told, or the link comes up in this cycle
    if (was_up) {
      down_ = from;
      ++downs_;
    } else {
      for (std::size_t i = 0; i < 2; ++i) down_[i] = std::min(down_[i], from[i]);
    }
    const Cycle end = time == kNever ? kNever : Begin() + std::max(least_, time);
    up_ = std::max(was_up ? 0 : up_, end);
  }

  const Cycle delay_;
  const Cycle least_;
  Cycle retrain_ = 0;
  bool raised_ = false;
  std::array<Cycle, 2> down_{};  ///< of each end, the latest link down
  Cycle up_ = 0;                 ///< of both ends, behind it
  std::array<int, 2> given_up_{};
  int downs_ = 0;
};

}  // namespace tilefly::cosim
