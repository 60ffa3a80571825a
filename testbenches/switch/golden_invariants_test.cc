// SPDX-License-Identifier: Apache-2.0
// The invariants of the block pages hold in a saturated golden switch, observed or not (docs/testing.md, Invariants).
#include <gtest/gtest.h>

#include "testbenches/bench/bites.h"
#include "testbenches/bench/settings.h"
#include "testbenches/switch/saturation.h"

namespace tilefly::golden {
namespace {

void HoldIn(const Profile& profile, bool observed) {
  PacketRig rig(profile);
  SwitchObservation observation;
  if (observed) rig.device().Observe(&observation);
  Random random(bench::SeedOf(bench::RootSeed(), profile.name));
  const int lengths[] = {64, 1024, profile.mtu_bytes};
  rig.set_source([&](int port) {
    const int output = random.Below(3) == 0 ? 5 : random.Below(profile.ports);
    return PacketRig::Request{output, lengths[random.Below(3)], random.Below(8), rig.cycle() + random.Below(8) + port % 2};
  });
  int fullest = 0;
  std::int64_t judged = 0;
  for (Cycle now = 16; now < 8000; now += 16) {
    rig.RunTo(now);
    Audit audit;
    rig.device().Check(&audit);
    ASSERT_EQ(audit.Message(), "") << "cycle " << now;
    judged += audit.judged();
    fullest = std::max(fullest, rig.device().load(5));
  }
  EXPECT_GT(judged, 100'000);
  EXPECT_GT(fullest, 1000) << "the hot output was not crowded";
  rig.Stop();
  rig.Drain();
  Audit audit;
  rig.device().Check(&audit);
  EXPECT_EQ(audit.Message(), "");
  EXPECT_TRUE(rig.AllHome());
}

TEST(Invariants, HoldInASaturatedSwitchOf64Ports) { HoldIn(kRosetta64, false); }

TEST(Invariants, HoldInAnObservedSwitchOf8Ports) { HoldIn(kTile8, true); }

}  // namespace
}  // namespace tilefly::golden
