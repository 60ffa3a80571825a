// SPDX-License-Identifier: Apache-2.0
// Links that a fault plan takes down and brings up, and registers that it writes (docs/network.md, Links with faults).
#include "network/planned_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/figures.h"
#include "support/errors.h"
#include "testbenches/network/routed_run.h"
#include "testbenches/network/run_text.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using ::testing::HasSubstr;

constexpr int kSwitch = 5, kLink = 3;  ///< a link to another switch

topology::Topology Dragonfly() { return topology::Build("dragonfly:p=2,a=4,h=2"); }

NetworkOptions With(std::vector<faults::PlannedEvent> events) {
  NetworkOptions options = Sized("uniform", 0.1, "64,512", false);
  faults::Plan plan;
  plan.events = std::move(events);
  options.fault_plan = std::make_shared<const faults::Plan>(plan);
  return options;
}

faults::PlannedEvent Event(Cycle at, faults::EventKind kind) {
  faults::PlannedEvent event;
  event.at = at;
  event.kind = kind;
  event.link = {faults::LinkName::End::kSwitchPort, kSwitch, kLink};
  event.origin = "plan:" + std::to_string(at) + ": event";
  return event;
}

faults::PlannedEvent DownFor(Cycle at, Cycle cycles) {
  faults::PlannedEvent event = Event(at, faults::EventKind::kDown);
  event.cycles = cycles;
  return event;
}

std::string TextOf(const NetworkOptions& options) {
  Network network(Dragonfly(), options);
  const Ending ending = network.Run();
  return Text(network, ending, Figures(network));
}

std::string Refusal(const NetworkOptions& options) {
  try {
    Network network(Dragonfly(), options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

/// Cycles of traffic in which the link carries a packet's first word, at the sending end.
class Carried : public NodeProbe {
 public:
  explicit Carried(const Network& network) : begin_(network.nics().begin) {}
  void Stepped(int, Cycle, const golden::Switch&) override {}
  void ToldCredit(int, int, const LinkCredit&) override {}
  bool NeedsSteps() const override { return false; }
  void Carries(const LinkEvent& event) override {
    if (event.node == kSwitch && event.port == kLink && !event.from_nic && event.kind == LinkKind::kPacket)
      cycles.push_back(event.wire - begin_);
  }
  std::vector<Cycle> cycles;

 private:
  Cycle begin_;
};

TEST(PlannedLinks, ADownForEverIsAFailLink) {
  NetworkOptions option = Sized("uniform", 0.1, "64,512", false);
  option.faults = {{kSwitch, kLink, 900}};
  EXPECT_EQ(TextOf(With({Event(900, faults::EventKind::kDown)})), TextOf(option));
}

TEST(PlannedLinks, ALinkThatComesUpCarriesPacketsAgain) {
  for (const bool by_event : {false, true}) {
    NetworkOptions options = by_event ? With({Event(1500, faults::EventKind::kDown), Event(3000, faults::EventKind::kUp)})
                                            : With({DownFor(1500, 1500)});
    options.traffic.load = 0.3;
    Network network(Dragonfly(), options);
    Carried carried(network);
    network.set_probe(&carried);
    EXPECT_EQ(network.Run(), Ending::kDrained);
    const Statistics& sums = network.statistics();
    EXPECT_GT(sums.lost, 0) << "what was on the link";
    EXPECT_EQ(sums.sent(), sums.delivered() + sums.lost + sums.dropped());
    int before = 0, behind = 0;
    for (const Cycle cycle : carried.cycles) {
      EXPECT_FALSE(cycle > 1510 && cycle < 3000) << cycle;
      before += cycle <= 1510;
      behind += cycle >= 3000;
    }
    EXPECT_GT(before, 5);
    EXPECT_GT(behind, 5);
  }
}

/// The words that were on the link are gone by then, and the MACs are empty.
TEST(PlannedLinks, ComeUpNoEarlierThanTheLinkIsEmpty) {
  const Network network(Dragonfly(), With({DownFor(900, 10)}));
  ASSERT_EQ(network.faults().downs().size(), 1u);
  EXPECT_EQ(network.faults().downs()[0].asked, 910);
  EXPECT_EQ(network.faults().downs()[0].till, 900 + 2 * 210 + 548);
}

TEST(PlannedLinks, OfOneLinkThatContradictOneAnotherAreRefused) {
  EXPECT_THAT(Refusal(With({DownFor(900, 2000), Event(1000, faults::EventKind::kDown)})), HasSubstr("the link is down then"));
  EXPECT_THAT(Refusal(With({Event(1000, faults::EventKind::kUp)})), HasSubstr("plan:1000: event: the link is not down then"));
  EXPECT_EQ(Refusal(With({DownFor(900, 1000), DownFor(2000, 1000)})), "accepted");
  NetworkOptions both = With({DownFor(900, 1000)});
  both.faults = {{kSwitch, kLink, 900}};
  EXPECT_THAT(Refusal(both), HasSubstr("give one of them"));
  NetworkOptions retry = With({DownFor(900, 1000)});
  retry.retry = true;
  EXPECT_EQ(Refusal(retry), "accepted");
}

/// Without a port towards a group, packets for the group are dropped from the write on.
TEST(PlannedLinks, AWriteOfARoutingTableCountsFromItsCycleOn) {
  const auto write = [](Cycle at, CfgSpace space, int node) {
    faults::PlannedEvent event = Event(at, faults::EventKind::kTable);
    event.write.node = node;
    event.write.space = space;
    event.write.index = 3;
    return event;
  };
  const auto drops = [&](Cycle at) {
    Network network(Dragonfly(), With({write(at, CfgSpace::kRouteGroup, kSwitch)}));
    EXPECT_EQ(network.Run(), Ending::kDrained);
    EXPECT_EQ(network.statistics().sent(), network.statistics().delivered() + network.statistics().dropped());
    return network.statistics().drops[static_cast<std::size_t>(Drop::kNoRoute)];
  };
  EXPECT_GT(drops(0), drops(2000));
  EXPECT_GT(drops(2000), 0);
  EXPECT_EQ(drops(100'000), 0);
  NetworkOptions late = With({write(100'000, CfgSpace::kRouteGroup, kSwitch)}), none = late;
  none.fault_plan = nullptr;
  EXPECT_EQ(TextOf(late), TextOf(none)) << "a write behind the end makes no run longer";
  EXPECT_THAT(Refusal(With({write(5, CfgSpace::kPort, kSwitch)})), HasSubstr("and not PORT"));
  EXPECT_THAT(Refusal(With({write(5, CfgSpace::kRouteGroup, 36)})), HasSubstr("has no switch 36"));
}

}  // namespace
}  // namespace tilefly::network
