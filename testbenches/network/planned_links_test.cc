// SPDX-License-Identifier: Apache-2.0
// Links that a fault plan takes down and brings up, and registers that it writes (docs/network.md, Links with faults).
#include "network/planned_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/figures.h"
#include "support/errors.h"
#include "testbenches/network/routed_run.h"
#include "testbenches/network/run_text.h"
#include "testbenches/network/systems.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using ::testing::HasSubstr;

constexpr int kSwitch = 5, kLink = 3;  ///< a link to another switch

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
  EXPECT_EQ(TextOf(Dragonfly(), With({Event(900, faults::EventKind::kDown)})), TextOf(Dragonfly(), option));
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
  EXPECT_THAT(Refusal(Dragonfly(), With({DownFor(900, 2000), Event(1000, faults::EventKind::kDown)})), HasSubstr("the link is down then"));
  EXPECT_THAT(Refusal(Dragonfly(), With({Event(1000, faults::EventKind::kUp)})), HasSubstr("plan:1000: event: the link is not down then"));
  EXPECT_EQ(Refusal(Dragonfly(), With({DownFor(900, 1000), DownFor(2000, 1000)})), "accepted");
  NetworkOptions both = With({DownFor(900, 1000)});
  both.faults = {{kSwitch, kLink, 900}};
  EXPECT_THAT(Refusal(Dragonfly(), both), HasSubstr("give one of them"));
  NetworkOptions retry = With({DownFor(900, 1000)});
  retry.retry = true;
  EXPECT_EQ(Refusal(Dragonfly(), retry), "accepted");
}

faults::PlannedLink Entry(faults::LinkName link, faults::Direction direction, double word_ber) {
  faults::PlannedLink entry;
  entry.link = link;
  entry.direction = direction;
  entry.rates.word_ber = word_ber;
  entry.origin = "plan: " + link.Text();
  return entry;
}

/// Either end names a link, and no entry overrides another.
TEST(PlannedLinks, NamedByTheirTwoEndsHaveAnEntryForEachDirection) {
  using End = faults::LinkName::End;
  const Wiring wiring(Dragonfly(), 8, LinkTiming::Bench());
  const FarEnd& far = wiring.far(kSwitch, kLink);
  const faults::LinkName near{End::kSwitchPort, kSwitch, kLink}, other{End::kSwitchPort, far.node, far.port};
  const auto with = [](std::vector<faults::PlannedLink> links) {
    NetworkOptions options = Sized("uniform", 0.1, "64,512", false);
    faults::Plan plan;
    plan.links = std::move(links);
    options.retry = true;
    options.fault_plan = std::make_shared<const faults::Plan>(plan);
    return options;
  };
  using faults::Direction;
  EXPECT_THAT(Refusal(Dragonfly(), with({Entry(near, Direction::kBoth, 1e-4), Entry(other, Direction::kBoth, 1e-6)})),
              AllOf(HasSubstr("plan: " + other.Text() + ": "), HasSubstr("stands twice"), HasSubstr(near.Text() + " is its other end")));
  EXPECT_THAT(Refusal(Dragonfly(), with({Entry(near, Direction::kOut, 1e-4), Entry(other, Direction::kIn, 1e-6)})), HasSubstr("stands twice"));
  EXPECT_THAT(Refusal(Dragonfly(), with({Entry({End::kEndpoint, 0, 0}, Direction::kIn, 1e-4), Entry({End::kSwitchPort, 0, 0}, Direction::kBoth, 0)})),
              HasSubstr("e0 is its other end"));
  const Network network(Dragonfly(), with({Entry(near, Direction::kOut, 1e-4), Entry(other, Direction::kOut, 1e-6)}));
  EXPECT_EQ(network.faults().Into(far.node, far.port).rates.word_ber, 1e-4);
  EXPECT_EQ(network.faults().Into(kSwitch, kLink).rates.word_ber, 1e-6);
}

/// The replay buffer has no room for what is on them.
TEST(PlannedLinks, ThatAreTooLongAreRefusedWithRetry) {
  topology::Topology pair = topology::Build("dragonfly:p=2,a=1,h=1");
  pair.links.front().metres = 120;
  NetworkOptions options = Sized("uniform", 0.1, "64,512", false);
  EXPECT_NO_THROW(Network(pair, options));
  options.retry = true;
  EXPECT_THROW(Network(pair, options), UsageError);
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
  EXPECT_EQ(TextOf(Dragonfly(), late), TextOf(Dragonfly(), none)) << "a write behind the end makes no run longer";
  EXPECT_THAT(Refusal(Dragonfly(), With({write(5, CfgSpace::kPort, kSwitch)})), HasSubstr("and not PORT"));
  EXPECT_THAT(Refusal(Dragonfly(), With({write(5, CfgSpace::kRouteGroup, 36)})), HasSubstr("has no switch 36"));
  const auto of = [&](CfgSpace space, int index, std::uint64_t value) {
    faults::PlannedEvent event = write(5, space, kSwitch);
    event.write.index = index;
    event.write.value = value;
    return Refusal(Dragonfly(), With({event}));
  };
  EXPECT_THAT(of(CfgSpace::kRouteGroup, 9, 0x30), HasSubstr("no index 9 here: groups are 0 to 8"));
  EXPECT_THAT(of(CfgSpace::kRouteSwitch, 4, 0x30), HasSubstr("switches of group 1 are 0 to 3"));
  EXPECT_THAT(of(CfgSpace::kRouteGroup, 2, std::uint64_t{1} << 63), HasSubstr("bit 63, and no link is at port 63"));
  EXPECT_EQ(of(CfgSpace::kRouteGroup, 8, 0x30), "accepted");
  EXPECT_EQ(of(CfgSpace::kRouteSwitch, 3, 0), "accepted");
}

}  // namespace
}  // namespace tilefly::network
