// SPDX-License-Identifier: Apache-2.0
// Checker of CRED-1 and CRED-3 of docs/blocks/credit.md. It watches both ends of one link, and knows where its cells
// are.
#pragma once

#include <algorithm>
#include <array>

#include "golden/common/audit.h"
#include "golden/credit/credit_sender.h"

namespace tilefly::golden {

class CreditChecker {
 public:
  /// Cells in flight or in the receiver's buffer.
  int resident(int v) const { return resident_[v]; }
  /// Cumulative count of the cells freed.
  std::uint16_t freed(int v) const { return freed_[v]; }

  /// The sender granted `cells`.
  void Granted(int v, int cells) { resident_[v] += cells; }
  /// The receiver freed `cells`.
  void Freed(int v, int cells) {
    resident_[v] -= cells;
    returning_[v] += cells;
    freed_[v] = static_cast<std::uint16_t>(freed_[v] + cells);
  }
  /// The sender has come to know of `cells`.
  void Home(int v, int cells) { returning_[v] -= cells; }
  /// The receiver said `count`, whatever it had freed, and the sender took it: `used` cells are out from then on.
  void Restart(int v, std::uint16_t count, int used) {
    resident_[v] = used;
    returning_[v] = 0;
    freed_[v] = count;
  }

  /// CRED-1 of every lane.
  void Check(const CreditSender& sender, Audit* audit) const {
    for (int v = 0; v < kMaxLanes; ++v) {
      audit->Require("CRED-1", resident_[v] >= 0 && returning_[v] >= 0, v, std::min(resident_[v], returning_[v]));
      audit->Require("CRED-1", sender.used(v) == resident_[v] + returning_[v], v, sender.used(v));
    }
  }
  /// CRED-3, after the drain.
  static void CheckHome(const CreditSender& sender, int port, Audit* audit) {
    for (int v = 0; v < kMaxLanes; ++v) audit->Require("CRED-3", sender.used(v) == 0, port, sender.used(v));
  }

 private:
  std::array<int, kMaxLanes> resident_{};
  std::array<int, kMaxLanes> returning_{};  ///< freed, the sender does not know it yet
  std::array<std::uint16_t, kMaxLanes> freed_{};
};

}  // namespace tilefly::golden
