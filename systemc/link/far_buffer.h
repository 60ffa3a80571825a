// SPDX-License-Identifier: Apache-2.0
// The attempts that the receiver at the far end of a link with retry holds, for their credits (docs/systemc.md, Link
// down; docs/blocks/link_retry.md, Credits).
//
// When a link comes up again, the receiver's first return of a lane says how many cells it holds of before. Cells that
// go free later come back one by one.
#pragma once

#include <unordered_map>
#include <vector>

#include "systemc/fabric/packet.h"
#include "systemc/link/link_user.h"

namespace tilefly::systemc {

class FarBuffer {
 public:
  /// An attempt that the receiver held.
  struct Attempt {
    int vl;
    int cells;
    bool broken;  ///< it is the copy of one that broke off
    int era;      ///< of the link
  };
  /// Cells that went free.
  struct Freed {
    Cycle wire;  ///< of the control slot that would tell of them, at the receiver
    int vl;
    int cells;
  };

  /// The receiver gets an attempt.
  void Begin(const fabric::Packet& packet, int vl, int cells, bool broken) {
    attempts_.emplace(&packet, Attempt{vl, cells, broken, era_});
  }
  bool IsBroken(const fabric::Packet& packet) const {
    const auto found = attempts_.find(&packet);
    return found != attempts_.end() && found->second.broken;
  }
  /// The receiver frees the cells of an attempt, told of in the slot of cycle `wire`. Returns whether its credits come
  /// back by a return of their own; if not, Resync says what becomes of them.
  bool End(const fabric::Packet& packet, Cycle wire) {
    const auto found = attempts_.find(&packet);
    const Attempt attempt = found->second;
    attempts_.erase(found);
    if (attempt.era == era_) return true;
    before_[static_cast<std::size_t>(attempt.vl)] -= attempt.cells;
    if (synced_) return true;
    freed_.push_back({wire, attempt.vl, attempt.cells});
    return false;
  }

  /// The link goes down: what the receiver holds is of before.
  void Down() {
    ++era_;
    synced_ = false;
    before_ = {};
    for (const auto& [packet, attempt] : attempts_) before_[static_cast<std::size_t>(attempt.vl)] += attempt.cells;
  }
  /// The first returns of a link that is up again, of which that of lane v is in the slot of cycle `first` + v at the
  /// receiver: cells of each lane that they tell. Calls `later(freed)` for those that went free behind its slot.
  template <typename Later>
  LinkUser::Cells Resync(Cycle first, Later&& later) {
    synced_ = true;
    LinkUser::Cells held = before_;
    for (const Freed& freed : freed_) {
      if (freed.wire <= first + freed.vl) continue;
      held[static_cast<std::size_t>(freed.vl)] += freed.cells;
      later(freed);
    }
    freed_.clear();
    return held;
  }

 private:
  std::unordered_map<const fabric::Packet*, Attempt> attempts_;
  LinkUser::Cells before_{};   ///< cells of attempts that came before the link went down, by lane
  std::vector<Freed> freed_;   ///< of them, those that went free since, until Resync
  int era_ = 0;                ///< times that the link has gone down
  bool synced_ = true;         ///< the receiver has told what it holds, since the link came up
};

}  // namespace tilefly::systemc
