// SPDX-License-Identifier: Apache-2.0
// Ports whose links are down, and what the load ring shows of them to inputs (docs/blocks/link_retry.md, Who knows when).
//
// In closed form, as LoadRing: the masks of the last two epochs are rolled on when a mask changes or is asked for.
#pragma once

#include "golden/common/stage_times.h"
#include "golden/common/types.h"

namespace tilefly::golden {

/// Cycles from the one in which a link comes up to the first trigger of a packet that is sure to see it up, with load
/// epochs of so many cycles.
constexpr Cycle LinkUpToTrigger(Cycle epoch_cycles) {
  return 2 * epoch_cycles - 1 + kEventToLoad - (kWireToEvent + kLookUpToRouting);
}

class DownPorts {
 public:
  explicit DownPorts(Cycle epoch_cycles) : epoch_cycles_(epoch_cycles) {}

  /// Event of cycle `now`: these ports show `down` from now on.
  void Set(Cycle now, PortMask down) {
    if (down == down_) return;
    Roll(now);
    down_ = down;
    any_ = true;
  }

  /// The ports that decisions of cycle `now` + kLookUpToRouting see as down. It is asked for in cycle `now`.
  PortMask Shown(Cycle now) {
    if (!any_) return 0;
    Roll(now);
    any_ = (down_ | latest_ | before_) != 0;
    return (now + kLookUpToRouting) / epoch_cycles_ > epoch_ ? latest_ : before_;
  }

  /// For an input port that runs by itself: sets what decisions of cycle `now` + kLookUpToRouting see.
  void Tell(Cycle now, PortMask shown) {
    if (shown == 0 && !any_) return;
    Roll(now);
    down_ = latest_ = before_ = shown;
    any_ = true;
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(any_, down_, latest_, before_, epoch_);
  }

 private:
  /// Before anything changes in cycle `now`: epochs that begin before the change counts have the mask of now.
  void Roll(Cycle now) {
    const Cycle epoch = (now + kEventToLoad - 1) / epoch_cycles_;
    if (epoch == epoch_) return;
    before_ = epoch_ + 1 == epoch ? latest_ : down_;
    latest_ = down_;
    epoch_ = epoch;
  }

  Cycle epoch_cycles_;
  bool any_ = false;  ///< some mask has a port
  PortMask down_ = 0;
  PortMask latest_ = 0;  ///< of epoch `epoch_`
  PortMask before_ = 0;  ///< of the epoch before
  Cycle epoch_ = 0;      ///< the latest that has begun
};

}  // namespace tilefly::golden
