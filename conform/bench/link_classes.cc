// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/link_classes.h"

#include <utility>

#include "qos/planner.h"

namespace tilefly::conform {
namespace {

qos::TrafficClass ClassOf(const char* name, int level, std::int64_t percent, const Profile& profile) {
  qos::TrafficClass one;
  one.name = name;
  one.level = level;
  one.mtu = profile.mtu_cells;
  one.share = percent * (qos::kWhole / 100);
  one.lanes = {3 * level, 3 * level + 1, 3 * level + 2};
  one.own_lanes = true;
  return one;
}

}  // namespace

cosim::ClassSetup FourClasses(const Profile& profile, int lanes, bool lossy, bool other) {
  qos::WishList wishes;
  wishes.file = "the tests' four classes";
  wishes.entries = profile.dtable_entries;
  wishes.units.link_mbps = 50'000 * lanes;
  wishes.units.gmtu = profile.mtu_cells;
  qos::TrafficClass first = ClassOf("LL", 0, 2, profile);
  first.group = 1;
  first.maximum = qos::Maximum{5 * (qos::kWhole / 100), 4 * profile.mtu_cells};
  first.distance = 4;
  wishes.classes = {std::move(first), ClassOf("BD", 1, other ? 50 : 20, profile), ClassOf("BE", 2, other ? 20 : 50, profile),
                    ClassOf("ET", 3, 20, profile)};
  wishes.classes.back().lossy = lossy;
  return cosim::ClassSetup(qos::MakePlan(wishes, {}).table, wishes.file, profile, lanes);
}

}  // namespace tilefly::conform
