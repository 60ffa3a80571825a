// SPDX-License-Identifier: Apache-2.0
// By which ports a packet for another switch may leave, as the scoreboard has it, and that the scoreboard holds the
// switch to it.
#include "cosim/setup/routes.h"

#include <gtest/gtest.h>

#include "cosim/device_factory.h"
#include "cosim/errors.h"
#include "runs/switch/switch_run.h"

namespace tilefly::cosim {
namespace {

constexpr std::uint32_t kOwn = 3 << 5 | 5;
constexpr std::uint32_t kOwnSource = kOwn << 6 | 1, kFarSource = 9 << 11;

Routes System() {
  Routes routes;
  routes.groups = {{1, 0x01}, {2, 0x06}, {4, 0x08}, {9, 0x80}};
  routes.switches = {{0, 0x10}, {1, 0x30}, {7, 0x40}};
  return routes;
}

Header To(std::uint32_t destination, RouteMode mode, int hop, std::uint32_t source) {
  Header header;
  header.dst = destination;
  header.mode = static_cast<std::uint8_t>(mode);
  header.hop = static_cast<std::uint8_t>(hop);
  header.src = source;
  return header;
}

TEST(Routes, MinimalWaysAreThoseOfTheTables) {
  const Routes routes = System();
  const Header far = To(2 << 11, RouteMode::kAdaptive0, 0, kOwnSource);
  EXPECT_EQ(routes.Of(far, kOwn).minimal, 0x06u);
  EXPECT_EQ(routes.Of(far, kOwn).detours, 0u);
  EXPECT_EQ(routes.Of(To((3 << 5 | 1) << 6, RouteMode::kAdaptive0, 0, kOwnSource), kOwn).minimal, 0x30u);
  EXPECT_EQ(routes.Of(To(5 << 11, RouteMode::kAdaptive0, 0, kOwnSource), kOwn).minimal, 0u);
}

TEST(Routes, DetoursAreOfPacketsThatDecideAndMayLeaveTheMinimalPath) {
  Routes routes = System();
  routes.group_count = 5;
  routes.switch_count = 2;
  const auto detours = [&](RouteMode mode, int hop) {
    return routes.Of(To(2 << 11, mode, hop, kOwnSource), kOwn).detours;
  };
  EXPECT_EQ(detours(RouteMode::kAdaptive0, 0), 0x09u) << "groups 1 and 4, not 9, nor the destination's";
  EXPECT_EQ(detours(RouteMode::kNminHash, 0), 0x09u);
  EXPECT_EQ(detours(RouteMode::kMinHash, 0), 0u);
  EXPECT_EQ(detours(RouteMode::kInOrder, 0), 0u);
  EXPECT_EQ(detours(RouteMode::kAdaptive0, 1), 0u);
  EXPECT_EQ(detours(RouteMode::kAdaptive1, 1), 0x09u);
  EXPECT_EQ(routes.Of(To(2 << 11, RouteMode::kAdaptive1, 1, kFarSource), kOwn).detours, 0u);
  EXPECT_EQ(routes.Of(To((3 << 5 | 1) << 6, RouteMode::kAdaptive0, 0, kOwnSource), kOwn).detours, 0x10u);
}

TEST(Routes, AViaLeadsUntilItIsReached) {
  const Routes routes = System();
  Header header = To(2 << 11, RouteMode::kAdaptive0, 2, kFarSource);
  header.via_valid = true;
  header.via = 1 << 5;
  EXPECT_EQ(routes.Of(header, kOwn).minimal, 0x01u);
  EXPECT_TRUE(routes.Of(header, kOwn).follows_via);
  header.via = 3 << 5 | 1;  // the own group
  EXPECT_EQ(routes.Of(header, kOwn).minimal, 0x06u);
  header.src = kOwnSource;  // which is the source's: its switch counts
  EXPECT_EQ(routes.Of(header, kOwn).minimal, 0x30u);
  header.via = kOwn;
  EXPECT_EQ(routes.Of(header, kOwn).minimal, 0x06u);
}

TEST(Routes, AViaMustFitThePort) {
  Routes routes = System();
  routes.group_count = 5;
  Header header = To(2 << 11, RouteMode::kAdaptive0, 0, kOwnSource);
  header.via = 77;
  EXPECT_TRUE(routes.MayLeave(header, kOwn, 1, false, 77));
  EXPECT_FALSE(routes.MayLeave(header, kOwn, 1, false, 78)) << "what is not valid stays";
  EXPECT_FALSE(routes.MayLeave(header, kOwn, 0, false, 77));
  EXPECT_TRUE(routes.MayLeave(header, kOwn, 0, true, 1 << 5));
  EXPECT_FALSE(routes.MayLeave(header, kOwn, 0, true, 4 << 5)) << "another port leads there";
  EXPECT_FALSE(routes.MayLeave(header, kOwn, 7, true, 9 << 5)) << "beyond SIZE";
}

TEST(Routes, AnOrderedPacketDecidesOnceAndMayFollowItsFlow) {
  Routes routes = System();
  routes.group_count = 5;
  Header header = To(2 << 11, RouteMode::kAdaptive1, 1, kOwnSource);
  header.ordered = true;
  EXPECT_EQ(routes.Of(header, kOwn).detours, 0u);
  header = To(2 << 11, RouteMode::kMinHash, 0, kOwnSource);
  header.ordered = true;
  EXPECT_EQ(routes.Of(header, kOwn).detours, 0u);
  EXPECT_EQ(routes.Of(header, kOwn, true).detours, 0x09u) << "of a packet with another mode";
  EXPECT_FALSE(routes.MayLeave(header, kOwn, 1, false, 99));
  EXPECT_TRUE(routes.MayLeave(header, kOwn, 1, false, 99, true)) << "another packet's";
  EXPECT_FALSE(routes.MayLeave(header, kOwn, 5, false, 99, true));
  EXPECT_TRUE(routes.MayLeave(header, kOwn, 0, true, 1 << 5, true));
}

TEST(Routes, ToStandardPortsAreRefused) {
  SwitchSetup setup(kTile8, runs::ParsePortKinds("mixed", 8), 4);
  EXPECT_THROW(setup.SetRoutes(Routes::Example(1 << 2, kOwn, 1)), UsageError);
  EXPECT_THROW(setup.SetRoutes(Routes::Example(1 << 9, kOwn, 1)), UsageError);
  EXPECT_NO_THROW(setup.SetRoutes(Routes::Example(1 << 3, kOwn, 1)));
}

runs::RunOptions RoutedOptions(const char* ports) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.kinds = runs::ParsePortKinds(ports, 8);
  options.devices = {"golden"};
  options.generator.load = 0.7;
  options.generator.size = "64,300";
  options.generator.routed = 0.6;
  options.max_cycles = 4000;
  return options;
}

TEST(RoutedRun, EveryFrameLeavesByOneOfItsPorts) {
  for (const char* ports : {"fabric", "enhanced", "mixed"}) {
    runs::SwitchRun run(RoutedOptions(ports), MakeDevice("golden", kTile8), nullptr);
    const runs::Outcome outcome = run.Run({});
    EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << ports << ": " << outcome.message;
    EXPECT_EQ(run.scoreboard().books().in_flight(), 0);
    std::uint64_t minimal = 0, detours = 0;
    for (int port = 0; port < 8; ++port) {
      minimal += run.lockstep().a().Counter(port, static_cast<int>(Counter::kRoutedMin));
      detours += run.lockstep().a().Counter(port, static_cast<int>(Counter::kRoutedNonmin));
    }
    EXPECT_GT(minimal, 100u) << ports;
    EXPECT_GT(detours, 20u) << ports;
  }
}

/// The golden switch with other routes than the scoreboard knows of.
class Astray final : public Device {
 public:
  explicit Astray(int space) : device_(MakeDevice("golden", kTile8)), space_(space) {}
  const char* Name() const override { return "astray"; }
  int radix() const override { return device_->radix(); }
  Cycle cycle() const override { return device_->cycle(); }
  const std::vector<Link>& Outputs() override { return device_->Outputs(); }
  void Step(const Inputs& inputs) override {
    Inputs changed = inputs;
    if (changed.cfg.valid && changed.cfg.space == space_) changed.cfg.data = changed.cfg.data << 1 & 0xff;
    device_->Step(changed);
  }
  const Observation& Observe() override { return device_->Observe(); }
  std::uint64_t Counter(int port, int index) override { return device_->Counter(port, index); }

 private:
  std::unique_ptr<Device> device_;
  int space_;
};

TEST(RoutedRun, APortThatDoesNotLeadThereFails) {
  for (const CfgSpace space : {CfgSpace::kRouteGroup, CfgSpace::kRouteSwitch}) {
    runs::SwitchRun run(RoutedOptions("fabric"), std::make_unique<Astray>(static_cast<int>(space)), nullptr);
    EXPECT_EQ(run.Run({}).verdict, runs::Verdict::kFail);
  }
}

TEST(RoutedRun, NeedsPortsThatLeadToSwitches) {
  EXPECT_THROW(runs::SwitchRun(RoutedOptions("standard"), MakeDevice("golden", kTile8), nullptr), UsageError);
}

}  // namespace
}  // namespace tilefly::cosim
