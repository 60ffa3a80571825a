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
  /// Cells of lane `v` that are in flight or in the receiver's buffer.
  int resident(int v) const { return resident_[v]; }
  /// Cells of lane `v` freed since reset, modulo 65536.
  std::uint16_t freed(int v) const { return freed_[v]; }

  /// The sender grants a packet of `cells` cells on lane `v`.
  void Granted(int v, int cells) { resident_[v] += cells; }
  /// The receiver frees `cells` cells of lane `v`.
  void Freed(int v, int cells) {
    resident_[v] -= cells;
    returning_[v] += cells;
    freed_[v] = static_cast<std::uint16_t>(freed_[v] + cells);
  }
  /// The sender learns that `cells` cells of lane `v` were freed.
  void Home(int v, int cells) { returning_[v] -= cells; }
  /// The receiver sent the cumulative count `count`, whatever it had freed, and the sender accepted it. From then on
  /// the sender counts `used` cells as used.
  void Restart(int v, std::uint16_t count, int used) {
    resident_[v] = used;
    returning_[v] = 0;
    freed_[v] = count;
  }

  /// Checks CRED-1 for every lane.
  void Check(const CreditSender& sender, Audit* audit) const {
    for (int v = 0; v < kMaxLanes; ++v) {
      audit->Require("CRED-1", resident_[v] >= 0 && returning_[v] >= 0, v, std::min(resident_[v], returning_[v]));
      audit->Require("CRED-1", sender.used(v) == resident_[v] + returning_[v], v, sender.used(v));
    }
  }
  /// Checks CRED-3. Call it after the drain.
  static void CheckHome(const CreditSender& sender, int port, Audit* audit) {
    for (int v = 0; v < kMaxLanes; ++v) audit->Require("CRED-3", sender.used(v) == 0, port, sender.used(v));
  }

 private:
  std::array<int, kMaxLanes> resident_{};
  std::array<int, kMaxLanes> returning_{};  ///< freed cells of which the sender does not know yet
  std::array<std::uint16_t, kMaxLanes> freed_{};
};

}  // namespace tilefly::golden
