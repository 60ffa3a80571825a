// SPDX-License-Identifier: Apache-2.0
// Row R of one output (docs/blocks/reduction.md, Row R): results in the fifos U, D, S and CREDITs make requests to the
// output's scheduler, at most one request of each at a time.
#pragma once

#include <algorithm>
#include <array>
#include <deque>

#include "golden/common/stage_times.h"
#include "systemc/arbiter/arbiter.h"
#include "systemc/reduction/reduction_port.h"

namespace tilefly::systemc {

class ResultRow {
 public:
  /// Input of the row for the CREDITs.
  static constexpr int kCredits = 3;

  /// Event: a result is complete in the fifo.
  void Complete(ResultLane lane, Crossing* crossing) { fifos_[static_cast<std::size_t>(lane)].push_back(crossing); }

  /// Decision: the packet that makes a request, null when there is none. `make_credit(slot)` makes the packet of a
  /// CREDIT.
  template <typename MakeCredit>
  Crossing* Ask(const ReductionPort& port, MakeCredit&& make_credit) {
    const unsigned wanting = Wanting(port);
    if (wanting == 0) return nullptr;
    const int input = inputs_.Choose(wanting);
    asked_ |= 1u << input;
    if (input != kCredits) {
      const std::deque<Crossing*>& fifo = fifos_[static_cast<std::size_t>(input)];
      fifo.front()->more = fifo.size() > 1;
      return fifo.front();
    }
    const unsigned due = port.credits_due();
    Crossing* const crossing = make_credit(slots_.Choose(due));
    crossing->more = (due & (due - 1)) != 0;
    return crossing;
  }
  /// Whether there is a request to make in the next decision.
  bool Wants(const ReductionPort& port) const { return Wanting(port) != 0; }

  /// Event of cycle `now`: the packet of `input` is granted. Returns the cycle of its first cell.
  Cycle Granted(Cycle now, int input, int cells) {
    asked_ &= ~(1u << input);
    if (input != kCredits) fifos_[static_cast<std::size_t>(input)].pop_front();
    const Cycle first = std::max(now + golden::kGrantToCell, free_from_);
    free_from_ = first + cells;
    return first;
  }
  bool empty() const {
    return asked_ == 0 && std::all_of(fifos_.begin(), fifos_.end(), [](const auto& fifo) { return fifo.empty(); });
  }

 private:
  /// Inputs that have a packet and no request.
  unsigned Wanting(const ReductionPort& port) const {
    unsigned wanting = port.credits_due() != 0 ? 1u << kCredits : 0;
    for (unsigned lane = 0; lane < fifos_.size(); ++lane) {
      if (!fifos_[lane].empty()) wanting |= 1u << lane;
    }
    return wanting & ~asked_;
  }

  std::array<std::deque<Crossing*>, kResultLanes> fifos_;  ///< the first may ask
  unsigned asked_ = 0;
  Arbiter inputs_{golden::kRedInputs};
  Arbiter slots_{golden::kRedSlots};
  Cycle free_from_ = 0;  ///< the row has brought the packets before
};

}  // namespace tilefly::systemc
