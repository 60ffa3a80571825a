// SPDX-License-Identifier: Apache-2.0
// Checker of LSV-1 and LSV-2 of docs/blocks/link_retry.md. It watches both ends of one link of retry ports, and knows where
// each cell is, those that the wire has lost among them.
#pragma once

#include <array>

#include "golden/common/audit.h"
#include "golden/credit/receiver_healing.h"

namespace tilefly::golden {

class HealingChecker {
 public:
  /// The sender grants a packet; it is taken to the link; it is taken and discarded, as the link is down.
  void Granted(int v, int cells) { lanes_[v].inside += cells; }
  void Taken(int v, int cells) {
    lanes_[v].inside -= cells;
    lanes_[v].waiting += cells;
  }
  void Discarded(int v, int cells) { lanes_[v].inside -= cells; }
  /// An attempt starts on the wire; `again`: it is not the packet's first.
  void Started(int v, int cells, bool again) {
    if (!again) lanes_[v].waiting -= cells;
    lanes_[v].wire += cells;
  }
  /// The receiver's MAC takes an attempt's first word, or the event's cycle goes by without it. `counts`: the sender's
  /// link has not been down since its start.
  void Arrived(int v, int cells, bool counts) {
    if (counts) lanes_[v].wire -= cells;
    lanes_[v].resident += cells;
  }
  void Lost(int v, int cells, bool counts) {
    if (!counts) return;
    lanes_[v].wire -= cells;
    lanes_[v].lost += cells;
  }
  /// Cells leave the receiver's buffer.
  void Freed(int v, int cells) {
    lanes_[v].resident -= cells;
    lanes_[v].freed += cells;
  }
  /// A stamp gives lost cells back.
  void Healed(int v, int cells) {
    lanes_[v].lost -= cells;
    lanes_[v].freed += cells;
  }
  /// The sender accepts a return with the cumulative count `count`; `first`: the lane's first since link up.
  void Home(int v, std::uint16_t count, bool first) {
    lanes_[v].returned = count;
    if (first) lanes_[v].agree = true;
  }
  /// `link_up_i` of the sender is 0: what is taken and not arrived is gone.
  void SenderDown() {
    for (Lane& lane : lanes_) {
      lane.waiting = lane.wire = lane.lost = 0;
      lane.agree = false;
    }
  }
  /// `link_up_i` of the receiver is 0.
  void ReceiverDown() {
    for (Lane& lane : lanes_) {
      lane.freed = -lane.resident;
      lane.agree = false;
    }
  }

  int lost(int v) const { return lanes_[v].lost; }
  int resident(int v) const { return lanes_[v].resident; }

  /// Checks LSV-1 of every lane that is known, as an equality while neither end has been down since, and LSV-2.
  void Check(const CreditSender& sender, const SenderHealing& sends, const CreditReturner& returner,
             const ReceiverHealing& receives, Audit* audit) const {
    for (int v = 0; v < kMaxLanes; ++v) {
      const Lane& lane = lanes_[v];
      const auto returning = static_cast<std::uint16_t>(lane.freed - lane.returned);
      const int used = sender.used(v);
      const bool places = lane.inside >= 0 && lane.waiting >= 0 && lane.wire >= 0 && lane.resident >= 0;
      audit->Require("LSV-1", places && (!lane.agree || lane.lost >= 0), v, lane.lost);
      audit->Require("LSV-1", sends.inside(v) == lane.inside, v, sends.inside(v));
      audit->Require("LSV-1", !sends.known(v) || used >= lane.inside + lane.resident, v, used);
      const int out = lane.inside + lane.waiting + lane.wire + lane.lost + lane.resident + returning;
      audit->Require("LSV-1", !lane.agree || used == out, v, used - out);
      const auto held = static_cast<std::uint16_t>(receives.taken(v) - returner.freed(v));
      audit->Require("LSV-2", held == static_cast<std::uint16_t>(lane.resident), v, held);
    }
  }

 private:
  /// Cells of a lane.
  struct Lane {
    int inside = 0;    ///< granted and not taken
    int waiting = 0;   ///< taken and never sent
    int wire = 0;      ///< of attempts on the wire
    int lost = 0;      ///< of attempts that never began, and not given back
    int resident = 0;  ///< in the receiver's buffer
    int freed = 0;     ///< what the receiver's count should be, modulo 65536
    std::uint16_t returned = 0;  ///< count of the last return that was accepted
    bool agree = true;           ///< neither end has been down since the lane is known
  };
  std::array<Lane, kMaxLanes> lanes_{};
};

}  // namespace tilefly::golden
