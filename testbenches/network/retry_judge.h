// SPDX-License-Identifier: Apache-2.0
// Judges each cycle of the links of switches that repeat: whether they take words, or retry holds them
// (docs/network.md, Stalls).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "testbenches/network/naive_system.h"

namespace tilefly::network {

class RetryJudge {
 public:
  /// Before the naive system has run; both must outlive this.
  RetryJudge(const Network& network, const NaiveSystem& naive)
      : network_(network),
        naive_(naive),
        ports_(network.profile().ports),
        outputs_(static_cast<std::size_t>(network.nodes()) * ports_) {}

  /// The switch of `node` has made cycle `now`, and the retry blocks have not.
  void Look(int node, Cycle now, const golden::Switch& device) {
    std::vector<bool> waiting(ports_);
    device.ForEachInOutputBuffers([&](const golden::Packet& packet) { waiting[packet.output] = true; });
    for (std::size_t port = 0; port < ports_; ++port) {
      Output& own = outputs_[node * ports_ + port];
      own.held.resize(static_cast<std::size_t>(now) + 1);
      const std::optional<NaiveRepeats::PortState> state = naive_.repeats().StateOf(node, static_cast<int>(port), now);
      if (!state) continue;
      for (const golden::Departure& departure : device.output().links.packets) {
        if (departure.port != port) continue;
        own.busy_until = now + (4 * departure.format.slots + departure.serdes_lanes - 1) / departure.serdes_lanes;
        own.discards = departure.lost;
      }
      Judge(now, *state, &own);
      own.waiting = waiting[port];
      own.requested = device.load(static_cast<int>(port)) > 0;
      own.up = state->up;
    }
  }

  /// Of cycles from `from` on and before `to`: those in which a packet waited, and retry held it.
  Cycle CountHeld(int node, int port, Cycle from, Cycle to) const {
    const std::vector<bool>& held = outputs_[node * ports_ + port].held;
    return std::count(held.begin() + from, held.begin() + to, true);
  }

  /// With the books of the system. Returns the cycles of state `retry`.
  Cycle Compare() const {
    Cycle sum = 0;
    const Measured& measured = network_.nics().measured;
    for (int node = 0; node < network_.nodes(); ++node) {
      for (int port = 0; port < static_cast<int>(ports_); ++port) {
        SCOPED_TRACE(::testing::Message() << "switch " << node << " port " << port);
        const golden::LinkStatistics::Times& times = network_.node(node).link_statistics()->times(port);
        EXPECT_EQ(std::accumulate(times.begin(), times.end(), std::int64_t{0}), measured.to - measured.from);
        const Output& own = outputs_[node * ports_ + port];
        const Cycle retry = times[static_cast<std::size_t>(golden::LinkState::kRetry)];
        EXPECT_EQ(retry, own.retry);
        sum += retry;
        if (!network_.faults().Damages(node, port)) continue;
        EXPECT_EQ(times[static_cast<std::size_t>(golden::LinkState::kBusy)], own.busy);
        EXPECT_EQ(network_.node(node).counts(port).busy, own.busy);
      }
    }
    return sum;
  }

 private:
  struct Output {
    Cycle busy_until = 0;
    bool discards = false;
    bool waiting = false, requested = false, up = false;  ///< as the cycle before left them
    std::vector<bool> held;                               ///< by cycle
    Cycle busy = 0, retry = 0;                            ///< measured
  };

  void Judge(Cycle now, const NaiveRepeats::PortState& state, Output* own) {
    const bool counts = network_.nics().measured.Has(now);
    if (now < own->busy_until) {
      (own->discards ? own->retry : own->busy) += counts;
      return;
    }
    const bool held = (own->waiting && !(own->up && state.ready)) || (own->requested && !own->up);
    own->held[static_cast<std::size_t>(now)] = held;
    own->retry += counts && (held || state.repeats);
  }

  const Network& network_;
  const NaiveSystem& naive_;
  const std::size_t ports_;
  std::vector<Output> outputs_;  ///< by switch and port
};

}  // namespace tilefly::network
