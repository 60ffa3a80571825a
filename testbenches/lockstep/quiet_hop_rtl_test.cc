// SPDX-License-Identifier: Apache-2.0
// The published 350 ns of a hop, stage by stage as on the timing page, in every cycle-exact device.
#include <gtest/gtest.h>

#include "cosim/errors.h"
#include "testbenches/bench/settings.h"
#include "testbenches/lockstep/hop.h"

namespace tilefly::cosim {
namespace {

struct Case {
  std::string device;
  const Profile* profile;
  int input;
  int output;
};

class QuietHop : public ::testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<ScriptedSwitch> Make() const {
    try {
      return MakeScripted(*GetParam().profile, GetParam().device);
    } catch (const UsageError&) {
      if (bench::TierFromEnvironment() == bench::Tier::kFull) throw;
      return nullptr;  // this build has no model of it
    }
  }
};

TEST_P(QuietHop, KeepsEveryStageOfTheTimingPage) {
  const auto device = Make();
  if (!device) GTEST_SKIP() << GetParam().device << " of " << GetParam().profile->name << " was not built";
  for (const int length : {64, 32, 65, 1024}) {
    const Hop hop = FollowPacket(*device, GetParam().input, GetParam().output, length);
    EXPECT_EQ(hop.steps, QuietSteps(length)) << length << " B";
    EXPECT_EQ(hop.stray_turns, 0);
    device->Drain();
  }
}

TEST_P(QuietHop, Takes273CyclesWithTheChannel) {
  const auto device = Make();
  if (!device) GTEST_SKIP() << GetParam().device << " of " << GetParam().profile->name << " was not built";
  const Hop hop = FollowPacket(*device, GetParam().input, GetParam().output, 64);
  EXPECT_EQ(hop.steps.at("link_o") + GetParam().profile->channel_cycles, 273);
  EXPECT_NEAR(273 * 1e6 / GetParam().profile->clock_khz, 350, 1);  // ns
}

INSTANTIATE_TEST_SUITE_P(Devices, QuietHop,
                         ::testing::Values(Case{"golden", &kRosetta64, 19, 56}, Case{"rtl", &kRosetta64, 19, 56},
                                           Case{"rtl-flat", &kRosetta64, 19, 56}, Case{"golden", &kTile8, 3, 6},
                                           Case{"rtl", &kTile8, 3, 6}, Case{"rtl-flat", &kTile8, 3, 6},
                                           Case{"rtl", &kTile16, 3, 14}, Case{"rtl-flat", &kTile16, 3, 14}),
                         [](const auto& info) {
                           return (info.param.device == "rtl-flat" ? "flat" : info.param.device) + "_" + info.param.profile->name;
                         });

}  // namespace
}  // namespace tilefly::cosim
