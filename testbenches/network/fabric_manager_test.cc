// SPDX-License-Identifier: Apache-2.0
// When the manager of a fabric writes which registers.
#include "network/fabric_manager.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <utility>

#include "golden/common/archive.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

constexpr Cycle kBegin = 1000, kDelay = 300;

/// A dragonfly, and what its registers of routing hold behind the manager's writes.
class Rig {
 public:
  explicit Rig(std::vector<LinkFault> downs)
      : topology_(topology::Build("dragonfly:p=2,a=4,h=2")), downs_(std::move(downs)) {
    faults::Plan plan;
    plan.manager = faults::Manager{kDelay, true, 5, "plan:1: manager"};
    options_.fault_plan = std::make_shared<const faults::Plan>(plan);
    whole_.emplace(topology_, *FindProfile("tile8"), options_.routing);
    tables_.emplace(topology_, *FindProfile("tile8"), options_, *whole_, downs_, false, false);
    manager_.emplace(topology_, &*tables_, kDelay);
    manager_->Begin(kBegin, downs_);
  }

  /// Acts, and keeps what is written. No register bus has two writes in one cycle.
  void Act(Cycle end) {
    manager_->Act(end, [&](int node, const std::vector<Cfg>& writes, Cycle bus) {
      for (const Cfg& write : writes) {
        EXPECT_TRUE(buses_.emplace(std::pair(node, bus), write).second) << node << " " << bus;
        first_ = std::min(first_, bus);
        held_[{node, write.space, write.index}] = write.data;
        ++bus;
      }
    });
  }
  /// Registers that do not hold what the tables for these links have.
  int CountWrong(const std::set<int>& down) {
    std::map<std::tuple<int, int, int>, golden::PortMask> left;
    for (const LeftTables::Entry& one : tables_->Of(down).entries)
      left[{one.node, static_cast<int>(one.space), one.index}] = one.ports;
    int wrong = 0;
    for (int node = 0; node < static_cast<int>(topology_.switches.size()); ++node) {
      for (const auto& [space, count] :
           {std::pair(CfgSpace::kRouteGroup, whole_->groups()), {CfgSpace::kRouteSwitch, SystemRoutes::kSwitches}}) {
        for (int index = 0; index < count; ++index) {
          const std::tuple<int, int, int> at(node, static_cast<int>(space), index);
          const auto found = left.find(at);
          const golden::PortMask expected = found != left.end() ? found->second : tables_->Whole(node, space, index);
          const auto holds = held_.find(at);
          wrong += (holds != held_.end() ? holds->second : tables_->Whole(node, space, index)) != expected;
        }
      }
    }
    return wrong;
  }
  FabricManager& manager() { return *manager_; }
  const std::map<std::pair<int, Cycle>, Cfg>& buses() const { return buses_; }
  Cycle first() const { return first_; }

 private:
  topology::Topology topology_;
  std::vector<LinkFault> downs_;
  NetworkOptions options_;
  std::optional<SystemRoutes> whole_;
  std::optional<StateTables> tables_;
  std::optional<FabricManager> manager_;
  std::map<std::pair<int, Cycle>, Cfg> buses_;
  std::map<std::tuple<int, int, int>, golden::PortMask> held_;
  Cycle first_ = kNever;
};

/// The end a of a link of this dragonfly.
LinkFault Down(int link, Cycle at, Cycle till) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  const topology::Port& end = topology.links[static_cast<std::size_t>(link)].a;
  return {end.at, end.port, at, till};
}

TEST(FabricManager, WritesAfterTheDelayAndEachRegisterThatChanges) {
  Rig rig({Down(60, 100, 2000)});
  EXPECT_EQ(rig.manager().due(), kBegin + 100 + kDelay);
  rig.Act(kBegin + 100 + kDelay);
  EXPECT_EQ(rig.first(), kNever) << "not before its cycle";
  rig.Act(kBegin + 101 + kDelay);
  EXPECT_EQ(rig.first(), kBegin + 100 + kDelay);
  EXPECT_EQ(rig.CountWrong({60}), 0);
  EXPECT_GT(rig.CountWrong({}), 3);
  const std::size_t writes = rig.buses().size();
  EXPECT_EQ(rig.manager().due(), kBegin + 2000 + kDelay);
  rig.Act(kNever);
  EXPECT_EQ(rig.CountWrong({}), 0) << "the tables of the whole system again";
  EXPECT_EQ(rig.buses().size(), 2 * writes);
  EXPECT_EQ(rig.manager().due(), kNever);
  const std::vector<ManagerAct>& acts = rig.manager().acts();
  ASSERT_EQ(acts.size(), 2u);
  EXPECT_EQ(acts[0].writes, static_cast<std::int64_t>(writes));
  EXPECT_EQ(acts[0].links, std::vector<int>{60});
  EXPECT_EQ(acts[1].change, kBegin + 2000);
  Cycle last = 0;
  for (const auto& [at, write] : rig.buses()) last = std::max(last, at.second);
  EXPECT_EQ(acts[1].till, last + 1);
}

/// Each change has its tables, those of its own cycle, and a bus one write in each cycle.
TEST(FabricManager, WritesForChangesThatOverlap) {
  Rig rig({Down(60, 100, 2000), Down(0, 102, 2001), Down(61, 100, kNever)});
  rig.Act(kBegin + 101 + kDelay);
  EXPECT_EQ(rig.CountWrong({60, 61}), 0);
  rig.Act(kBegin + 103 + kDelay);
  EXPECT_EQ(rig.CountWrong({0, 60, 61}), 0);
  rig.Act(kBegin + 2001 + kDelay);
  EXPECT_EQ(rig.CountWrong({0, 61}), 0);
  rig.Act(kNever);
  EXPECT_EQ(rig.CountWrong({61}), 0);
  ASSERT_EQ(rig.manager().acts().size(), 4u);
  EXPECT_EQ(rig.manager().acts()[0].links, (std::vector<int>{60, 61}));
}

/// A change one cycle after another: its writes follow those that a switch still gets.
TEST(FabricManager, KeepsOneWriteInEachCycleOfABus) {
  const topology::Topology topology = topology::Build("dragonfly:p=2,a=4,h=2");
  std::vector<LinkFault> downs;
  for (int link = 0; link < static_cast<int>(topology.links.size());
       ++link) {  // switch 5 loses one link after the other
    const topology::Link& one = topology.links[static_cast<std::size_t>(link)];
    if (one.a.at == 5 || one.b.at == 5) downs.push_back(Down(link, 100 + static_cast<Cycle>(downs.size()), kNever));
  }
  ASSERT_EQ(downs.size(), 5u);
  Rig rig(downs);
  rig.Act(kNever);
  std::vector<Cycle> cycles;
  for (const auto& [at, write] : rig.buses()) {
    if (at.first == 5) cycles.push_back(at.second);
  }
  ASSERT_GT(cycles.size(), 10u);
  EXPECT_GE(cycles.front(), kBegin + 100 + kDelay);
  EXPECT_GT(cycles.back(), kBegin + 105 + kDelay) << "it takes longer than the changes";
}

/// Both ends give a link up, one soon after the other; later it comes up.
TEST(FabricManager, LeavesOutLinksThatWereGivenUp) {
  Rig rig({});
  EXPECT_EQ(rig.manager().due(), kNever);
  const LinkFault end = Down(60, 0, 0);
  rig.manager().Learn({end.node, end.port, 5000, 6000});
  rig.manager().Learn({end.node, end.port, 5010, 6010});
  rig.manager().Learn({0, 0, 5020, 6020});
  EXPECT_EQ(rig.manager().due(), 5000 + kDelay)
      << "endpoint 0 is at port 0 of switch 0, and that link is none of the manager's";
  rig.Act(6009 + kDelay);
  EXPECT_EQ(rig.CountWrong({60}), 0);
  rig.Act(6011 + kDelay);
  EXPECT_EQ(rig.CountWrong({}), 0);
  EXPECT_EQ(rig.manager().acts().size(), 2u);
}

TEST(FabricManager, GoesOnFromASavedState) {
  Rig whole({Down(60, 100, 2000), Down(0, 102, 2001)}), resumed({Down(60, 100, 2000), Down(0, 102, 2001)});
  const LinkFault end = Down(30, 0, 0);
  whole.manager().Learn({end.node, end.port, kBegin + 90, kBegin + 2050});
  whole.Act(kBegin + 103 + kDelay);
  SavedBytes bytes;
  Saver save(&bytes);
  save(whole.manager());
  Loader load(bytes);
  load(resumed.manager());
  resumed.manager().Resume();
  EXPECT_EQ(resumed.manager().due(), whole.manager().due());
  const std::map<std::pair<int, Cycle>, Cfg> before = whole.buses();
  whole.Act(kNever);
  resumed.Act(kNever);
  std::map<std::pair<int, Cycle>, Cfg> all = before;
  for (const auto& [at, write] : resumed.buses()) EXPECT_TRUE(all.emplace(at, write).second);
  ASSERT_EQ(all.size(), whole.buses().size());
  for (const auto& [at, write] : whole.buses()) EXPECT_TRUE(all.at(at) == write);
  EXPECT_EQ(resumed.manager().acts().size(), whole.manager().acts().size());
  EXPECT_EQ(resumed.manager().acts().front().change, kBegin + 90);
}

}  // namespace
}  // namespace tilefly::network
