// SPDX-License-Identifier: Apache-2.0
// Endpoints, scoreboard and lockstep around a fake switch: a good one passes, and each planted bug is named.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "cosim/golden_device.h"
#include "runs/switch/results.h"
#include "runs/switch/switch_run.h"
#include "testbenches/cosim/fake_switch.h"

namespace tilefly::cosim {
namespace {

runs::RunOptions Options() {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.kinds = runs::ParsePortKinds("fabric", 8);
  options.generator.load = 0.6;
  options.generator.size = "64,200";
  options.max_cycles = 3000;
  return options;
}

runs::Outcome RunAlone(Bug bug, const runs::RunOptions& options = Options()) {
  runs::SwitchRun run(options, std::make_unique<FakeSwitch>(*options.profile, bug), nullptr);
  return run.Run({});
}

TEST(Run, GoodSwitchPasses) {
  const runs::RunOptions options = Options();
  runs::SwitchRun run(options, std::make_unique<FakeSwitch>(kTile8), std::make_unique<FakeSwitch>(kTile8));
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  const Books& books = run.scoreboard().books();
  EXPECT_GT(books.offered, 1000);
  EXPECT_EQ(books.delivered, books.offered);
  EXPECT_EQ(books.in_flight(), 0);
  EXPECT_EQ(run.lockstep().compared(), 8 * (run.lockstep().cycle()));
  EXPECT_GT(run.lockstep().compared_busy(), 10000);
  EXPECT_NEAR(run.offered_load(), 0.6, 0.03);
  EXPECT_GE(run.scoreboard().latency().Quantile(0), 12);
}

TEST(Run, StallsOfEndpointsKeepTheLaws) {
  runs::RunOptions options = Options();
  options.stalls.share = 0.3;
  EXPECT_EQ(RunAlone(Bug::kNone, options).verdict, runs::Verdict::kPass);
}

// Which no link shows: the device is asked, the second one of a lockstep, too.
TEST(Run, ADrainedDeviceMustHaveAllHome) {
  const runs::Outcome alone = RunAlone(Bug::kKeepsRoom);
  EXPECT_EQ(alone.verdict, runs::Verdict::kFail);
  EXPECT_NE(alone.message.find("fake: not all room is home"), std::string::npos) << alone.message;
  runs::SwitchRun run(Options(), std::make_unique<FakeSwitch>(kTile8),
                      std::make_unique<FakeSwitch>(kTile8, Bug::kKeepsRoom));
  EXPECT_EQ(run.Run({}).verdict, runs::Verdict::kFail);
}

TEST(Run, RepeatsBitForBit) {
  nlohmann::ordered_json results[2];
  for (auto& result : results) {
    runs::SwitchRun run(Options(), std::make_unique<FakeSwitch>(kTile8), nullptr);
    result = runs::Results(run, run.Run({}));
    result.erase("machine");
  }
  EXPECT_EQ(results[0], results[1]);
}

// Counters are read when the last drop had time to be counted, wherever in the run it falls.
TEST(Run, TheLastFrameMayBeADroppedOne) {
  runs::RunOptions options = Options();
  options.kinds = runs::ParsePortKinds("mixed", 8);
  options.generator.faults = 1;
  options.generator.load = 0.1;
  for (options.max_cycles = 300; options.max_cycles < 700; options.max_cycles += 7) {
    runs::SwitchRun run(options, MakeDevice("golden", kTile8), nullptr);
    const runs::Outcome outcome = run.Run({});
    EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << options.max_cycles << ": " << outcome.message;
  }
}

std::int64_t NoEthHeaderCounters(runs::SwitchRun& run) {
  std::int64_t sum = 0;
  for (int port = 0; port < run.options().profile->ports; ++port)
    sum += static_cast<std::int64_t>(run.lockstep().a().Counter(port, static_cast<int>(Drop::kNoEthHeader)));
  return sum;
}

// A replicated IP frame without an Ethernet header for it: standard ports refuse their copies, the others deliver
// theirs.
TEST(Run, CopiesRefusedAtStandardPortsAreCountedThereAndTheOthersComeOut) {
  runs::RunOptions options = Options();
  options.kinds = runs::ParsePortKinds("mixed", 8);
  options.eth_header = false;
  options.generator.replicated = 0.2;
  runs::SwitchRun run(options, MakeDevice("golden", kTile8), nullptr);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  const Books& books = run.scoreboard().books();
  EXPECT_GT(books.copies_dropped, 0);
  EXPECT_EQ(NoEthHeaderCounters(run), books.copies_dropped + books.drops[static_cast<std::size_t>(Drop::kNoEthHeader)]);
  EXPECT_EQ(books.in_flight(), 0);
}

// Where all outputs refuse it, the frame is dropped once and counted at each of them.
TEST(Run, AFrameThatEveryOutputRefusesIsDroppedOnce) {
  runs::RunOptions options = Options();
  options.kinds = runs::ParsePortKinds("standard", 8);
  options.kinds[0] = PortKind::kFabric;
  options.eth_header = false;
  options.generator.replicated = 1;
  options.generator.load = 0.1;
  runs::SwitchRun run(options, MakeDevice("golden", kTile8), nullptr);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  const Books& books = run.scoreboard().books();
  const std::int64_t dropped = books.drops[static_cast<std::size_t>(Drop::kNoEthHeader)];
  EXPECT_GT(dropped, 0);
  EXPECT_EQ(NoEthHeaderCounters(run), 7 * dropped);
  EXPECT_EQ(books.copies_dropped, 0);
}

// An output that refuses copies takes them as if it sent them, one after another, and leaves nothing on its link: the
// last of them are taken long after the last word.
TEST(Run, CopiesAreWaitedForUntilTheirOutputsHaveRefusedThem) {
  runs::RunOptions options = Options();
  options.kinds = runs::ParsePortKinds("mixed", 8);
  options.lanes = 1;
  options.eth_header = false;
  options.seed = 734414811;
  options.max_cycles = 6000;
  options.generator.load = 1;
  options.generator.size = "752,4219,799";
  options.generator.traffic = "hotspot:2,5:0.7";
  options.generator.replicated = 0.3;
  options.outages.every = 4000;
  runs::SwitchRun run(options, MakeDevice("golden", kTile8), nullptr);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  EXPECT_GT(NoEthHeaderCounters(run), 0);
}

// A device that counts too few of them is not waited for for ever.
TEST(Run, ARefusedCopyThatIsNeverCountedIsAFailure) {
  class Forgetful final : public GoldenDevice {
   public:
    using GoldenDevice::GoldenDevice;
    std::uint64_t Counter(int port, int index) override {
      const std::uint64_t counted = GoldenDevice::Counter(port, index);
      return index == static_cast<int>(Drop::kNoEthHeader) && counted > 0 ? counted - 1 : counted;
    }
  };
  runs::RunOptions options = Options();
  options.kinds = runs::ParsePortKinds("mixed", 8);
  options.eth_header = false;
  runs::SwitchRun run(options, std::make_unique<Forgetful>(kTile8), nullptr);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kFail);
  EXPECT_NE(outcome.message.find("drop counter NO_ETH_HEADER"), std::string::npos) << outcome.message;
}

/// Golden whose output 0 is paused for as long as a PAUSE can be, by a frame that no endpoint sent.
class HeldSwitch final : public GoldenDevice {
 public:
  using GoldenDevice::GoldenDevice;
  void Step(const Inputs& inputs) override {
    constexpr Cycle kFirst = 2000;
    Inputs with = inputs;
    if (cycle() >= kFirst && cycle() < kFirst + pause_.words())
      with.links[0].word = MakeWord(pause_, static_cast<int>(cycle() - kFirst));
    GoldenDevice::Step(with);
  }
  const Observation& Observe() override {
    shown_ = GoldenDevice::Observe();
    shown_.ports[0].drop_valid = 0;  // of that frame
    return shown_;
  }

 private:
  static Frame Pause() {
    Frame frame;
    frame.bytes = PauseFrame(Mac{}, 0xffff);
    return frame;
  }
  const Frame pause_ = Pause();
  Observation shown_;
};

// A pause that nobody asked for is no time that is known; whom the switch pauses then is named.
TEST(Run, AStandstillNamesThePortsThatTheSwitchPauses) {
  runs::RunOptions options = Options();
  options.kinds = runs::ParsePortKinds("standard", 8);
  options.generator.traffic = "incast:0";
  options.generator.load = 1;
  options.max_cycles = 20000;
  runs::SwitchRun run(options, std::make_unique<HeldSwitch>(kTile8), nullptr);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kNoProgress);
  EXPECT_NE(outcome.message.find("; the switch pauses the senders of ports 1, 2, 3, 4, 5, 6, 7"), std::string::npos)
      << outcome.message;
}

TEST(Run, NothingSentIsAFailure) {
  runs::RunOptions options = Options();
  options.generator.load = 0;
  EXPECT_EQ(RunAlone(Bug::kNone, options).verdict, runs::Verdict::kFail);
}

TEST(Run, EachCycleIsRecordedOnceWhenADeviceBreaks) {
  struct Cycles final : Recorder {
    void Record(Lockstep& devices, const Device::Inputs&) override { seen.push_back(devices.cycle()); }
    std::vector<Cycle> seen;
  } recorder;
  runs::SwitchRun run(Options(), std::make_unique<FakeSwitch>(kTile8, Bug::kBreaks), nullptr);
  runs::RunControl control;
  control.recorder = &recorder;
  const runs::Outcome outcome = run.Run(control);
  EXPECT_EQ(outcome.verdict, runs::Verdict::kFail);
  EXPECT_EQ(outcome.message, "first failure: cycle 500: broken");
  ASSERT_EQ(recorder.seen.size(), static_cast<std::size_t>(FakeSwitch::kBreaksAt + 1));
  for (std::size_t i = 0; i < recorder.seen.size(); ++i) ASSERT_EQ(recorder.seen[i], static_cast<Cycle>(i));
}

TEST(Run, InterruptedStops) {
  std::atomic<bool> stop{true};
  runs::SwitchRun run(Options(), std::make_unique<FakeSwitch>(kTile8), nullptr);
  runs::RunControl control;
  control.stop = &stop;
  EXPECT_EQ(run.Run(control).verdict, runs::Verdict::kInterrupted);
}

TEST(Run, TimeOutStops) {
  runs::SwitchRun run(Options(), std::make_unique<FakeSwitch>(kTile8), nullptr);
  runs::RunControl control;
  control.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  EXPECT_EQ(run.Run(control).verdict, runs::Verdict::kTimeout);
}

struct Planted {
  Bug bug;
  runs::Verdict verdict;
  const char* message;
};
class PlantedBug : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedBug, IsNamed) {
  const runs::Outcome outcome = RunAlone(GetParam().bug);
  EXPECT_EQ(outcome.verdict, GetParam().verdict);
  EXPECT_NE(outcome.message.find(GetParam().message), std::string::npos) << outcome.message;
}

INSTANTIATE_TEST_SUITE_P(All, PlantedBug,
                         ::testing::Values(Planted{Bug::kCorrupt, runs::Verdict::kFail, "leaves changed: byte 30"},
                                           Planted{Bug::kBadCheck, runs::Verdict::kFail, "LINK-3"},
                                           Planted{Bug::kLose, runs::Verdict::kFail, "out of order"},
                                           Planted{Bug::kRepeat, runs::Verdict::kFail, "not expected at this port"},
                                           Planted{Bug::kReorder, runs::Verdict::kFail, "out of order"},
                                           Planted{Bug::kHole, runs::Verdict::kFail, "law 2: word 1"},
                                           Planted{Bug::kWrongPort, runs::Verdict::kFail, "not expected at this port"},
                                           Planted{Bug::kWrongHeader, runs::Verdict::kFail, "header.hop"},
                                           Planted{Bug::kExtraCredit, runs::Verdict::kFail, "makes no sense"},
                                           Planted{Bug::kCreditsEnd, runs::Verdict::kNoProgress, "no progress"}));

TEST(Run, CumulativeReturnRepairsALostOne) { EXPECT_EQ(RunAlone(Bug::kLostCredit).verdict, runs::Verdict::kPass); }

class Divergent : public ::testing::TestWithParam<std::pair<Bug, const char*>> {};

TEST_P(Divergent, IsReportedInPacketTerms) {
  const runs::RunOptions options = Options();
  runs::SwitchRun run(options, std::make_unique<FakeSwitch>(kTile8, Bug::kNone, "good"),
                std::make_unique<FakeSwitch>(kTile8, GetParam().first, "bad"));
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kFail);
  EXPECT_NE(outcome.message.find(GetParam().second), std::string::npos) << outcome.message;
  EXPECT_EQ(outcome.message.rfind("first divergence: cycle ", 0), 0u) << outcome.message;
}

INSTANTIATE_TEST_SUITE_P(All, Divergent,
                         ::testing::Values(std::pair{Bug::kCorrupt, "good link data"},
                                           std::pair{Bug::kObservation,
                                                     "port 3: good level obuf_room=356, bad level obuf_room=355"},
                                           std::pair{Bug::kLate, "good link valid=1, bad link valid=0"},
                                           std::pair{Bug::kExtraCredit, "control credit_cells"}));

}  // namespace
}  // namespace tilefly::cosim
