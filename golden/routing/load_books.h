// SPDX-License-Identifier: Apache-2.0
// ROUTE-3 of docs/blocks/routing.md, kept by somebody who sees the loads of every cycle: what the ring shows is
// compared with what was there when the epoch began.
#pragma once

#include <vector>

#include "golden/common/audit.h"
#include "golden/routing/load_ring.h"

namespace tilefly::golden {

class LoadBooks {
 public:
  LoadBooks(int ports, Cycle epoch_cycles) : epoch_cycles_(epoch_cycles), latest_(ports), before_(ports) {}

  /// Before the events of cycle `now`; from the first call on to be called in every cycle that has events.
  void Watch(Cycle now, const LoadRing& ring) {
    const Cycle epoch = (now + 1) / epoch_cycles_;
    if (seen_ == 0) epoch_ = epoch;
    seen_ = std::max(seen_, 1);
    if (epoch == epoch_) return;
    const bool next = epoch == epoch_ + 1;
    epoch_ = epoch;
    seen_ = next ? std::min(seen_ + 1, kAll) : kAll;
    before_.swap(latest_);
    for (std::size_t p = 0; p < latest_.size(); ++p)
      latest_[p] = std::min(ring.load(static_cast<int>(p)), LoadRing::kMaxShown);
    if (!next) before_ = latest_;
  }

  /// After the events of cycle `now`; of epochs whose begin was seen.
  void Check(Cycle now, LoadRing ring, Audit* audit) const {
    const bool of_latest = (now + LoadRing::kAhead) / epoch_cycles_ - 1 == epoch_;
    if (seen_ < (of_latest ? kAll - 1 : kAll)) return;
    for (std::size_t p = 0; p < latest_.size(); ++p) {
      const int port = static_cast<int>(p);
      const int shown = ring.Shown(now, port);
      audit->Require("ROUTE-3", shown == (of_latest ? latest_ : before_)[p], port, shown);
    }
  }

 private:
  static constexpr int kAll = 3;  ///< epochs of which two began under its eyes
  Cycle epoch_cycles_;
  Cycle epoch_ = 0;  ///< the latest that has begun
  int seen_ = 0;
  std::vector<int> latest_;
  std::vector<int> before_;
};

}  // namespace tilefly::golden
