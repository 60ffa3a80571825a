// SPDX-License-Identifier: Apache-2.0
// Loads of the outputs, and what the load ring shows of them to routing (docs/blocks/routing.md, Load).
//
// In closed form: an output's loads of the last two epochs are rolled on when its load changes or is asked for.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "golden/common/types.h"

namespace tilefly::golden {

class LoadRing {
 public:
  /// Largest load that is shown.
  static constexpr int kMaxShown = (1 << 12) - 1;
  /// Cycles between a look-up and the decision that it makes; at most the epoch less what the ring keeps back.
  static constexpr Cycle kAhead = 12;

  LoadRing(int ports, Cycle epoch_cycles) : epoch_cycles_(epoch_cycles), end_(epoch_cycles), outputs_(ports) {
    if (epoch_cycles < kAhead)
      throw std::invalid_argument("load_epoch_cycles: at least 12, the cycles in which routing looks ahead");
  }

  /// Event of cycle `now`: the load of `output` changes by `cells`.
  void Add(Cycle now, int output, int cells) {
    Output& state = outputs_[output];
    Roll(now, &state);
    state.load += cells;
  }
  /// Cells requested and not yet granted.
  int load(int output) const { return outputs_[output].load; }

  /// What decisions of cycle `now` + kAhead see, asked in cycle `now`.
  int Shown(Cycle now, int output) {
    Output& state = outputs_[output];
    Roll(now, &state);
    return now + kAhead >= end_ ? state.latest : state.before;
  }

  /// For an input port by itself, which hears of loads and has none: what `output` shows to decisions of cycle `now` +
  /// kAhead.
  void Tell(Cycle now, int output, int shown) {
    Output& state = outputs_[output];
    Roll(now, &state);
    state.latest = state.before = static_cast<std::uint16_t>(shown);
  }

 private:
  /// An epoch's load is that of its first cycle m, which events up to m - 2 left.
  struct Output {
    std::int32_t load = 0;
    std::uint32_t epoch = 0;  ///< of `latest`
    std::uint16_t latest = 0;
    std::uint16_t before = 0;
  };

  /// Before anything changes in cycle `now`: epochs that have begun by `now` + 1 have the load of now.
  void Roll(Cycle now, Output* output) {
    if (now + 1 >= end_) {
      epoch_ = static_cast<std::uint32_t>((now + 1) / epoch_cycles_);
      end_ = (now + 1) / epoch_cycles_ * epoch_cycles_ + epoch_cycles_;
    }
    if (output->epoch == epoch_) return;
    const auto load = static_cast<std::uint16_t>(std::min(output->load, kMaxShown));
    output->before = output->epoch + 1 == epoch_ ? output->latest : load;
    output->latest = load;
    output->epoch = epoch_;
  }

  Cycle epoch_cycles_;
  Cycle end_;                ///< of the latest epoch
  std::uint32_t epoch_ = 0;  ///< the latest that has begun
  std::vector<Output> outputs_;
};

}  // namespace tilefly::golden
