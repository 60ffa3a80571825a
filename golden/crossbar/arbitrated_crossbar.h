// SPDX-License-Identifier: Apache-2.0
// The crossbars with arbitration (docs/blocks/crossbar.md), whole: row buses, turn tiles, column channels, receivers.
// A message that leaves in T and meets no other arrives in T + 8. Messages are 32-bit words of the user.
#pragma once

#include <algorithm>

#include "golden/common/delay_line.h"
#include "golden/crossbar/fifo_arbiters.h"

namespace tilefly::golden {

/// Row bus and turn tiles: one arbiter for each (row of the source, destination).
class TurnStage {
 public:
  TurnStage(const Profile& profile, const Geometry& geometry)
      : geometry_(geometry), arbiters_(profile.rows * kMaxPorts, profile.row_in) {}

  /// `message` leaves `source` for `destination` in cycle `leave`.
  void Leave(Cycle leave, int source, int destination, std::uint32_t message) {
    row_bus_.Push(leave + kEnter + 1, {message, static_cast<std::uint16_t>(geometry_.row[source] * kMaxPorts + destination),
                                       geometry_.input[source]});
  }
  /// Decisions of cycle `now`: calls `visit(row, destination, message)` for the winners.
  template <typename Visit>
  void Decide(Cycle now, Visit&& visit) {
    // What entered its fifo in now - 1 is decidable only now, so entering and deciding need one visit.
    row_bus_.Drain(now, [&](const OnRowBus& on) { arbiters_.Insert(on.arbiter, on.input, on.message); });
    arbiters_.Decide([&](int arbiter, std::uint32_t message) { visit(arbiter / kMaxPorts, arbiter % kMaxPorts, message); });
  }
  Cycle Next(Cycle now) const { return arbiters_.active() ? now + 1 : row_bus_.Next(); }
  std::size_t bytes() const { return arbiters_.bytes() + row_bus_.bytes(); }

 private:
  static constexpr Cycle kEnter = 1;  ///< from the leave cycle to the fifo
  struct OnRowBus {
    std::uint32_t message;
    std::uint16_t arbiter;
    std::uint8_t input;
  };
  const Geometry& geometry_;
  DelayLine<OnRowBus> row_bus_;
  FifoArbiters arbiters_;
};

/// Requests: every row writes its own store at the output, so they arrive after the turn.
class RequestCrossbar {
 public:
  RequestCrossbar(const Profile& profile, const Geometry& geometry) : turn_(profile, geometry) {}

  void Leave(Cycle leave, int source, int destination, std::uint32_t message) {
    turn_.Leave(leave, source, destination, message);
  }
  /// Decisions of cycle `now`.
  void Decide(Cycle now) {
    turn_.Decide(now, [&](int, int, std::uint32_t message) { column_.Push(now + kColumn, message); });
  }
  /// Arrivals of cycle `now`: `visit(message)`.
  template <typename Visit>
  void Deliver(Cycle now, Visit&& visit) {
    column_.Drain(now, visit);
  }
  Cycle Next(Cycle now) const { return std::min(turn_.Next(now), column_.Next()); }
  std::size_t bytes() const { return turn_.bytes() + column_.bytes(); }

 private:
  static constexpr Cycle kColumn = 6;  ///< from the turn's decision to the arrival
  TurnStage turn_;
  DelayLine<std::uint32_t> column_;
};

/// Grants, request credits and acks: the receiving port takes one a cycle, by its R:1 over the rows.
class MergedCrossbar {
 public:
  MergedCrossbar(const Profile& profile, const Geometry& geometry)
      : turn_(profile, geometry), merge_(profile.ports, profile.rows) {}

  void Leave(Cycle leave, int source, int destination, std::uint32_t message) {
    turn_.Leave(leave, source, destination, message);
  }
  /// Decisions of cycle `now`.
  void Decide(Cycle now) {
    column_.Drain(now, [&](const OnColumn& on) { merge_.Insert(on.destination, on.row, on.message); });
    merge_.Decide([&](int, std::uint32_t message) { arriving_.Push(now + 1, message); });
    turn_.Decide(now, [&](int row, int destination, std::uint32_t message) {
      column_.Push(now + kColumn + 1, {message, static_cast<std::uint8_t>(destination), static_cast<std::uint8_t>(row)});
    });
  }
  /// Arrivals of cycle `now`: `visit(message)`.
  template <typename Visit>
  void Deliver(Cycle now, Visit&& visit) {
    arriving_.Drain(now, visit);
  }
  Cycle Next(Cycle now) const {
    if (merge_.active()) return now + 1;
    return std::min({turn_.Next(now), column_.Next(), arriving_.Next()});
  }
  std::size_t bytes() const { return turn_.bytes() + merge_.bytes() + column_.bytes() + arriving_.bytes(); }

 private:
  static constexpr Cycle kColumn = 4;  ///< from the turn's decision to the receiving fifo
  struct OnColumn {
    std::uint32_t message;
    std::uint8_t destination;
    std::uint8_t row;
  };
  TurnStage turn_;
  DelayLine<OnColumn> column_;
  FifoArbiters merge_;
  DelayLine<std::uint32_t> arriving_;
};

/// The data crossbar needs no arbitration (law 3): a cell that leaves in T arrives in T + 8.
inline constexpr Cycle kDataCrossing = 8;

}  // namespace tilefly::golden
