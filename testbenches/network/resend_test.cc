// SPDX-License-Identifier: Apache-2.0
// Time-outs of NICs and packets that are sent again (docs/network.md, Outstanding packets).
#include <gtest/gtest.h>

#include <set>

#include "network/figures.h"
#include "support/random.h"
#include "testbenches/network/hand_made.h"
#include "testbenches/network/naive_system.h"
#include "testbenches/network/nic_runs.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"

namespace tilefly::network {
namespace {

struct Single {
  std::vector<Cycle> starts;  ///< of endpoint 0
  Nic::Counters sum;
  Statistics statistics;
};

/// What becomes of packets from endpoint 0 to 60.
Single Send(int packets, const NetworkOptions& with) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  NetworkOptions options = with;
  SendAtOnce(packets, 60, 512, &options);
  Network network(topology, options);
  NicProbe probe(network.wiring());
  network.set_probe(&probe);
  EXPECT_EQ(network.Run(), Ending::kDrained);
  ExpectBooks(network);
  EXPECT_EQ(network.statistics().delivered(), packets);
  return {probe.starts[0], SumOf(network), network.statistics()};
}

constexpr Cycle kOffset = golden::WordOffset(WordsOf(512) - 1, 4);

TEST(Resend, ATimeOutIsExact) {
  const Cycle round = Send(1, WithAcks()).sum.acked_cycles;
  NetworkOptions options = WithAcks();
  options.nics.resend = round + 1 - kOffset;  // the ack counts in the cycle of the time-out
  EXPECT_EQ(Send(1, options).starts.size(), 1u);
  --options.nics.resend;
  const Single once = Send(1, options);
  ASSERT_EQ(once.starts.size(), 2u);
  EXPECT_EQ(once.starts[1] - once.starts[0], kOffset + options.nics.resend);
  EXPECT_EQ(once.sum.acked_cycles, 0) << "the ack came with the copy's first word";
}

/// The time is shorter than the way: copies of a packet that is there.
TEST(Resend, CopiesAreNotDeliveredTwice) {
  const Cycle round = Send(1, WithAcks()).sum.acked_cycles;
  NetworkOptions options = WithAcks();
  options.nics.resend = 300;
  const Single seen = Send(1, options);
  const Cycle step = kOffset + options.nics.resend;
  const auto copies = round / step;
  ASSERT_GE(copies, 2);
  ASSERT_EQ(seen.starts.size(), static_cast<std::size_t>(copies + 1));
  for (std::size_t k = 0; k < seen.starts.size(); ++k)
    EXPECT_EQ(seen.starts[k] - seen.starts[0], static_cast<Cycle>(k) * step);
  EXPECT_EQ(seen.statistics.duplicates, copies);
  EXPECT_EQ(seen.statistics.classes[0].latency.count(), 1);
  EXPECT_EQ(seen.sum.acks, 1);
  EXPECT_EQ(seen.sum.late_acks, copies);
  EXPECT_EQ(seen.sum.acked_cycles, round - copies * step) << "counts from the last copy sent";
}

TEST(Resend, APacketIsGivenUpAfterTheLast) {
  NetworkOptions options = WithAcks();
  options.nics.resend = 100;
  for (const int most : {0, 1, 3}) {
    options.nics.most_resends = most;
    const Single seen = Send(1, options);
    EXPECT_EQ(seen.starts.size(), static_cast<std::size_t>(most + 1));
    EXPECT_EQ(seen.sum.given_up, 1);
    EXPECT_EQ(seen.sum.acks, 0);
    EXPECT_EQ(seen.sum.late_acks, most + 1) << "all have come, too late";
  }
}

/// With one channel a packet waits for the ack of the one before, and after copies for the channel to open.
TEST(Resend, AChannelIsClosedAfterCopies) {
  NetworkOptions options = WithAcks("min_hash");
  const Cycle round = Send(1, options).sum.acked_cycles;
  options.routing.flows = 1;
  options.nics.resend = round + 1;
  const Single clean = Send(2, options);
  ASSERT_EQ(clean.starts.size(), 2u);
  EXPECT_EQ(clean.starts[1] - clean.starts[0], round + 1);
  options.nics.resend = round - 10 - kOffset;
  const Single copied = Send(2, options);
  ASSERT_EQ(copied.starts.size(), 3u) << "the time is shorter than the way: the copy's ack is taken for the second's";
  EXPECT_EQ(copied.sum.late_acks, 1);
  EXPECT_EQ(copied.starts[2] - copied.starts[0], round + 1 + options.nics.resend);
  EXPECT_EQ(copied.sum.window_cycles, copied.starts[2] - copied.starts[1] - SlotCyclesOf(WordsOf(512), 4) +
                                          copied.starts[1] - copied.starts[0] - SlotCyclesOf(WordsOf(512), 4));
}

NetworkOptions Lossy(const std::string& routing, Cycle resend) {
  NetworkOptions options = WithAcks(routing);
  options.nics.resend = resend;
  options.nics.most_resends = 100;
  options.traffic.pattern = "hotspot:9:0.3";
  options.traffic.load = 0.5;
  options.traffic.size = "64,500,2000";
  LoseBeyond(100, &options);
  return options;
}

/// All messages of an incast come, each packet once, though a lossy class drops many.
TEST(Resend, AnIncastOnALossyClassEnds) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const char* routing : {"min", "adaptive_0", "in_order"}) {
    NetworkOptions options = WithAcks(routing);
    LoseBeyond(200, &options);
    UseJob("gather:bytes=20000", topology, &options);
    {
      Network network(topology, options);
      EXPECT_EQ(network.Run(), Ending::kWaiting) << "without resends a rank waits for ever";
      EXPECT_GT(network.statistics().dropped(), 0);
    }
    options.nics.resend = 20000;
    options.nics.most_resends = 50;
    Network network(topology, options);
    ASSERT_EQ(network.Run(), Ending::kDrained) << routing;
    const Statistics& statistics = network.statistics();
    EXPECT_GT(statistics.dropped(), 50);
    EXPECT_EQ(statistics.delivered(), statistics.sent());
    EXPECT_EQ(statistics.jobs[0].messages, 71);
    EXPECT_EQ(SumOf(network).given_up, 0);
    ExpectBooks(network);
  }
}

/// Losses, copies of packets that are there, given-up ones; with time-outs shorter and longer than the way.
TEST(Resend, ASystemIsTheNaiveOne) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const char* routing : {"min", "adaptive_0", "in_order"}) {
    for (const Cycle resend : {700, 2500}) {
      NetworkOptions options = Lossy(routing, resend);
      options.nics.most_resends = 3;
      options.nics.window = 30;
      if (!options.routing.any_flow) options.routing.flows = 8;
      Network network(topology, options);
      NaiveSystem naive(network);
      NicProbe probe(network.wiring());
      network.set_probe(&probe);
      ASSERT_EQ(network.Run(), Ending::kDrained);
      ExpectBooks(network);
      std::vector<Delivery> expected = naive.Run(network.cycle() + 5000);
      std::sort(expected.begin(), expected.end());
      std::sort(probe.deliveries.begin(), probe.deliveries.end());
      EXPECT_EQ(probe.deliveries, expected) << routing << " " << resend;
      const Nic::Counters sum = SumOf(network);
      EXPECT_EQ(sum.window_cycles, naive.waits.window);
      EXPECT_EQ(sum.stalled_cycles, naive.waits.credit);
      EXPECT_EQ(sum.resends, naive.resent);
      EXPECT_EQ(sum.duplicates, naive.duplicates);
      EXPECT_EQ(sum.given_up, naive.given_up);
      EXPECT_EQ(sum.acks + sum.late_acks, naive.acks_of_nics);
      EXPECT_GT(sum.resends, 100);
      if (resend == 700) EXPECT_GT(sum.duplicates, 100);
      if (resend == 700) EXPECT_GT(sum.given_up, 0);
    }
  }
}

TEST(Resend, JobsAreThoseOfTheNaiveSystem) {
  const auto topology = topology::Build("dragonfly:p=1,a=2,h=1");
  NetworkOptions options = Lossy("min", 1500);
  UseJob("gather:bytes=30000+alltoall:bytes=9000,ranks=3", topology, &options);
  Network network(topology, options);
  NaiveSystem naive(network);
  ASSERT_EQ(network.Run(), Ending::kDrained);
  naive.Run(network.cycle() + 100);
  EXPECT_GT(network.statistics().dropped(), 0);
  for (std::size_t j = 0; j < naive.jobs.size(); ++j) {
    EXPECT_EQ(network.statistics().jobs[j].phase_end, naive.jobs[j].phase_end);
    EXPECT_EQ(network.statistics().jobs[j].ranks_done, naive.jobs[j].ranks_done);
  }
}

TEST(Resend, LookaheadOrdersAndProcessesChangeNothing) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  for (const char* routing : {"adaptive_0", "in_order"}) {
    NetworkOptions options = Lossy(routing, 900);
    options.stalls = true;
    const std::string whole = TextOf(topology, options);
    for (const int size : {2, 4}) {
      OnThreads(size, [&](Processes& processes) {
        Network network(topology, options, &processes);
        const Ending ending = network.Run();
        const Figures figures(network);
        if (processes.first()) EXPECT_EQ(Text(network, ending, figures), whole) << size;
      });
    }
    options.lookahead = 3;
    EXPECT_EQ(TextOf(topology, options), whole) << "a short lookahead";
    options.lookahead = 0;
    options.order = 5;
    EXPECT_EQ(TextOf(topology, options), whole) << "another order";
    options.whole = true;
    EXPECT_EQ(TextOf(topology, options), whole) << "one domain";
  }
}

/// From states in which packets are out, timed out, and channels closed.
TEST(Resend, ARunGoesOnFromAStateWithPacketsOutstanding) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const NetworkOptions options = Lossy("in_order", 900);
  const std::string whole = TextOf(topology, options);
  for (const Cycle at : {1, 800, 1700, 2900, 3600}) {
    Network first(topology, options);
    ASSERT_FALSE(first.RunTo(first.nics().begin + at).has_value());
    std::deque<SavedBytes> pieces;
    first.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
    Network second(topology, options);
    second.Load([&] {
      SavedBytes piece = std::move(pieces.front());
      pieces.pop_front();
      return piece;
    });
    const Ending ending = second.Run();
    EXPECT_EQ(Text(second, ending, Figures(second)), whole) << at;
  }
}

TEST(Resend, ArrivalsAreASetOfNumbers) {
  Stream random(1, 0, 0, Purpose::kOrder);
  for (int round = 0; round < 20; ++round) {
    Arrivals arrivals;
    std::set<std::pair<int, std::uint32_t>> expected;
    for (int i = 0; i < 2000; ++i) {
      PacketRecord record{};
      record.source = static_cast<std::int32_t>(random.Below(3));
      record.sequence = static_cast<std::uint32_t>(random.Below(i / 2 + 1));
      ASSERT_EQ(arrivals.Add(record), expected.insert({record.source, record.sequence}).second) << round << " " << i;
    }
  }
}

}  // namespace
}  // namespace tilefly::network
