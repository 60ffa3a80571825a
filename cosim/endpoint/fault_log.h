// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "golden/common/cycle.h"

namespace tilefly::cosim {

/// The time line of what went wrong on links (docs/cosimulation.md, faults.csv).
class FaultLog {
 public:
  struct Line {
    Cycle cycle;          ///< since the begin of traffic
    int port;             ///< -1: of the whole switch
    const char* direction;  ///< "out": from the switch; "in": into it; "both"; empty: the line is of a register
    std::string what;
    std::string value;    ///< empty: there is none
    const char* cause;    ///< "plan", "drawn", "port", "lanes" or "drain"
    bool drawn_error = false;  ///< of a word or a slot
  };

  /// Of drawn errors at most `most` lines are kept.
  explicit FaultLog(std::int64_t most) : most_(most) {}

  void Planned(Line line) { lines_.push_back(std::move(line)); }
  void Drawn(Line line) {
    line.drawn_error = true;
    if (drawn_++ < most_) lines_.push_back(std::move(line));
  }

  const std::vector<Line>& lines() const { return lines_; }
  /// Drawn errors without a line.
  std::int64_t left_out() const { return drawn_ > most_ ? drawn_ - most_ : 0; }

 private:
  std::int64_t most_;
  std::int64_t drawn_ = 0;
  std::vector<Line> lines_;
};

}  // namespace tilefly::cosim
