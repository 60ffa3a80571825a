// SPDX-License-Identifier: Apache-2.0
// Checker of ROUTE-3 of docs/blocks/routing.md. It watches the loads of every cycle, and compares the loads that the
// ring shows with those at the begin of the epoch. It is a judge, so the cycle from which on a load counts is written
// apart from golden/common/stage_times.h.
#pragma once

#include <vector>

#include "generated/profile.h"
#include "golden/common/audit.h"
#include "golden/routing/load_ring.h"

namespace tilefly::golden {

class LoadChecker {
 public:
  explicit LoadChecker(const Profile& profile)
      : epoch_cycles_(profile.load_epoch_cycles),
        neighbour_epochs_(profile.neighbour_epochs),
        latest_(profile.ports),
        before_(profile.ports),
        neighbours_(profile.ports) {}

  /// Event of the cycle that is watched: an ack brings the load of the port's neighbour.
  void Heard(int port, int load) { neighbours_[port] = {load, -1}; }

  /// Watches the loads before the events of cycle `now`. From the first call on it must be called in every cycle that
  /// has events.
  void Watch(Cycle now, const LoadRing& ring) {
    const Cycle epoch = (now + 1) / epoch_cycles_;
    if (seen_ == 0) Begin(epoch, ring);
    const Cycle passed = epoch - epoch_;
    if (passed == 0) return;
    epoch_ = epoch;
    seen_ = passed == 1 ? std::min(seen_ + 1, kAll) : kAll;
    if (passed > 1) Sample(passed - 1, ring);
    before_.swap(latest_);
    Sample(1, ring);
  }

  /// Checks after the events of cycle `now`, when the begin of the epoch was seen.
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
  /// What the last ack brought, and how many epochs began since, less one.
  struct Neighbour {
    int load = 0;
    Cycle age = 0;
  };

  void Begin(Cycle epoch, const LoadRing& ring) {
    epoch_ = epoch;
    seen_ = 1;
    for (std::size_t p = 0; p < neighbours_.size(); ++p) {
      const LoadRing::Neighbour known = ring.neighbour(static_cast<int>(p));
      neighbours_[p] = {static_cast<int>(known.load), epoch - (Cycle{known.expires} - neighbour_epochs_)};
    }
  }
  /// What the ring is to show of the loads of now, when so many epochs have begun since the latest.
  void Sample(Cycle epochs, const LoadRing& ring) {
    for (std::size_t p = 0; p < latest_.size(); ++p) {
      Neighbour& neighbour = neighbours_[p];
      neighbour.age += epochs;
      const int heard = neighbour.age < neighbour_epochs_ ? neighbour.load : 0;
      latest_[p] = std::min(ring.load(static_cast<int>(p)) + heard, LoadRing::kMaxShown);
    }
  }

  Cycle epoch_cycles_;
  Cycle neighbour_epochs_;
  Cycle epoch_ = 0;  ///< the latest that has begun
  int seen_ = 0;
  std::vector<int> latest_;
  std::vector<int> before_;
  std::vector<Neighbour> neighbours_;
};

}  // namespace tilefly::golden
