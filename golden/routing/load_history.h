// SPDX-License-Identifier: Apache-2.0
// Loads of the outputs, and what the load ring shows of them to routing (docs/blocks/routing.md, Load), where outputs
// run ahead of the inputs that ask: what was shown some epochs ago is still known.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "golden/common/stage_times.h"
#include "golden/common/types.h"

namespace tilefly::golden {

class LoadHistory {
 public:
  /// Largest load that is shown, in cells.
  static constexpr int kMostShown = (1 << 12) - 1;
  /// Epochs of which an output's load is known. An output runs ahead of an input by less than two epochs.
  static constexpr int kKnown = 4;

  /// Of no outputs: nobody asks.
  explicit LoadHistory(const Profile& profile)
      : shift_(LowestBit(static_cast<unsigned>(profile.load_epoch_cycles))),
        neighbour_epochs_(profile.neighbour_epochs) {}

  /// Loads are kept from now on.
  void Keep(int ports) { outputs_.resize(static_cast<std::size_t>(ports)); }
  bool kept() const { return !outputs_.empty(); }

  /// Event of cycle `now`: the load of `output` changes by `cells`. The events of an output come in the order of their
  /// cycles.
  void Add(Cycle now, int output, int cells) {
    Output& state = outputs_[static_cast<std::size_t>(output)];
    SampleBefore(now, &state);
    state.load += cells;
  }
  /// Event of cycle `now`: an ack came by the link of `output`, and brings the load of the neighbour there.
  void Hear(Cycle now, int output, int load) {
    Output& state = outputs_[static_cast<std::size_t>(output)];
    SampleBefore(now, &state);
    state.neighbour = static_cast<std::uint16_t>(load);
    state.expires = ((now + kEventToLoad + (Cycle{1} << shift_) - 1) >> shift_) + neighbour_epochs_;
  }
  /// The load, in cells, that the decision sees of a packet which is looked up in cycle `now`. All events of the output
  /// that it can see are known. Throws std::logic_error when the output has forgotten it.
  int Shown(Cycle now, int output) const {
    const Output& state = outputs_[static_cast<std::size_t>(output)];
    const Cycle epoch = ((now + kLookUpToRouting) >> shift_) - 1;
    if (epoch < 0) return 0;
    if (epoch > state.epoch) return Level(state, epoch);
    if (epoch + kKnown <= state.epoch) throw std::logic_error("golden: a load of an epoch that is forgotten");
    return state.samples[static_cast<std::size_t>(epoch % kKnown)];
  }

  /// See golden/common/archive.h.
  template <typename Archive>
  void Serialize(Archive& archive) {
    archive(outputs_);
  }

 private:
  struct Output {
    Cycle epoch = 0;    ///< the latest that is sampled
    Cycle expires = 0;  ///< epoch from which on the neighbour's load is too old
    std::int32_t load = 0;
    std::uint16_t neighbour = 0;
    std::array<std::uint16_t, kKnown> samples{};  ///< of the latest epochs
  };

  /// The load in the first cycle of an epoch, if nothing changes until then.
  static std::uint16_t Level(const Output& output, Cycle epoch) {
    const int load = output.load + (epoch < output.expires ? output.neighbour : 0);
    return static_cast<std::uint16_t>(std::min(load, kMostShown));
  }
  /// Epochs whose first cycle does not see an event of cycle `now`.
  void SampleBefore(Cycle now, Output* output) const {
    const Cycle last = (now + kEventToLoad - 1) >> shift_;
    if (last == output->epoch) return;
    for (Cycle epoch = std::max(output->epoch + 1, last - kKnown + 1); epoch <= last; ++epoch)
      output->samples[static_cast<std::size_t>(epoch % kKnown)] = Level(*output, epoch);
    output->epoch = last;
  }

  int shift_;
  int neighbour_epochs_;
  std::vector<Output> outputs_;
};

}  // namespace tilefly::golden
