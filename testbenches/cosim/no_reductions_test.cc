// SPDX-License-Identifier: Apache-2.0
// A user's own device that has no reductions: its observation record has no reduction ports (cosim/device.h).
#include <gtest/gtest.h>

#include <vector>

#include "cosim/golden_device.h"
#include "runs/switch/switch_run.h"

namespace tilefly::cosim {
namespace {

class NoReductions final : public GoldenDevice {
 public:
  using GoldenDevice::GoldenDevice;
  const char* Name() const override { return "plain"; }
  const Observation& Observe() override {
    shown_ = GoldenDevice::Observe();
    std::vector<RedObs>().swap(shown_.reds);  // without memory, too
    shown_.cfu = CfuObs{};
    return shown_;
  }

 private:
  Observation shown_;
};

runs::RunOptions Options() {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.kinds = runs::ParsePortKinds("fabric", options.profile->ports);
  options.generator.load = 0.6;
  options.generator.size = "64,1024";
  options.max_cycles = 2000;
  return options;
}

TEST(NoReductions, EqualsGoldenWhereNothingIsReduced) {
  for (const bool first : {true, false}) {
    std::unique_ptr<Device> plain = std::make_unique<NoReductions>(kTile8);
    std::unique_ptr<Device> golden = std::make_unique<GoldenDevice>(kTile8);
    if (!first) plain.swap(golden);
    runs::SwitchRun run(Options(), std::move(plain), std::move(golden));
    const runs::Outcome outcome = run.Run({});
    EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
    EXPECT_GT(run.lockstep().compared_busy(), 0);
  }
}

TEST(NoReductions, DiffersFromGoldenAsSoonAsThatReduces) {
  runs::RunOptions options = Options();
  options.generator.classes = "0,1,2,3,4,5";
  options.reductions.groups = 4;
  options.max_cycles = 20'000;
  runs::SwitchRun run(options, std::make_unique<GoldenDevice>(kTile8), std::make_unique<NoReductions>(kTile8));
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kFail);
  EXPECT_NE(outcome.message.find("golden reduction "), std::string::npos) << outcome.message;
  EXPECT_NE(outcome.message.find("plain reduction "), std::string::npos) << outcome.message;
}

}  // namespace
}  // namespace tilefly::cosim
