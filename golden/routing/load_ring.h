// SPDX-License-Identifier: Apache-2.0
// Loads of the outputs, and what the load ring shows of them to routing (docs/blocks/routing.md, Load).
//
// In closed form: an output's loads of the last two epochs are rolled on when its load changes or is asked for, and so is
// what acks bring of its neighbour (docs/blocks/acks.md, Neighbour load).
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden/common/stage_times.h"
#include "golden/common/types.h"

namespace tilefly::golden {

class LoadRing {
 public:
  /// Largest load that is shown, in cells.
  static constexpr int kMaxShown = (1 << 12) - 1;
  /// Cycles between a look-up and its decision. It is at most the epoch less the cycles that the ring keeps loads back.
  static constexpr Cycle kAhead = kLookUpToRouting;

  LoadRing(int ports, Cycle epoch_cycles, int neighbour_epochs)
      : epoch_cycles_(epoch_cycles), neighbour_epochs_(neighbour_epochs), end_(epoch_cycles), outputs_(ports) {
    if (epoch_cycles < kAhead)
      throw std::invalid_argument("load_epoch_cycles: at least " + std::to_string(kAhead) +
                                  ", the cycles in which routing looks ahead");
  }

  /// Event of cycle `now`: the load of `output` changes by `cells`.
  void Add(Cycle now, int output, int cells) {
    Output& state = outputs_[output];
    Roll(now, &state);
    state.load += cells;
  }
  /// Event of cycle `now`: an ack came by the link of `output`, and brings the load of the neighbour there.
  void Hear(Cycle now, int output, int load) {
    Roll(now, &outputs_[output]);
    if (neighbours_.empty()) neighbours_.resize(outputs_.size());
    const Cycle first = (now + kEventToLoad + epoch_cycles_ - 1) / epoch_cycles_;
    neighbours_[output] = {load, first + neighbour_epochs_};
  }
  /// What the last ack brought, and the epoch from which on this is too old.
  struct Neighbour {
    Cycle load : 16;
    Cycle expires : 48;
  };
  Neighbour neighbour(int output) const { return neighbours_.empty() ? Neighbour{} : neighbours_[output]; }
  /// Cells requested and not yet granted.
  int load(int output) const { return outputs_[output].load; }

  /// The load, in cells, that decisions of cycle `now` + kAhead see. It is asked for in cycle `now`.
  int Shown(Cycle now, int output) {
    Output& state = outputs_[output];
    Roll(now, &state);
    return now + kAhead >= end_ ? state.latest : state.before;
  }

  /// For an input port that runs by itself and has no loads of its own: sets the load that `output` shows to decisions
  /// of cycle `now` + kAhead.
  void Tell(Cycle now, int output, int shown) {
    Output& state = outputs_[output];
    Roll(now, &state);
    state.latest = state.before = static_cast<std::uint16_t>(shown);
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(end_, epoch_, outputs_, neighbours_);
  }

 private:
  /// An epoch's load is that of its first cycle m, which events up to m - 2 left.
  struct Output {
    Cycle epoch = 0;  ///< of `latest`
    std::int32_t load = 0;
    std::uint16_t latest = 0;
    std::uint16_t before = 0;
  };

  /// What the ring shows of the state that the output has now, in epoch `epoch`.
  std::uint16_t Level(const Output& output, Cycle epoch) const {
    int load = output.load;
    if (!neighbours_.empty()) {
      const Neighbour& neighbour = neighbours_[&output - outputs_.data()];
      if (epoch < neighbour.expires) load += static_cast<int>(neighbour.load);
    }
    return static_cast<std::uint16_t>(std::min(load, kMaxShown));
  }

  /// Before anything changes in cycle `now`: epochs that begin before the change counts have the load of now.
  void Roll(Cycle now, Output* output) {
    const Cycle last = now + kEventToLoad - 1;
    if (last >= end_) {
      epoch_ = last / epoch_cycles_;
      end_ = last / epoch_cycles_ * epoch_cycles_ + epoch_cycles_;
    }
    if (output->epoch == epoch_) return;
    output->before = output->epoch + 1 == epoch_ ? output->latest : Level(*output, epoch_ - 1);
    output->latest = Level(*output, epoch_);
    output->epoch = epoch_;
  }

  Cycle epoch_cycles_;
  int neighbour_epochs_;
  Cycle end_;        ///< of the latest epoch
  Cycle epoch_ = 0;  ///< the latest that has begun
  std::vector<Output> outputs_;
  std::vector<Neighbour> neighbours_;  ///< of the outputs; none until the first ack
};

}  // namespace tilefly::golden
