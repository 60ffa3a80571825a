// SPDX-License-Identifier: Apache-2.0
// The inputs as an output sees them: requests within their credits, and for every grant its packet, cell by cell, in the
// time and order that the data crossbar's rules allow.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "golden/common/generated/profile.h"
#include "golden/common/types.h"
#include "testbenches/bench/wire_packet.h"

namespace tilefly::bench {

/// Requests of all inputs, at most one a row and cycle.
class RequestSource {
 public:
  struct Arrival {
    int input;
    Request request;
  };

  RequestSource(const Profile& profile, const Stimulus& random)
      : profile_(profile), random_(random), outstanding_(static_cast<std::size_t>(profile.ports * golden::kMaxLanes)) {}

  /// The request that arrives from `row` in cycle `now`.
  std::optional<Arrival> Next(golden::Cycle now, int row);
  /// A grant of cycle `now`: its credit comes back, and a further request may follow, much later.
  void Granted(golden::Cycle now, int input, int vl) { returning_.push_back({now + kCreditTrip, Slot(input, vl)}); }
  /// Credits that are back in cycle `now`.
  void Return(golden::Cycle now);

 private:
  /// From a grant to the arrival of the next request that its credit allows (docs/timing.md): t + 11, then s + 8.
  static constexpr golden::Cycle kCreditTrip = 20;
  struct Returning {
    golden::Cycle due;
    std::size_t slot;
  };
  std::size_t Slot(int input, int vl) const { return static_cast<std::size_t>(input * golden::kMaxLanes + vl); }

  const Profile& profile_;
  const Stimulus& random_;
  std::vector<std::uint8_t> outstanding_;  ///< by (input, lane)
  std::deque<Returning> returning_;
};

/// Packets of the granted requests on the row's channel.
class CellSource {
 public:
  struct Packet {
    int input;
    Header header;
    std::vector<std::uint8_t> frame;
    bool bad;
  };
  struct Arrival {
    Cell cell;
    const Packet* starts;  ///< at the first cell
  };

  CellSource(const Profile& profile, const Stimulus& random, int row) : profile_(profile), random_(random), row_(row) {}

  void Granted(golden::Cycle now, int input, int vl, int cells) {
    waiting_.push_back({now + kGrantToCell, input, vl, cells});
  }
  /// The cell that arrives in cycle `now`. An input that is `slow` is busy with other outputs now and then.
  std::optional<Arrival> Next(golden::Cycle now, bool slow);
  bool idle() const { return waiting_.empty() && next_cell_ == cells_; }

 private:
  /// From a grant to the first cell's arrival when nothing is in the way: t + 11, p = t + 12, p + 12.
  static constexpr golden::Cycle kGrantToCell = 24;
  struct Waiting {
    golden::Cycle earliest;
    int input;
    int vl;
    int cells;
  };
  void Start(golden::Cycle now, const Waiting& grant);

  const Profile& profile_;
  const Stimulus& random_;
  int row_;
  std::deque<Waiting> waiting_;
  Packet packet_{};
  std::vector<std::uint8_t> bytes_;  ///< as stored: header and frame
  int vl_ = 0;
  int cells_ = 0;
  int next_cell_ = 0;
};

}  // namespace tilefly::bench
