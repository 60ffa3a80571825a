// SPDX-License-Identifier: Apache-2.0
// Runs of a system that are interrupted, and go on from a saved state.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <utility>

#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"

namespace tilefly::network {

/// What the links that repeat leave behind.
inline std::string RepeatsText(const Figures& figures) {
  const RetryCounts& counts = figures.statistics.retry;
  std::string text = fmt::format("retry {} {} {} {} {} {} {} {} {}\n", counts.attempts, counts.sent_words,
                                 counts.accepted_words, counts.timeouts, counts.nacks, counts.bad_slots,
                                 counts.healed_cells, counts.lanes_failed, counts.lanes_back);
  for (const NodeFigures& node : figures.nodes) {
    for (const auto* all : {&node.sent, &node.sent_by_nics}) {
      for (const DirectionCounts& one : *all)
        text += fmt::format(" {}/{}/{}/{}", one.resent_words, one.replays, one.down_cycles, one.degraded_cycles);
    }
    for (const auto* all : {&node.drawn, &node.drawn_at_nics}) {
      for (const std::vector<DrawnError>& drawn : *all) {
        for (const DrawnError& one : drawn) text += fmt::format(" {}:{}", one.cycle, static_cast<int>(one.what));
      }
    }
    for (const GivenUp& one : node.given_up)
      text += fmt::format(" up {} {} {} {}", one.cycle, one.from, one.till, one.port);
    for (const LaneChange& one : node.lane_changes)
      text += fmt::format(" lanes {} {} {} {}", one.from, one.port, one.nic, one.lanes);
    text += "\n";
  }
  return text;
}

inline std::string WholeRun(const topology::Topology& topology, const NetworkOptions& options) {
  Network network(topology, options);
  const Ending ending = network.Run();
  const Figures figures(network);
  return Text(network, ending, figures) + RepeatsText(figures);
}

/// The state behind cycle `at` of traffic, as `size` processes save it.
inline std::deque<SavedBytes> StateOf(int size, const topology::Topology& topology, const NetworkOptions& options,
                                      Cycle at) {
  std::deque<SavedBytes> pieces;
  OnThreads(size, [&](Processes& processes) {
    Network network(topology, options, &processes);
    EXPECT_FALSE(network.RunTo(network.nics().begin + at).has_value());
    network.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
  });
  return pieces;
}

inline std::string RestOfRun(int size, const topology::Topology& topology, const NetworkOptions& options,
                             std::deque<SavedBytes> pieces) {
  std::string text;
  OnThreads(size, [&](Processes& processes) {
    Network network(topology, options, &processes);
    network.Load([&] {
      SavedBytes piece = std::move(pieces.front());
      pieces.pop_front();
      return piece;
    });
    const Ending ending = network.Run();
    const Figures figures(network);
    if (processes.first()) text = Text(network, ending, figures) + RepeatsText(figures);
  });
  return text;
}

}  // namespace tilefly::network
