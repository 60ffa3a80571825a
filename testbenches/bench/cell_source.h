// SPDX-License-Identifier: Apache-2.0
// The cells that a row's channel brings to an output: for every grant its packet, in the time and order that the rules of
// the data crossbar allow.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "generated/profile.h"
#include "golden/common/types.h"
#include "testbenches/bench/wire_packet.h"

namespace tilefly::bench {

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

  /// `of_ring`: it is row R; its packets are of kind RED and good, and come as soon as they may.
  CellSource(const Profile& profile, const Stimulus& random, int row, bool of_ring = false)
      : profile_(profile), random_(random), row_(row), of_ring_(of_ring) {}

  void Granted(Cycle now, int input, int vl, int cells) {
    waiting_.push_back({now + kGrantToCell, input, vl, cells});
  }
  /// The cell that arrives in cycle `now`. An input that is `slow` is busy with other outputs now and then.
  std::optional<Arrival> Next(Cycle now, bool slow);
  bool idle() const { return waiting_.empty() && next_cell_ == cells_; }

 private:
  /// From a grant to the first cell's arrival when nothing is in the way: t + 11, p = t + 12, p + 12. The bench's own,
  /// written apart from golden/common/stage_times.h.
  static constexpr Cycle kGrantToCell = 24;
  struct Waiting {
    Cycle earliest;
    int input;
    int vl;
    int cells;
  };
  void Start(Cycle now, const Waiting& grant);

  const Profile& profile_;
  const Stimulus& random_;
  int row_;
  bool of_ring_;
  std::deque<Waiting> waiting_;
  Packet packet_{};
  std::vector<std::uint8_t> bytes_;  ///< as stored: header and frame
  int vl_ = 0;
  int cells_ = 0;
  int next_cell_ = 0;
};

}  // namespace tilefly::bench
