// SPDX-License-Identifier: Apache-2.0
// Routing tables for the states of a system's links, and the lanes that their paths need.
#include "network/state_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include "network/wiring.h"
#include "support/errors.h"
#include "testbenches/network/routed_run.h"
#include "topology/builder.h"
#include "topology/links_left.h"

namespace tilefly::network {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// A system, and what is needed for its tables.
struct Rig {
  explicit Rig(const std::string& name, const std::string& routing = "min", int lanes = 0)
      : topology(topology::Build(name)) {
    options.routing = RoutingOptions::Named(routing);
    faults::Plan plan;
    plan.manager = faults::Manager{500, true, lanes, "plan:1: manager"};
    options.fault_plan = std::make_shared<const faults::Plan>(plan);
    whole.emplace(topology, profile(), options.routing);
  }
  const Profile& profile() const { return *FindProfile(topology.profile); }
  StateTables Make(const std::vector<LinkFault>& downs, bool acks = false) const {
    return StateTables(topology, profile(), options, *whole, downs, acks, false);
  }
  std::string Refusal(const std::vector<LinkFault>& downs, bool acks = false) const {
    try {
      Make(downs, acks);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "accepted";
  }
  /// Down from cycle `at` on.
  LinkFault Down(int link, Cycle at, Cycle till = kNever) const {
    const topology::Port& end = topology.links[static_cast<std::size_t>(link)].a;
    LinkFault fault{end.at, end.port, at, till};
    fault.origin = "plan:" + std::to_string(at) + ": event";
    return fault;
  }
  /// Of a link between groups, or inside of one: its number.
  int First(topology::LinkKind kind) const {
    for (std::size_t link = 0; link < topology.links.size(); ++link) {
      if (topology.links[link].kind == kind) return static_cast<int>(link);
    }
    return -1;
  }

  topology::Topology topology;
  NetworkOptions options;
  std::optional<SystemRoutes> whole;
};

/// All entries of the tables as they would be written for the links that are left, without what the whole system has.
std::map<std::tuple<int, int, int>, golden::PortMask> Changed(const Rig& rig, const std::set<int>& down) {
  const topology::Topology left = topology::WithoutLinks(rig.topology, down);
  const std::unique_ptr<const SystemRoutes> routes = SystemRoutes::OfLinksLeft(left, rig.options.routing);
  std::map<std::tuple<int, int, int>, golden::PortMask> changed;
  for (int node = 0; node < static_cast<int>(rig.topology.switches.size()); ++node) {
    for (int group = 0; group < routes->groups(); ++group) {
      if (routes->ToGroup(node, group) != rig.whole->ToGroup(node, group))
        changed[{node, static_cast<int>(CfgSpace::kRouteGroup), group}] = routes->ToGroup(node, group);
    }
    for (int index = 0; index < SystemRoutes::kSwitches; ++index) {
      if (routes->ToSwitch(node, index) != rig.whole->ToSwitch(node, index))
        changed[{node, static_cast<int>(CfgSpace::kRouteSwitch), index}] = routes->ToSwitch(node, index);
    }
  }
  return changed;
}

TEST(StateTables, AreWhatDiffersFromTheWholeSystem) {
  const Rig rig("dragonfly:p=2,a=4,h=2");
  const int link = rig.First(topology::LinkKind::kGlobal);
  StateTables tables = rig.Make({rig.Down(link, 100, 5000), rig.Down(link + 1, 2000, 8000)});
  EXPECT_TRUE(tables.Of({}).entries.empty());
  for (const std::set<int>& down : {std::set<int>{link}, {link, link + 1}, {link + 1}}) {
    const LeftTables& made = tables.Of(down);
    EXPECT_EQ(made.refusal, "");
    EXPECT_EQ(made.cut_pairs, 0);
    std::map<std::tuple<int, int, int>, golden::PortMask> entries;
    std::tuple<int, int, int> before(-1, -1, -1);
    for (const LeftTables::Entry& one : made.entries) {
      const std::tuple<int, int, int> at(one.node, static_cast<int>(one.space), one.index);
      EXPECT_LT(before, at);
      before = at;
      entries[at] = one.ports;
    }
    EXPECT_GT(entries.size(), 3u);
    EXPECT_EQ(entries, Changed(rig, down));
    for (const int gone : down) {  // no table leads to the link any more
      for (const topology::Port& end : {rig.topology.links[gone].a, rig.topology.links[gone].b}) {
        for (const auto& [at, ports] : entries) {
          if (std::get<0>(at) == end.at) EXPECT_EQ(ports & golden::Bit(end.port), 0u);
        }
      }
    }
  }
}

/// A lane more wherever links do not come in the order local, global: only so many that nothing waits in a circle.
TEST(StateTables, GiveAClassTheLanesThatKeepItFreeOfDeadlock) {
  const Rig rig("dragonfly:p=2,a=4,h=2"), valiant("dragonfly:p=2,a=4,h=2", "valiant"),
      more("dragonfly:p=2,a=4,h=2", "valiant", 6);
  const int global = rig.First(topology::LinkKind::kGlobal), local = rig.First(topology::LinkKind::kLocal);
  EXPECT_EQ(rig.Make({}).plan().lanes, 2);
  for (int link = 0; link < static_cast<int>(rig.topology.links.size()); ++link)
    EXPECT_EQ(rig.Make({rig.Down(link, 100)}).plan().lanes, 2) << "the ways around one link close no circle: " << link;
  std::vector<LinkFault> eight;
  for (int i = 0; i < 8; ++i) eight.push_back(rig.Down(global + 3 * i, 100));
  EXPECT_EQ(rig.Make(eight).plan().lanes, 3) << "and those around eight do";
  EXPECT_EQ(valiant.Make({}).plan().lanes, 3);
  StateTables tables = valiant.Make({valiant.Down(local, 100), valiant.Down(global, 500, 900)});
  EXPECT_EQ(tables.plan().lanes, 4);
  EXPECT_EQ(tables.Of({local, global}).refusal, "");
  EXPECT_EQ(tables.Of({local}).refusal, "");
  EXPECT_THAT(valiant.Make({}).Of({global}).refusal,
              HasSubstr("paths need more than 3 virtual lanes a class; give the manager's key lanes more"));
  EXPECT_TRUE(valiant.Make({}).Of({global}).entries.empty());
  EXPECT_EQ(more.Make({}).plan().lanes, 6);
  EXPECT_EQ(more.Make({}).Of({global, local}).refusal, "");
}

/// A ring of leaves and switches on top: packets for the leaf on the other side go down, and up again.
TEST(StateTables, OfATreeRaiseTheLaneWherePacketsGoUpAgain) {
  const Rig rig("tree:k=4,n=2");
  std::vector<int> of_leaf(4);
  std::vector<LinkFault> downs;
  for (int link = 0; link < static_cast<int>(rig.topology.links.size()); ++link) {
    const topology::Link& one = rig.topology.links[static_cast<std::size_t>(link)];
    const int leaf = std::min(one.a.at, one.b.at), top = of_leaf.at(static_cast<std::size_t>(leaf))++;
    if (top != leaf && top != (leaf + 3) % 4) downs.push_back(rig.Down(link, 100));
  }
  ASSERT_EQ(downs.size(), 8u);
  EXPECT_EQ(rig.Make({downs.front()}).plan().lanes, 1);
  const StateTables tables = rig.Make(downs);
  EXPECT_EQ(tables.plan().lanes, 2);
  EXPECT_TRUE(tables.warnings().empty());
}

TEST(StateTables, AreRefusedWhereTheirPathsDoNotFit) {
  Rig rig("dragonfly:p=2,a=4,h=2", "valiant");
  const int global = rig.First(topology::LinkKind::kGlobal);
  for (int tc = 0; tc < 5; ++tc) {
    TrafficPart part;
    part.tc = tc;
    rig.options.traffic.classes.push_back(part);
  }
  ASSERT_EQ(rig.options.UsedClasses().size(), 5u);
  EXPECT_THAT(rig.Refusal({rig.Down(global, 700)}),
              AllOf(HasSubstr("plan:700: event: with the links that are down then (s"),
                    HasSubstr("paths need more than 3 virtual lanes a class"), HasSubstr("take fewer classes"),
                    HasSubstr("tables: off")));
  EXPECT_THAT(Rig("dragonfly:p=2,a=4,h=2", "min", 17).Refusal({}),
              HasSubstr("plan:1: manager: lanes: a class has at most 16"));
  const Rig torus("torus:size=6x4");
  std::vector<LinkFault> six;
  for (int i = 0; i < 6; ++i) six.push_back(torus.Down(7 * i, 700));
  EXPECT_THAT(torus.Refusal(six),
              AllOf(HasSubstr("plan:700: event"), HasSubstr("take another routing, or tables: off")));
  EXPECT_THAT(Rig("torus:size=6x4", "min", 5).Refusal({}), HasSubstr("no use for more"));
  // A chain of groups that are chains: 18 switches.
  const Rig far("dragonfly:p=2,a=4,h=2");
  std::vector<LinkFault> downs;
  for (int link = 0; link < static_cast<int>(far.topology.links.size()); ++link) {
    const topology::Link& one = far.topology.links[static_cast<std::size_t>(link)];
    const topology::Switch &a = far.topology.switches[one.a.at], &b = far.topology.switches[one.b.at];
    if (std::abs(one.kind == topology::LinkKind::kGlobal ? a.group - b.group : a.index - b.index) != 1)
      downs.push_back(far.Down(link, 300));
  }
  EXPECT_THAT(far.Refusal(downs),
              AllOf(HasSubstr("plan:300: event"), HasSubstr(" and "), HasSubstr("more)"),
                    HasSubstr("paths lead over 18 switches"), HasSubstr("the hop limit of profile")));
  // Over 8 switches, which are too many for an ack.
  const Rig small("dragonfly:p=1,a=2,h=1", "valiant");
  const std::vector<LinkFault> one = {small.Down(small.First(topology::LinkKind::kGlobal), 300)};
  EXPECT_EQ(small.Refusal(one), "accepted");
  EXPECT_THAT(small.Refusal(one, true), HasSubstr("take --acks off"));
}

TEST(StateTables, SayWhoIsCutOffAndWhatHasNoEffect) {
  const Rig rig("dragonfly:p=2,a=4,h=2", "min", 2);
  std::vector<LinkFault> downs;
  for (int link = 0; link < static_cast<int>(rig.topology.links.size()); ++link) {
    const topology::Link& one = rig.topology.links[static_cast<std::size_t>(link)];
    if (one.a.at == 6 || one.b.at == 6) downs.push_back(rig.Down(link, 300));
  }
  StateTables tables = rig.Make(downs);
  ASSERT_EQ(tables.warnings().size(), 2u);
  EXPECT_THAT(tables.warnings()[0], HasSubstr("plan:1: manager: lanes: 2 has no effect"));
  EXPECT_THAT(tables.warnings()[1], AllOf(HasSubstr("plan:300: event"), HasSubstr("packets of 70 pairs of switches")));
}

}  // namespace
}  // namespace tilefly::network
