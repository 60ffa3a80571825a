// SPDX-License-Identifier: Apache-2.0
// Launches of the reduction ring as the observation record tells them: followed round the ring, named in a divergence's
// report, shown in waves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

#include "cosim/golden_device.h"
#include "cosim/waves/ring_story.h"
#include "cosim/waves/save_file.h"
#include "runs/switch/results.h"
#include "runs/switch/switch_run.h"

namespace tilefly::cosim {
namespace {

runs::RunOptions Options(Cycle cycles) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.devices = {"golden"};
  options.kinds = runs::ParsePortKinds("fabric", options.profile->ports);
  options.max_cycles = cycles;
  options.generator.load = 0;
  options.reductions.groups = 4;
  return options;
}

/// Shows each cycle's record to a function.
class Watch final : public Recorder {
 public:
  using Look = std::function<void(Cycle now, const Observation&)>;
  explicit Watch(Look look) : look_(std::move(look)) {}
  void Record(Lockstep& devices, const Device::Inputs&) override { look_(devices.cycle(), devices.Observe()); }

 private:
  Look look_;
};

runs::Outcome RunWatched(const runs::RunOptions& options, Recorder* recorder) {
  runs::SwitchRun run(options);
  runs::RunControl control;
  control.recorder = recorder;
  return run.Run(control);
}

TEST(RingLaunches, FollowEachLaunchToItsResults) {
  RingLaunches launches(kTile8);
  std::int64_t steps = 0, results = 0, grants = 0, segments = 0;
  Watch watch([&](Cycle now, const Observation& seen) {
    for (int port = 0; port < kTile8.ports; ++port) {
      const Portobs& obs = seen.ports[static_cast<std::size_t>(port)];
      if (!obs.dec_valid || !obs.dec_red || obs.dec_src > 2) continue;
      ++grants;
      EXPECT_NE(launches.Waiting(port, obs.dec_src), nullptr) << "cycle " << now << ", port " << port;
    }
    launches.Sample(now, seen);
    const Cycle event = now - 1;
    for (int port = 0; port < kTile8.ports; ++port) {
      const RedObs& red = seen.reds[static_cast<std::size_t>(port)];
      if (!red.step_valid) continue;
      ++steps;
      const RingLaunch* const launch = launches.AtStep(event, port);
      ASSERT_NE(launch, nullptr) << "cycle " << now << ", port " << port;
      EXPECT_EQ(launch->index, red.step_index);
      EXPECT_EQ(launch->goes_down(), red.step_down);
    }
    if (seen.cfu.meet_valid) {
      const RingLaunch* const launch = launches.AtMeeting(event);
      ASSERT_NE(launch, nullptr);
      EXPECT_EQ(launch->index, seen.cfu.meet_index);
    }
    for (const auto& result : launches.completed()) {
      ++results;
      const Cycle first = result.launch.at + kTile8.red_delay + (result.port >> 1);
      EXPECT_GE(event, first + 1);
      EXPECT_LT(event, first + kTile8.red_stream);
      if (!result.launch.is_notice()) EXPECT_FALSE(result.launch.parts.empty());
      segments += result.launch.is_stream();
    }
  });
  const runs::Outcome outcome = RunWatched(Options(30'000), &watch);
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  EXPECT_GT(steps, 1000);
  EXPECT_GT(results, 200);
  EXPECT_GT(segments, 50);
  EXPECT_GT(grants, 200);
}

TEST(RingLaunches, AreNamedByWhatTheyAre) {
  RingLaunch launch;
  launch.candidate = RedCandidate::kUp1;
  launch.index = 1;
  launch.segment = 7;
  EXPECT_EQ(launch.Name(), "segment 7 up of slot 1");
  launch.candidate = RedCandidate::kDown0;
  launch.index = 0;
  EXPECT_EQ(launch.Name(), "segment 7 down of slot 0");
  launch.candidate = RedCandidate::kShortDown;
  launch.index = 21;
  EXPECT_EQ(launch.Name(), "short operation down of group 2 engine 5");
  launch.candidate = RedCandidate::kNotice;
  launch.index = 3;
  EXPECT_EQ(launch.Name(), "notice of group 3");
}

/// A golden switch whose record is wrong once, from some cycle on as soon as it can be.
class WrongRecord final : public Device {
 public:
  /// Changes the record if it can; true: it has.
  using Change = std::function<bool(Observation*)>;
  WrongRecord(const Profile& profile, Cycle from, Change change)
      : inner_(profile), from_(from), change_(std::move(change)) {}

  const char* Name() const override { return "wrong"; }
  int radix() const override { return inner_.radix(); }
  const std::vector<Link>& Outputs() override { return inner_.Outputs(); }
  const Observation& Observe() override {
    if (shown_ == cycle()) return seen_;
    shown_ = cycle();
    seen_ = inner_.Observe();
    if (!changed_ && shown_ >= from_) changed_ = change_(&seen_);
    return seen_;
  }
  void Step(const Inputs& inputs) override { inner_.Step(inputs); }
  Cycle cycle() const override { return inner_.cycle(); }
  std::uint64_t Counter(int port, int index) override { return inner_.Counter(port, index); }

 private:
  GoldenDevice inner_;
  Cycle from_;
  Change change_;
  Observation seen_;
  Cycle shown_ = -1;
  bool changed_ = false;
};

runs::Outcome RunWrong(WrongRecord::Change change) {
  const runs::RunOptions options = Options(20'000);
  runs::SwitchRun run(options, std::make_unique<GoldenDevice>(*options.profile),
                std::make_unique<WrongRecord>(*options.profile, 3000, std::move(change)));
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kFail);
  return outcome;
}

TEST(RingDivergence, AStepIsNamedByItsLaunch) {
  const runs::Outcome outcome = RunWrong([](Observation* seen) {
    for (RedObs& red : seen->reds) {
      if (!red.step_valid || !red.step_part || red.step_brief) continue;
      red.step_operands ^= 1;
      return true;
    }
    return false;
  });
  EXPECT_THAT(
      outcome.message,
      testing::ContainsRegex("port [0-9], segment [0-9]+ (up|down) of slot [01]: golden reduction step_operands="));
  EXPECT_FALSE(outcome.point.parts.empty());
  ASSERT_GE(outcome.history.size(), 2u);
  EXPECT_THAT(outcome.history.back(), testing::HasSubstr("wrong: step "));
}

TEST(RingDivergence, AGrantOfRowRIsNamedByItsResult) {
  const runs::Outcome outcome = RunWrong([](Observation* seen) {
    for (Portobs& obs : seen->ports) {
      if (!obs.dec_valid || !obs.dec_red || obs.dec_src > 1) continue;
      ++obs.dec_cells;
      return true;
    }
    return false;
  });
  EXPECT_THAT(outcome.message,
              testing::ContainsRegex("port [0-9], segment [0-9]+ (up|down) of slot [01]: golden row R cells="));
  EXPECT_THAT(outcome.history.back(), testing::HasSubstr("wrong: grants row R, results "));
  EXPECT_EQ(outcome.point.packet.input, -1);
}

TEST(RingDivergence, AReportIsNamedByItsPacket) {
  const runs::Outcome outcome = RunWrong([](Observation* seen) {
    for (RedObs& red : seen->reds) {
      if (red.ev != static_cast<std::uint8_t>(RedEv::kSegment)) continue;
      red.ev = static_cast<std::uint8_t>(RedEv::kCredit);
      return true;
    }
    return false;
  });
  EXPECT_THAT(outcome.message,
              testing::ContainsRegex("port [0-9], (SEGMENT|RESULT) [0-9]+ of group [0-3]: golden reduction ev="));
}

TEST(RingDivergence, TheCfusLastLaunchesAreTold) {
  const runs::Outcome outcome = RunWrong([](Observation* seen) {
    if (!seen->cfu.meet_valid) return false;
    seen->cfu.meet_operands ^= 2;
    return true;
  });
  EXPECT_THAT(outcome.message, testing::ContainsRegex("switch, (segment|short).*: golden CFU meet_operands="));
  EXPECT_THAT(outcome.history, testing::Contains(testing::HasSubstr("both: launches ")));
  EXPECT_THAT(outcome.history.back(), testing::HasSubstr("wrong: halves of "));
}

TEST(RingStory, IsASegmentsWayFromItsLastPartToALink) {
  RingStoryFinder finder(kTile8, 500, 30'000);
  EXPECT_EQ(RunWatched(Options(30'000), &finder).verdict, runs::Verdict::kPass);
  ASSERT_TRUE(finder.story());
  const Story& story = *finder.story();
  EXPECT_GE(story.parts.size(), 2u);
  EXPECT_THAT(story.parts, testing::Contains(story.input));
  EXPECT_LT(story.from, story.marker);
  EXPECT_GT(story.to, story.marker + kTile8.red_delay);
  const std::string text = GtkwaveSave("run.fst", kTile8, {"rtl", "golden"}, story);
  std::size_t before = 0;
  for (const std::string& heading :
       {"link in, port " + std::to_string(story.input), std::string("CFU: launch"),
        "step of port " + std::to_string(story.parts[0]), std::string("CFU: the half rings meet"),
        "row R, port " + std::to_string(story.output), "link out, port " + std::to_string(story.output)}) {
    const std::size_t at = text.find(heading);
    ASSERT_NE(at, std::string::npos) << heading;
    EXPECT_GT(at, before) << heading;
    before = at;
  }
  EXPECT_THAT(text, testing::HasSubstr("rtl.cfu.meet_operands[1:0]"));
}

TEST(RingResults, TellOfTheEpisodes) {
  runs::SwitchRun run(Options(10'000));
  const auto results = runs::Results(run, run.Run({}));
  EXPECT_EQ(results["reductions"]["groups"], 4);
  EXPECT_GT(results["reductions"]["packets"], 100);
}

}  // namespace
}  // namespace tilefly::cosim
