// SPDX-License-Identifier: Apache-2.0
// The crossbars with arbitration (docs/blocks/crossbar.md), whole: row buses, turn tiles, column channels, receivers.
// A message that leaves in T and meets no other arrives in T + 8. Messages are 32-bit words of the user.
//
// Nothing comes back from a crossbar to its senders, so what happens in it is computed as soon as it is certain, not when it
// happens: all that leaves in cycle T is known in T, and with it the turn tiles' decisions of cycle T + 2 and the receivers'
// of cycle T + 7. Call order in a cycle: Leave for every message that leaves, then Arbitrate, then Deliver.
#pragma once

#include <algorithm>

#include "golden/common/delay_line.h"
#include "golden/common/stage_times.h"
#include "golden/crossbar/fifo_arbiters.h"

namespace tilefly::golden {

/// Row bus and turn tiles: one arbiter for each (row of the source, destination).
class TurnStage {
 public:
  /// With `bounded`, a message that finds its fifo full is lost. Without it, the senders have no more messages under
  /// way than a fifo holds.
  TurnStage(const Profile& profile, const Geometry& geometry, bool bounded = false)
      : geometry_(geometry),
        depth_(profile.request_credits * profile.vls),
        port_bits_(BitsFor(profile.ports)),
        arbiters_(profile.rows << port_bits_, profile.row_in, bounded ? depth_ : FifoArbiters::kNoLimit) {}

  /// `message` leaves `source` for `destination`. Returns false when the message is lost.
  bool Leave(int source, int destination, std::uint32_t message) {
    return arbiters_.Insert(geometry_.row[source] << port_bits_ | destination, geometry_.input[source], message);
  }
  /// Makes the decisions of the cycle that is kLeaveToTurn cycles after the leave cycle. Calls `visit(row, destination,
  /// message)` for each winner.
  template <typename Visit>
  void Arbitrate(Visit&& visit) {
    arbiters_.Decide([&](int arbiter, std::uint32_t message) {
      visit(arbiter >> port_bits_, arbiter & ((1 << port_bits_) - 1), message);
    });
  }
  void Prefetch() const { arbiters_.Prefetch(); }
  bool active() const { return arbiters_.active(); }
  /// Checks XBAR-2 for the turn fifos.
  void Check(Audit* audit) const { arbiters_.Check(depth_, audit); }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(arbiters_);
  }

 private:
  /// Bits of the numbers below `count`.
  static int BitsFor(int count) {
    int bits = 0;
    while (1 << bits < count) ++bits;
    return bits;
  }

  const Geometry& geometry_;
  int depth_;
  int port_bits_;  ///< of a destination in an arbiter's number
  FifoArbiters arbiters_;
};

/// The crossbar of requests. Every row writes a store of its own at the output, so a request arrives right after its
/// turn.
class RequestCrossbar {
 public:
  RequestCrossbar(const Profile& profile, const Geometry& geometry) : turn_(profile, geometry) {}

  void Leave(int source, int destination, std::uint32_t message) { turn_.Leave(source, destination, message); }
  /// Makes the decisions for leave cycle `leave`, when all its messages have left. If the crossbar is active, a message
  /// will arrive in `leave` + kCrossing.
  void Arbitrate(Cycle leave) {
    turn_.Arbitrate([&](int, int, std::uint32_t message) { arriving_.Push(leave + kCrossing, message); });
  }
  /// Calls `visit(message)` for each message that arrives in cycle `now`.
  template <typename Visit>
  void Deliver(Cycle now, Visit&& visit) {
    arriving_.Drain(now, visit);
  }
  void Prefetch() const {
    turn_.Prefetch();
    arriving_.Prefetch();
  }
  /// Whether `Arbitrate` has something to do.
  bool active() const { return turn_.active(); }
  /// Checks XBAR-2.
  void Check(Audit* audit) const { turn_.Check(audit); }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(turn_, arriving_);
  }

 private:
  TurnStage turn_;
  DelayLine<std::uint32_t> arriving_;
};

/// The crossbars of grants, request credits and acks. A receiving port takes one message in a cycle, by its R:1 over
/// the rows. Nothing limits the number of acks under way, so the fifos of the ack crossbar are bounded.
class MergedCrossbar {
 public:
  MergedCrossbar(const Profile& profile, const Geometry& geometry, bool bounded = false)
      : turn_(profile, geometry, bounded),
        merge_depth_(profile.cells + profile.copy_entries),
        merge_(profile.ports, profile.rows, bounded ? merge_depth_ : FifoArbiters::kNoLimit) {}

  /// `message` leaves `source` for `destination`. Returns false when the message is lost.
  bool Leave(int source, int destination, std::uint32_t message) { return turn_.Leave(source, destination, message); }
  /// Makes the decisions for leave cycle `leave`, when all its messages have left. Calls `lost(message)` for each
  /// message that finds its receiving fifo full. If the crossbar is active, a message will arrive in `leave` +
  /// kCrossing.
  template <typename Lost>
  void Arbitrate(Cycle leave, Lost&& lost) {
    turn_.Arbitrate([&](int row, int destination, std::uint32_t message) {
      if (!merge_.Insert(destination, row, message)) lost(message);
    });
    merge_.Decide([&](int, std::uint32_t message) { arriving_.Push(leave + kCrossing, message); });
  }
  void Arbitrate(Cycle leave) {
    Arbitrate(leave, [](std::uint32_t) {});
  }
  /// Calls `visit(message)` for each message that arrives in cycle `now`.
  template <typename Visit>
  void Deliver(Cycle now, Visit&& visit) {
    arriving_.Drain(now, visit);
  }
  void Prefetch() const {
    turn_.Prefetch();
    merge_.Prefetch();
    arriving_.Prefetch();
  }
  /// Whether `Arbitrate` has something to do.
  bool active() const { return turn_.active() || merge_.active(); }
  /// Checks XBAR-2.
  void Check(Audit* audit) const {
    turn_.Check(audit);
    merge_.Check(merge_depth_, audit);
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(turn_, merge_, arriving_);
  }

 private:
  TurnStage turn_;
  int merge_depth_;
  FifoArbiters merge_;
  DelayLine<std::uint32_t> arriving_;
};

}  // namespace tilefly::golden
