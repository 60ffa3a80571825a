// SPDX-License-Identifier: Apache-2.0
// Runs over links that send damaged words again against the naive system, which runs both halves of the retry block at every
// end of these links in every cycle.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "network/figures.h"
#include "testbenches/network/naive_system.h"
#include "testbenches/network/repeating_run.h"

namespace tilefly::network {

inline void ExpectWaits(const Network& network, const NaiveSystem& naive) {
  Nic::Counters sum;
  for (int n = 0; n < network.nodes(); ++n) {
    for (const Nic& nic : network.node(n).nics()) {
      sum.stalled_cycles += nic.counters().stalled_cycles;
      sum.window_cycles += nic.counters().window_cycles;
      sum.throttled_cycles += nic.counters().throttled_cycles;
      sum.resends += nic.counters().resends;
      sum.duplicates += nic.counters().duplicates;
      sum.measured_retry += nic.counters().measured_retry;
    }
  }
  EXPECT_EQ(sum.measured_retry, naive.waits.retry);
  EXPECT_EQ(sum.stalled_cycles, naive.waits.credit);
  EXPECT_EQ(sum.window_cycles, naive.waits.window);
  EXPECT_EQ(sum.throttled_cycles, naive.waits.throttled);
  EXPECT_EQ(sum.resends, naive.resent);
  EXPECT_EQ(sum.duplicates, naive.duplicates);
  const std::vector<workload::JobStatistics>& jobs = network.statistics().jobs;
  ASSERT_EQ(jobs.size(), naive.jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    EXPECT_EQ(jobs[j].phase_end, naive.jobs[j].phase_end);
    EXPECT_EQ(jobs[j].last, naive.jobs[j].last);
    EXPECT_EQ(jobs[j].ranks_done, naive.jobs[j].ranks_done);
  }
}

/// What each direction of a link did, summed.
inline void ExpectDirections(const Figures& figures, const NaiveRetryCounts& naive) {
  DirectionCounts sum;
  for (const NodeFigures& node : figures.nodes) {
    for (const std::vector<DirectionCounts>* all : {&node.sent, &node.sent_by_nics}) {
      for (const DirectionCounts& one : *all) {
        sum.resent_words += one.resent_words;
        sum.replays += one.replays;
        sum.down_cycles += one.down_cycles;
        sum.degraded_cycles += one.degraded_cycles;
      }
    }
  }
  EXPECT_EQ(sum.resent_words, naive.resent_words);
  EXPECT_EQ(sum.replays, naive.replays);
  EXPECT_EQ(sum.down_cycles, naive.down_cycles);
  EXPECT_EQ(sum.degraded_cycles, naive.degraded_cycles);
}

/// At least so many replays. Returns how often ends gave their links up.
inline int ExpectRepeatsNaive(const topology::Topology& topology, const NetworkOptions& options, std::int64_t replays) {
  Network network(topology, options);
  NaiveSystem naive(network);
  DeliveryProbe probe(network.wiring());
  network.set_probe(&probe);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.NotHome(), "");
  naive.CountCyclesBefore(network.cycle());
  for (int n = 0; n < network.nodes(); ++n) naive.WriteLater(n, network.node(n).late_writes());
  std::vector<Delivery> expected = naive.Run(network.cycle() + 2000);
  std::sort(expected.begin(), expected.end());
  std::sort(probe.deliveries.begin(), probe.deliveries.end());
  EXPECT_EQ(probe.deliveries.size(), expected.size());
  EXPECT_TRUE(probe.deliveries == expected);
  const Statistics& sums = network.statistics();
  EXPECT_EQ(sums.in_flight(), 0);
  EXPECT_EQ(sums.delivered() + sums.duplicates, static_cast<std::int64_t>(expected.size()) - naive.CountBroken());
  EXPECT_EQ(sums.delivered() + sums.duplicates + sums.dropped() + sums.lost, sums.sent() + sums.resent);
  EXPECT_EQ(sums.retry.resent_words, naive.repeats().counts().resent_words);
  EXPECT_EQ(sums.retry.replays, naive.repeats().counts().replays);
  EXPECT_EQ(sums.retry.nacks, naive.repeats().counts().nacks);
  EXPECT_EQ(sums.retry.timeouts, naive.repeats().counts().timeouts);
  EXPECT_EQ(sums.retry.lanes_failed, naive.repeats().counts().lanes_failed);
  EXPECT_EQ(sums.retry.lanes_back, naive.repeats().counts().lanes_back);
  EXPECT_EQ(sums.retry.broken_copies, sums.retry.broken_ended);
  EXPECT_GE(sums.retry.replays, replays);
  ExpectDirections(Figures(network), naive.repeats().counts());
  ExpectWaits(network, naive);
  for (int n = 0; n < network.nodes(); ++n) {
    for (int port = 0; port < network.profile().ports; ++port) {
      for (const Counter counter : {Counter::kCreditsHealed, Counter::kOldStamps, Counter::kRxDamaged, Counter::kRxPackets,
                                    Counter::kTxLost, Counter::kLinkDowns, Counter::kLinkGivenUp}) {
        const int index = static_cast<int>(counter);
        EXPECT_EQ(network.ReadCounter(n, port, index), naive.ReadCounter(n, port, index))
            << "switch " << n << " port " << port << " counter " << index;
      }
    }
  }
  int given_up = 0;
  for (int n = 0; n < network.nodes(); ++n) given_up += static_cast<int>(network.node(n).given_up().size());
  EXPECT_EQ(given_up, naive.repeats().CountGivenUp());
  return given_up;
}

}  // namespace tilefly::network
