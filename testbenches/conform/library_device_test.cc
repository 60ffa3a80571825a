// SPDX-License-Identifier: Apache-2.0
// Golden behind the interface of devices in libraries is golden: in lockstep, in systems, after a reset. What such a device does
// not show is not compared, not counted, and said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "cosim/golden_device.h"
#include "cosim/library_device.h"
#include "cosim/lockstep/recorder.h"
#include "runs/switch/switch_run.h"
#include "support/errors.h"
#include "testbenches/conform/library_run.h"
#include "testbenches/lockstep/port_link.h"

namespace tilefly::conform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const Values kBusy = {{"ports.kind", "mixed"}, {"traffic.load", "0.8"}, {"traffic.faults", "0.05"}, {"traffic.replicated", "0.05"}};

std::string Copy(const std::string& parameters = "") { return Library("golden_copy") + parameters; }

/// What a run says of frames, without what depends on the devices and the machine.
nlohmann::ordered_json FramesOf(const Cosim& run) {
  return {{"cycles", run.results["cycles"]}, {"books", run.results["books"]}, {"latency", run.results["latency_cycles"]}};
}

TEST(LibraryDevice, GoldenBehindTheInterfaceIsEqualInAllThatIsCompared) {
  const Cosim run(Copy() + ",golden", kBusy);
  EXPECT_EQ(run.status, kPassed) << run.Message();
  EXPECT_GT(run.results["compared_busy"], 5000);
  EXPECT_EQ(run.results["observation_compared"], run.results["compared"]);
  EXPECT_GT(run.results["counters_compared"], 100);
  EXPECT_EQ(run.results["observation_of"], "lib:golden_copy");
  EXPECT_EQ(run.results["counters_of"], "lib:golden_copy");
  EXPECT_THAT(run.Log(), HasSubstr("level: L3, links, observation record and counters are equal"));
  EXPECT_EQ(FramesOf(run), FramesOf(Cosim("golden", kBusy)));
}

TEST(LibraryDevice, OfVersion1IsGivenAndComparedInTheFieldsThatItHas) {
  const Values acks = {{"ports.kind", "mixed"}, {"traffic.load", "0.8"}, {"traffic.acks", "1"}};
  const Cosim run("golden," + Library("golden_version_1"), acks);
  EXPECT_EQ(run.status, kPassed) << run.Message();
  EXPECT_GT(run.results["compared_busy"], 5000);
  EXPECT_EQ(run.results["observation_compared"], run.results["compared"]);
  EXPECT_EQ(FramesOf(run), FramesOf(Cosim("golden", acks)));
}

TEST(LibraryDevice, WithReductionsAndOutagesToo) {
  const Cosim run("golden," + Copy(), {{"traffic.reductions", "3"},
                                       {"traffic.mishaps", "0.2"},
                                       {"traffic.classes", "0,1,2,3"},
                                       {"stalls.outages", "1500"},
                                       {"max_cycles", "6000"}});
  EXPECT_EQ(run.status, kPassed) << run.Message();
  EXPECT_GT(run.results["reductions"]["packets"], 100);
  EXPECT_GT(run.results["outages"], 0);
  EXPECT_EQ(run.results["observation_compared"], run.results["compared"]);
}

TEST(LibraryDevice, WithoutARecordLinksAreComparedAndGoldenTellsDropsAndBins) {
  const Cosim run(Copy(":shows=links") + ",golden", kBusy);
  EXPECT_EQ(run.status, kPassed) << run.Message();
  EXPECT_GT(run.results["compared_busy"], 5000);
  EXPECT_TRUE(run.results["observation_compared"].is_null());
  EXPECT_TRUE(run.results["counters_compared"].is_null());
  EXPECT_EQ(run.results["observation_of"], "golden");
  EXPECT_EQ(run.results["counters_of"], "golden");
  EXPECT_THAT(run.Log(), AllOf(HasSubstr("level: L2, links are equal; neither observation record nor counters were compared"),
                               HasSubstr("observation record read: golden\ncounters read: golden\n")));
  const Cosim golden("golden", kBusy);
  EXPECT_EQ(FramesOf(run), FramesOf(golden));
  EXPECT_EQ(run.results["bins"], golden.results["bins"]);
  EXPECT_EQ(ReadText(run.folder / "stats.csv"), ReadText(golden.folder / "stats.csv"));
}

TEST(LibraryDevice, AloneWithoutARecordItsCountersTellDrops) {
  const Cosim run(Copy(":shows=counters"), kBusy);
  EXPECT_EQ(run.status, kPassed) << run.Message();
  EXPECT_EQ(FramesOf(run), FramesOf(Cosim("golden", kBusy)));
  EXPECT_TRUE(run.results["bins"].is_null());
  EXPECT_TRUE(run.results["observation_of"].is_null());
  EXPECT_EQ(run.results["counters_of"], "lib:golden_copy");
}

TEST(LibraryDevice, AloneWithLinksOnlyTheRunSaysWhatWasNotChecked) {
  const Cosim run(Copy(":shows=links"), kBusy);
  EXPECT_EQ(run.status, kPassed) << run.Message();
  EXPECT_GT(run.results["books"]["drops"].size(), 1u);
  EXPECT_TRUE(run.results["bins"].is_null());
  EXPECT_TRUE(run.results["counters_of"].is_null());
  EXPECT_THAT(run.Log(), HasSubstr("counters read: none; that drops are those that frames call for was not checked"));
  const std::string stats = ReadText(run.folder / "stats.csv");
  EXPECT_THAT(stats, HasSubstr(",,,,,,\n")) << "counters that nobody read";
}

TEST(LibraryDevice, ADifferenceIsNamedAtTheLevelThatTheDeviceShows) {
  for (const std::string shows : {"all", "links"}) {
    const Cosim run("golden," + Copy(":flip=300:shows=" + shows));
    EXPECT_EQ(run.status, kCheckFailed);
    EXPECT_THAT(run.Message(), AllOf(HasSubstr(", port 3, packet "), HasSubstr("golden link data=[0]="),
                                     HasSubstr("lib:golden_copy link data=[0]=")));
    EXPECT_THAT(run.Log(), HasSubstr(shows == "all" ? ": both: " : ": golden: "));
  }
  const Cosim alone(Copy(":flip=300"));
  EXPECT_EQ(alone.status, kCheckFailed) << "the endpoints see it, too";
}

/// A wire that loses all words: golden behind the interface gives its link up in the same cycle, and says so.
TEST(LibraryDevice, GivesALinkUpAsGoldenDoes) {
  bench::PortSetup setup{kTile8, true, true, 7, {}, {}, 1500};
  setup.limit = 2;
  bench::PortLink link(setup, bench::Stimulus(5), std::make_unique<cosim::LibraryDevice>(Copy(), kTile8, cosim::DeviceOptions{}));
  std::uint64_t shown = 0;
  while (link.cycle < 8000) {
    if (link.cycle == 600) link.Raise();
    if (link.cycle == 2000) link.SetFaults(0, {1, 0, 0, 0, 1}, {});
    ASSERT_NO_THROW(link.Step()) << "cycle " << link.cycle;
    shown |= link.device(0).b()->LinkFails();
  }
  EXPECT_EQ(shown, 1u);
  EXPECT_GE(link.decides.given_up(0), 1);
}

TEST(LibraryDevice, ALinkFailThatDiffersIsADivergence) {
  const Cosim run("golden," + Copy(":fail=300"));
  EXPECT_EQ(run.status, kCheckFailed);
  EXPECT_THAT(run.Message(), AllOf(HasSubstr("cycle 300, port 3"), HasSubstr("golden link link_fail=0"),
                                   HasSubstr("lib:golden_copy link link_fail=1")));
  EXPECT_EQ(Cosim("golden," + Copy(":fail=300:shows=links")).status, kPassed) << "a device without the flag is not compared in it";
}

TEST(LibraryDevice, WhatNeedsARecordIsRefusedWithTheRemedy) {
  const auto refusal = [](const std::string& devices, const Values& values) {
    try {
      Cosim run(devices, values);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("it ran");
  };
  const std::string alone = Copy(":shows=counters");
  EXPECT_THAT(refusal(alone, {{"journey", "slowest:1"}}), AllOf(HasSubstr("--journey"), HasSubstr(",golden")));
  EXPECT_THAT(refusal(alone, {{"ports.kind", "standard"}, {"stalls.ignore_pause", "on"}, {"stalls.share", "0.1"}}),
              HasSubstr("--ignore-pause: input buffers that overflow drop any frame"));
  EXPECT_THAT(refusal(alone, {{"capture.file", "captures/lan24.pcapng"}, {"capture.ports_by", "round-robin"}}),
              HasSubstr("--ports-by: equal frames may come in by several ports"));
  EXPECT_THAT(refusal(alone, {{"traffic.pattern", "everything"}}), HasSubstr("--traffic everything"));
  EXPECT_THAT(refusal(alone, {{"qos.file", "testbenches/lockstep/classes.yaml"}}), HasSubstr("a lossy class may drop any frame"));
  const Cosim beside(alone + ",golden", {{"journey", "slowest:2"}, {"qos.file", "testbenches/lockstep/classes.yaml"}});
  EXPECT_EQ(beside.status, kPassed) << beside.Message();
}

TEST(LibraryDevice, LevelsOfQueuesOfATimeSeriesNeedARecord) {
  const Values sampled = {{"sample", "500ns"}};
  const Cosim with(Copy(":shows=links") + ",golden", sampled), without(Copy(":shows=links"), sampled);
  const std::string samples = ReadText(with.folder / "samples.csv");
  EXPECT_TRUE(samples == ReadText(Cosim("golden", sampled).folder / "samples.csv"));
  EXPECT_THAT(samples, HasSubstr(",switch,all,"));
  std::istringstream lines(ReadText(without.folder / "samples.csv"));
  int links = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(",link,") == std::string::npos) continue;
    ++links;
    EXPECT_EQ(line.substr(line.size() - 2), ",,") << "levels of queues in " << line;
  }
  EXPECT_GT(links, 8);
}

TEST(LibraryDevice, ARunNamesItsLibraryAndRepeatsItself) {
  const Cosim run(Copy() + ",golden");
  EXPECT_THAT(ReadText(run.folder / "config.resolved.yaml"), HasSubstr("devices: \"" + Copy() + ",golden\""));
  const auto inputs = nlohmann::json::parse(ReadText(run.folder / "manifest.json"))["inputs"];
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0]["file"], LibraryFile("golden_copy"));
  const Cosim again(Copy() + ",golden");
  EXPECT_EQ(FramesOf(run), FramesOf(again));
}

/// What went into the switch of a run and came out.
class Played final : public cosim::Recorder {
 public:
  void Record(cosim::Lockstep& devices, const cosim::Device::Inputs& inputs) override {
    inputs_.push_back(inputs);
    outputs_.push_back(devices.Outputs());
  }
  /// The first cycle in which the device shows something else; -1: none.
  Cycle DifferenceOf(cosim::Device& device) const {
    for (std::size_t cycle = 0; cycle < inputs_.size(); ++cycle) {
      if (device.Outputs() != outputs_[cycle]) return static_cast<Cycle>(cycle);
      device.Step(inputs_[cycle]);
    }
    return -1;
  }
  std::size_t cycles() const { return inputs_.size(); }

 private:
  std::vector<cosim::Device::Inputs> inputs_;
  std::vector<std::vector<Link>> outputs_;
};

TEST(LibraryDevice, BeginsAnewAfterAReset) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.kinds = runs::ParsePortKinds("fabric", 8);
  options.generator.load = 0.7;
  options.max_cycles = 800;
  runs::SwitchRun run(options, std::make_unique<cosim::GoldenDevice>(kTile8), nullptr);
  Played played;
  runs::RunControl control;
  control.recorder = &played;
  ASSERT_EQ(run.Run(control).verdict, runs::Verdict::kPass);
  ASSERT_GT(played.cycles(), 800u);
  cosim::LibraryDevice device(Copy(), kTile8, {});
  EXPECT_EQ(played.DifferenceOf(device), -1);
  EXPECT_NE(played.DifferenceOf(device), -1) << "a switch whose counts have gone on";
  device.Reset();
  EXPECT_EQ(device.cycle(), 0);
  EXPECT_EQ(played.DifferenceOf(device), -1);
}

TEST(LibraryDevice, IsASwitchOfASystem) {
  const Net run("0-3=" + Copy() + ",4=" + Copy() + "+golden,5=" + Copy(":shows=links") + "+golden");
  EXPECT_EQ(run.status, kPassed) << run.results.value("message", "");
  EXPECT_GT(run.results["compared_busy"], 5000);
  EXPECT_THAT(run.log, HasSubstr("links of the two are compared, the observation record is golden's alone"));
  EXPECT_THAT(run.log, Not(HasSubstr("device 4=")));
  auto results = run.results, golden = Net("").results;
  for (const char* key : {"machine", "devices", "compared", "compared_busy"}) results.erase(key), golden.erase(key);
  EXPECT_EQ(results, golden);
}

TEST(LibraryDevice, IsANodeOfAReductionTreeWhenItTellsItsChanges) {
  const Values reduces = {{"traffic.pattern", "allreduce:sharp,bytes=2KiB,check=yes"}, {"max_cycles", "100000"}};
  const Net run("all=" + Copy(), reduces);
  EXPECT_EQ(run.status, kPassed) << run.results.value("message", "");
  try {
    Net("all=" + Copy(":shows=links") + "+golden", reduces);
    FAIL() << "a node of a tree that does not tell its changes";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("flag TFD_TELLS_CHANGES, tfd_next_change"));
  }
}

TEST(LibraryDevice, ASystemNeedsARecordAndCounters) {
  for (const auto& [shows, lacks] : {std::pair{"links", "observation record"}, {"record", "counters"}}) {
    try {
      Net(std::string("2=") + Copy(std::string(":shows=") + shows));
      FAIL() << shows;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr(std::string("has no ") + lacks), HasSubstr("+golden")));
    }
  }
}

TEST(LibraryDevice, ADifferenceInASystemNamesTheSwitch) {
  const Net run("3=" + Copy(":flip=900"));
  EXPECT_EQ(run.status, kCheckFailed);
  EXPECT_THAT(run.results.value("message", ""), HasSubstr("switch 3"));
}

}  // namespace
}  // namespace tilefly::conform
