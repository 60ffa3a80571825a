// SPDX-License-Identifier: Apache-2.0
// Injection queues of NICs, one for each class (docs/network.md, Queues of a NIC).
#include <gtest/gtest.h>

#include "testbenches/network/hand_made.h"
#include "testbenches/network/naive_system.h"
#include "testbenches/network/nic_runs.h"
#include "testbenches/network/run_text.h"

namespace tilefly::network {
namespace {

/// A packet as it starts on a NIC's link.
struct Begun {
  Cycle created;
  Cycle wire;
  int tc;
};

/// All that NICs start, by endpoint.
class StartProbe final : public DeliveryProbe {
 public:
  using DeliveryProbe::DeliveryProbe;
  void Carries(const LinkEvent& event) override {
    if (event.from_nic && event.kind == LinkKind::kPacket)
      starts[event.record.source].push_back({event.record.created, event.wire, event.header.tc()});
  }

  std::map<int, std::vector<Begun>> starts;
};

/// Endpoints 1 to 5 send class 0 to endpoint 7 as fast as they can. Endpoint 0 sends it the same, and class 1 to 6: of
/// each a packet in 40 cycles.
NetworkOptions OneOfTwoBlocked(bool class_queues) {
  constexpr int kLength = 512;
  NetworkOptions options;
  options.bench_timing = true;
  options.warmup = 0;
  options.cycles = 8000;
  options.nics.class_queues = class_queues;
  for (Cycle at = 0; at < options.cycles; at += 40) {
    options.traffic.plan.push_back({at, 0, 7, kLength, 0});
    options.traffic.plan.push_back({at, 0, 6, kLength, 1});
  }
  for (int from = 1; from <= 5; ++from) {
    for (Cycle at = 0; at < options.cycles; at += SlotCyclesOf(WordsOf(kLength), 4))
      options.traffic.plan.push_back({at, from, 7, kLength, 0});
  }
  return options;
}

TEST(ClassQueues, ABlockedClassHoldsBackItselfAlone) {
  for (const bool class_queues : {true, false}) {
    Network network(LoneSwitch(), OneOfTwoBlocked(class_queues));
    network.Run();
    const ClassStatistics& blocked = network.statistics().classes[0];
    const ClassStatistics& free = network.statistics().classes[1];
    // Of what six endpoints send to one, a link's worth comes.
    EXPECT_NEAR(static_cast<double>(blocked.words) / 8000, 1, 0.1);
    if (class_queues) {
      EXPECT_EQ(free.sent, 8000 / 40);
      EXPECT_LT(free.latency.Quantile(1), 200);
    } else {
      EXPECT_LT(free.sent, 8000 / 40 / 2) << "it waits behind the other class";
      EXPECT_GT(free.latency.Quantile(1), 3000);
    }
    EXPECT_GT(network.node(0).nics()[0].counters().stalled_cycles, class_queues ? 1000 : 4000);
  }
}

/// Classes that have packets take turns, packet by packet, in the order of their numbers; in one queue they do not.
TEST(ClassQueues, ClassesTakeTurns) {
  NetworkOptions options;
  options.cycles = 1'000'000;
  options.warmup = 0;
  const std::vector<int> classes = {5, 5, 5, 2, 2, 7};
  for (const int tc : classes) options.traffic.plan.push_back({0, 0, 3, 512, tc});
  for (const bool class_queues : {true, false}) {
    options.nics.class_queues = class_queues;
    Network network(LoneSwitch(), options);
    StartProbe probe(network.wiring());
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    std::vector<int> order;
    for (const Begun& one : probe.starts[0]) order.push_back(one.tc);
    EXPECT_EQ(order, class_queues ? (std::vector<int>{2, 5, 7, 2, 5, 5}) : classes);
  }
}

topology::Topology Small() { return topology::Build("dragonfly:p=2,a=2,h=1"); }

/// A hot endpoint and three classes, whose lanes' credits come to an end.
NetworkOptions ThreeClasses() {
  NetworkOptions options = WithAcks();
  options.bench_timing = true;
  options.cycles = 2500;
  options.traffic.pattern = "hotspot:5:0.5";
  options.traffic.load = 0.8;
  options.traffic.size = "64,500,2000";
  options.traffic.classes = {{1, 1, kTile8.mtu_bytes}, {3, 0.4, kTile8.mtu_bytes}, {4, 2, 600}};
  return options;
}

/// `resends`, `stalled`, `held`: copies, cycles without credit and with a full window that there are at least.
void ExpectNaive(NetworkOptions options, std::int64_t resends, std::int64_t stalled, std::int64_t held) {
  const topology::Topology topology = Small();
  for (const bool class_queues : {true, false}) {
    options.nics.class_queues = class_queues;
    Network network(topology, options);
    NaiveSystem naive(network);
    NicProbe probe(network.wiring());
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    ExpectBooks(network);
    std::vector<Delivery> expected = naive.Run(network.cycle() + 5000);
    std::sort(expected.begin(), expected.end());
    std::sort(probe.deliveries.begin(), probe.deliveries.end());
    EXPECT_TRUE(probe.deliveries == expected);
    EXPECT_GT(expected.size(), 300u);
    const Nic::Counters sum = SumOf(network);
    EXPECT_EQ(sum.window_cycles, naive.waits.window);
    EXPECT_EQ(sum.stalled_cycles, naive.waits.credit);
    EXPECT_EQ(sum.resends, naive.resent);
    EXPECT_GE(sum.resends, resends);
    EXPECT_GE(sum.stalled_cycles, stalled);
    EXPECT_GE(sum.window_cycles, held);
  }
}

TEST(ClassQueues, ASystemIsTheNaiveOne) {
  ExpectNaive(ThreeClasses(), 0, 1000, 0);
  NetworkOptions narrow = ThreeClasses();
  narrow.nics.window = 30;
  ExpectNaive(narrow, 0, 1, 1000);
}

TEST(ClassQueues, CopiesOfABlockedClassLetTheOthersPass) {
  NetworkOptions options = ThreeClasses();
  options.nics.resend = 1500;
  options.nics.most_resends = 3;
  ExpectNaive(options, 300, 1000, 0);
  options.routing = RoutingOptions::Named("in_order");
  options.routing.flows = 30;
  ExpectNaive(options, 100, 0, 1);
}

/// Packets of a class start in the order of their creation; those of several do not, where one of them waits.
TEST(ClassQueues, TheOrderWithinAClassIsKept) {
  for (const bool class_queues : {true, false}) {
    NetworkOptions options = ThreeClasses();
    options.nics.class_queues = class_queues;
    Network network(Small(), options);
    StartProbe probe(network.wiring());
    network.set_probe(&probe);
    ASSERT_EQ(network.Run(), Ending::kDrained);
    int overtaken = 0, checked = 0;
    for (const auto& [endpoint, starts] : probe.starts) {
      std::map<int, Cycle> latest;
      Cycle all = 0;
      for (const Begun& one : starts) {
        EXPECT_GE(one.created, latest[one.tc]);
        latest[one.tc] = one.created;
        overtaken += one.created < all;
        all = std::max(all, one.created);
        ++checked;
      }
    }
    EXPECT_GT(checked, 500);
    if (class_queues) {
      EXPECT_GT(overtaken, 50);
    } else {
      EXPECT_EQ(overtaken, 0);
    }
  }
}

/// With one class nothing differs, and what was never sent is counted alike.
TEST(ClassQueues, OneClassIsOneQueue) {
  const topology::Topology topology = Small();
  for (const char* pattern : {"uniform", "adversarial:1", "hotspot:5:0.5"}) {
    std::vector<std::string> texts;
    for (const bool class_queues : {true, false}) {
      NetworkOptions options = WithAcks("adaptive_0");
      options.bench_timing = true;
      options.traffic.pattern = pattern;
      options.traffic.load = 0.9;
      options.traffic.classes = {{4, 1, kTile8.mtu_bytes}};
      options.nics.class_queues = class_queues;
      options.stalls = true;
      options.sample = 500;
      Network network(topology, options);
      const Ending ending = network.Run();
      texts.push_back(Text(network, ending, Figures(network)));
    }
    EXPECT_EQ(texts[0], texts[1]) << pattern;
  }
}

/// What was created was sent, or waits: by class and by number, whatever was looked at.
TEST(ClassQueues, BooksCountWhatWaits) {
  std::vector<std::int64_t> created;
  for (const bool class_queues : {true, false}) {
    NetworkOptions options = ThreeClasses();
    options.nics.class_queues = class_queues;
    Network network(Small(), options);
    network.Run();
    const Figures figures(network);
    EXPECT_GT(figures.queue.packets, 100);
    created.push_back(network.statistics().sent() + figures.queue.packets);
    created.push_back(network.statistics().offered_words + figures.queue.measured_words);
  }
  EXPECT_EQ(created[0], created[2]);
  EXPECT_EQ(created[1], created[3]);
}

}  // namespace
}  // namespace tilefly::network
