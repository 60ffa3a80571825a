// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "cosim/device.h"
#include "generated/profile.h"

namespace tilefly::cosim {

/// Tells from the observation record at which input a frame that comes out came in. Frames of a capture may be equal,
/// so their bytes do not always tell it. The cells of one row reach an output in the order in which the inputs began to
/// transfer, and the link takes the oldest packet of a row; its first word is on the wire eight cycles later.
class OriginTracker {
 public:
  explicit OriginTracker(const Profile& profile);
  /// Takes the record of cycle `now`.
  void Sample(Cycle now, const Observation& observation);
  /// Input of the frame whose first word was on `link_o` of `port` in cycle `first`; -1: the record does not tell.
  int Origin(int port, Cycle first);

 private:
  struct Taken {
    Cycle first;  ///< cycle of its first word
    int input;
  };
  std::deque<int>& Bank(int output, int row) { return banks_[static_cast<std::size_t>(output * rows_ + row)]; }

  int rows_;
  int row_in_;
  std::vector<std::deque<int>> banks_;    ///< inputs of the packets on their way, by (output, row)
  std::vector<std::deque<Taken>> taken_;  ///< by output
};

}  // namespace tilefly::cosim
