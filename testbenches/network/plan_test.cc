// SPDX-License-Identifier: Apache-2.0
// Packets sent by plan: times, repetition, the end of a run that lasts until all is sent.
#include "testbenches/network/delivery_probe.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/thread_processes.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

/// Of every endpoint three packets, 700 cycles apart, to three others.
NetworkOptions Planned(int endpoints, int repeat) {
  NetworkOptions options;
  for (int i = 0; i < 3; ++i) {
    for (int e = 0; e < endpoints; ++e)
      options.traffic.plan.push_back({700 * i + e, e, (e + 1 + 17 * i) % endpoints, 64 + 9 * e});
  }
  options.traffic.repeat = repeat;
  options.traffic.period = 5000;
  options.routing = RoutingOptions::Named("in_order");
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  options.till_sent = true;
  return options;
}

TEST(Plan, RepeatsItselfAPeriodLater) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const std::vector<Delivery> once = DeliveriesOf(topology, Planned(72, 1));
  ASSERT_EQ(once.size(), 3u * 72);
  ASSERT_LT(once.back().last, 5000);
  std::vector<Delivery> expected;
  for (int round = 0; round < 4; ++round) {
    for (Delivery one : once) {
      one.last += 5000 * round;
      expected.push_back(one);
    }
  }
  EXPECT_EQ(DeliveriesOf(topology, Planned(72, 4)), expected);
}

TEST(Plan, EndsWithTheLastDelivery) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  Network network(topology, Planned(72, 2));
  ASSERT_EQ(network.Run(), Ending::kDrained);
  EXPECT_EQ(network.nics().measured.to, network.cycle());
  EXPECT_LT(network.cycle() - network.nics().begin, 10000);
  EXPECT_EQ(network.statistics().delivered(), 2 * 3 * 72);
}

TEST(Plan, IsTheSameOnAnyNumberOfProcesses) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const NetworkOptions options = Planned(72, 3);
  std::vector<std::string> texts;
  for (const int size : {1, 2, 4}) {
    OnThreads(size, [&](Processes& processes) {
      Network network(topology, options, &processes);
      const Ending ending = network.Run();
      const Figures figures(network);
      if (processes.first()) texts.push_back(Text(network, ending, figures));
    });
  }
  EXPECT_EQ(texts[1], texts[0]);
  EXPECT_EQ(texts[2], texts[0]);
}

TEST(Plan, GoesOnFromACheckpoint) {
  const auto topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const NetworkOptions options = Planned(72, 3);
  Network whole(topology, options);
  const Ending ending = whole.Run();
  Network first(topology, options);
  ASSERT_FALSE(first.RunTo(first.nics().begin + 6000).has_value());
  std::vector<SavedBytes> pieces;
  first.Save([&](const SavedBytes& piece) { pieces.push_back(piece); });
  Network second(topology, options);
  std::size_t next = 0;
  second.Load([&] { return pieces[next++]; });
  EXPECT_EQ(second.Run(), ending);
  EXPECT_EQ(Text(second, ending, Figures(second)), Text(whole, ending, Figures(whole)));
}

}  // namespace
}  // namespace tilefly::network
