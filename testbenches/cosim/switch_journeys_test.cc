// SPDX-License-Identifier: Apache-2.0
// Journeys through one switch: a quiet packet takes what the timing page says, stages add up, every wait has a reason,
// and waves open on a packet by its name.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cosim/golden_device.h"
#include "runs/common/journey_table.h"
#include "runs/switch/results.h"
#include "runs/switch/session.h"
#include "support/errors.h"
#include "support/text.h"
#include "testbenches/bench/process_folder.h"
#include "testbenches/cosim/journey_checks.h"
#include "testbenches/cosim/planned_packets.h"

namespace tilefly::cosim {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// The numbers are those of docs/timing.md, from the trigger on.
TEST(SwitchJourneys, AQuietPacketTakesWhatTheTimingPageSays) {
  const std::map<std::string, Cycle> from_trigger = {
      {"requested", 21}, {"request stored", 29}, {"granted", 30}, {"grant at input", 41},
      {"picked", 42},    {"first cell at output", 54}, {"taken", 55}};
  for (const char* ports : {"fabric", "enhanced", "standard"}) {
    for (const int lanes : {4, 2}) {
      runs::RunOptions options = PlannedRun(ports, lanes);
      options.source = [](const SwitchSetup& setup, std::uint32_t) {
        return std::make_unique<PlannedPackets>(setup, std::vector<PlannedPacket>{{10, 0, 7, 64}, {600, 3, 1, 500}, {1300, 0, 6, 128}});
      };
      const Json journeys = JourneysOf(options, "p0:1,p0:2,p3:1");
      ASSERT_EQ(journeys.size(), 3u);
      for (const Json& journey : journeys) {
        SCOPED_TRACE(testing::Message() << ports << lanes << journey.dump());
        ExpectAddsUp(journey);
        EXPECT_THAT(journey["waits"], IsEmpty());
        EXPECT_THAT(journey["sender_waits"], IsEmpty());
        const int bytes = journey["bytes"].get<int>() + (std::string(ports) == "standard" ? 0 : 16);
        const Cycle tail = 4 * ((bytes + 31) / 32 - 1) / lanes;
        const bool stored_first = std::string(ports) != "fabric";
        EXPECT_EQ(journey["latency_cycles"], 63 + (stored_first ? tail : 0));
        const Cycle trigger = StageOf(journey, "switch", "first word")->at("cycle").get<Cycle>() + (stored_first ? tail : 0);
        for (const auto& [stage, cycles] : from_trigger) {
          ASSERT_NE(StageOf(journey, "switch", stage), nullptr) << stage;
          EXPECT_EQ(StageOf(journey, "switch", stage)->at("cycle"), trigger + cycles) << stage;
        }
        EXPECT_EQ(journey["stages"].back()["cycles"], tail);
      }
      EXPECT_EQ(journeys[0]["destination"], "p7");
      EXPECT_EQ(journeys[1]["packet"], "p0:2");
    }
  }
}

TEST(SwitchJourneys, StagesAddUpAndEveryWaitHasAReason) {
  std::set<std::string> reasons;
  for (const char* ports : {"mixed", "fabric", "standard"}) {
    runs::RunOptions options = PlannedRun(ports);
    options.generator.traffic = "hotspot:3:0.5";
    options.generator.load = 0.9;
    options.generator.size = "64,300,4224";
    options.stalls.share = 0.1;
    options.outages.every = 1500;
    options.max_cycles = 6000;
    const Json journeys = JourneysOf(options, "slowest:10000");
    EXPECT_GT(journeys.size(), 300u);
    for (const Json& journey : journeys) {
      ExpectAddsUp(journey);
      for (const auto* waits : {&journey["waits"], &journey["sender_waits"]}) {
        for (const auto& [reason, cycles] : waits->items()) reasons.insert(reason);
      }
    }
  }
  EXPECT_THAT(reasons, ::testing::IsSupersetOf({"packets before it", "no credit", "paused", "stalled", "link down", "no room",
                                                "queue stage or requester", "request crossing", "arbitration",
                                                "grant crossing", "words to come", "input busy", "link busy"}));
  EXPECT_THAT(reasons, Not(Contains("not in the record")));
  EXPECT_THAT(reasons, Not(Contains("request crossing or grant")));
}

/// What a flow channel holds, and what an endpoint holds back for a pause of its flow, has one reason.
TEST(SwitchJourneys, FlowsAreThrottledInTheSwitchAndAtTheSender) {
  Cycle in_switch = 0, at_sender = 0;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    runs::RunOptions options = PlannedRun("mixed");
    options.generator.traffic = "hotspot:2,5:0.5";
    options.generator.load = 0.9;
    options.generator.size = "64,300,1500";
    options.generator.classes = "0,1,2";
    options.acks = 0.6;
    options.flow_channels = 1;
    options.seed = seed;
    options.max_cycles = 8000;
    for (const Json& journey : JourneysOf(options, "slowest:10000")) {
      ExpectAddsUp(journey);
      in_switch += journey["waits"].value("throttled", Cycle{0});
      at_sender += journey["sender_waits"].value("throttled", Cycle{0});
    }
  }
  EXPECT_GT(in_switch, 0);
  EXPECT_GT(at_sender, 0);
}

TEST(SwitchJourneys, TheSlowestAreThoseOfTheResults) {
  runs::RunOptions options = PlannedRun("fabric");
  options.generator.load = 0.8;
  options.chip_timing = true;
  Json results;
  const Json journeys = JourneysOf(options, "slowest:4,p2:5", &results);
  ASSERT_EQ(journeys.size(), 5u);
  EXPECT_EQ(journeys[0]["packet"], "p2:5");
  EXPECT_EQ(journeys[1]["latency_cycles"], results["latency_cycles"]["max"]) << "with the calibrated channel";
  for (std::size_t i = 2; i < 5; ++i) EXPECT_LE(journeys[i]["latency_cycles"], journeys[i - 1]["latency_cycles"]);
}

TEST(SwitchJourneys, FollowingPacketsChangesNoResult) {
  for (const bool retry : {false, true}) {
    runs::RunOptions options = PlannedRun("mixed");
    options.generator.load = 0.8;
    if (retry) {
      auto plan = std::make_shared<faults::Plan>();
      plan->channel.word_ber = plan->channel.slot_ber = 1e-5;
      options.plan = plan;
      options.retry = 1;
      options.link_delay = 7;
    }
    Json with;
    JourneysOf(options, "slowest:100", &with);
    runs::SwitchRun run(options);
    Json without = runs::Results(run, run.Run({}));
    with.erase("machine");
    without.erase("machine");
    EXPECT_EQ(with, without);
  }
}

TEST(SwitchJourneys, CopiesHaveAJourneyEachAndDropsSayWhy) {
  runs::RunOptions options = PlannedRun("mixed");
  options.generator.load = 0.3;
  options.generator.replicated = 0.5;
  options.generator.faults = 0.3;
  std::string all;
  for (int number = 1; number <= 20; ++number) all += fmt::format("{}p3:{}", number > 1 ? "," : "", number);
  std::map<std::string, std::set<std::string>> destinations;
  std::set<std::string> drops;
  for (const Json& journey : JourneysOf(options, all)) {
    EXPECT_NE(journey["end"], "inside");
    if (journey["end"] == "dropped") {
      EXPECT_TRUE(journey["latency_cycles"].is_null());
      EXPECT_TRUE(journey["destination"].is_null());
      EXPECT_EQ(journey["stages"].back()["stage"], "first word");
      drops.insert(journey["drop"]);
    } else {
      ExpectAddsUp(journey);
      EXPECT_TRUE(destinations[journey["packet"]].insert(journey["destination"]).second) << journey["packet"];
    }
  }
  std::size_t most = 0;
  for (const auto& [packet, ports] : destinations) most = std::max(most, ports.size());
  EXPECT_GE(most, 6u) << "replicated to all other ports";
  EXPECT_FALSE(drops.empty());
}

/// What a run that is cut knows of packets inside are the stages of the whole run, as far as they had come.
TEST(SwitchJourneys, PacketsInsideHaveTheStagesThatTheyReached) {
  runs::RunOptions options = PlannedRun("fabric");
  options.generator.traffic = "incast:2";
  options.generator.load = 0.9;
  options.generator.size = "300";
  std::string some;
  for (int number = 1; number <= 40; ++number) some += fmt::format("{}p1:{}", number > 1 ? "," : "", number);
  const Json whole = JourneysOf(options, some);
  runs::FollowedPackets followed(Following(some));
  runs::SwitchRun run(options);
  runs::RunControl control;
  std::atomic<bool> stop = false;
  control.stop = &stop;
  control.progress = [&](Cycle now, const Books&) { stop = now > 800; };
  followed.Begin(&run, &control);
  EXPECT_EQ(run.Run(control).verdict, runs::Verdict::kInterrupted);
  followed.End(run);
  std::set<std::string> last;
  for (const Json& cut : followed.journeys()) {
    if (cut["end"] != "inside") continue;
    const auto same = std::find_if(whole.begin(), whole.end(), [&](const Json& one) { return one["packet"] == cut["packet"]; });
    ASSERT_NE(same, whole.end());
    const std::size_t stages = cut["stages"].size();
    ASSERT_LT(stages, (*same)["stages"].size());
    for (std::size_t i = 0; i < stages; ++i) EXPECT_EQ(cut["stages"][i], (*same)["stages"][i]);
    last.insert(cut["stages"].back()["stage"].get<std::string>());
  }
  EXPECT_THAT(last, ::testing::IsSupersetOf({"request stored", "first cell at output"}));
}

/// A device whose loads are others than those of its requests.
class WrongLoads final : public GoldenDevice {
 public:
  using GoldenDevice::GoldenDevice;
  const Observation& Observe() override {
    seen_ = GoldenDevice::Observe();
    for (Portobs& port : seen_.ports) port.load ^= 1;
    return seen_;
  }

 private:
  Observation seen_;
};

TEST(SwitchJourneys, WhatTheRecordContradictsIsNotTold) {
  const runs::RunOptions options = PlannedRun("fabric");
  runs::FollowedPackets followed(Following("slowest:50"));
  runs::SwitchRun run(options, std::make_unique<WrongLoads>(kTile8), nullptr);
  runs::RunControl control;
  followed.Begin(&run, &control);
  run.Run(control);
  followed.End(run);
  ASSERT_EQ(followed.journeys().size(), 50u);
  for (const Json& journey : followed.journeys()) {
    ExpectAddsUp(journey);
    EXPECT_EQ(StageOf(journey, "switch", "request stored"), nullptr);
    EXPECT_FALSE(journey["waits"].contains("arbitration"));
    EXPECT_EQ(StageOf(journey, "switch", "granted")->at("quiet_cycles"), 9);
  }
}

TEST(SwitchJourneys, BadChoicesAreRefusedWithTheRemedy) {
  const auto refusal = [](const std::string& journey, const std::string& traced) -> std::string {
    runs::Settings settings = Following(journey);
    settings.Set("waves.mode", "full", "test");
    settings.Set("waves.packet", traced, "test");
    try {
      runs::FollowedPackets followed(settings);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("e7:3", ""), AllOf(HasSubstr("'e7:3'"), HasSubstr("slowest:K"), HasSubstr("p7:3")));
  EXPECT_THAT(refusal("p8:1", ""), HasSubstr("p0 to p7"));
  EXPECT_THAT(refusal("p1:0", ""), HasSubstr("from 1"));
  EXPECT_THAT(refusal("slowest:0", ""), HasSubstr("1 to 10000"));
  EXPECT_THAT(refusal("", "slowest:3"), AllOf(HasSubstr("--trace-packet slowest:3"), HasSubstr("or slowest")));
  EXPECT_THAT(refusal("", "p1:1,p1:2"), HasSubstr("give one packet"));
  EXPECT_THAT(refusal("", "q1"), AllOf(HasSubstr("trace-packet: 'q1'"), HasSubstr("p7:3")));
  EXPECT_EQ(refusal("slowest:3,p7:5", "p0:1"), "");
  EXPECT_EQ(refusal("", "slowest"), "");
}

/// Keeps to its window.
class WindowWriter final : public WaveWriter {
 public:
  explicit WindowWriter(const WaveOptions& options) : options_(options) {}
  void Open(const fs::path&) override {}
  void Close() override {}
  Cycle first() const override { return first_; }
  Cycle last() const override { return last_; }
  bool full() const override { return false; }
  void Record(Lockstep& devices, const Device::Inputs&) override {
    const Cycle now = devices.cycle();
    latest = now;
    if (now < options_.from || now > options_.to) return;
    if (first_ < 0) first_ = now;
    last_ = now;
  }
  static Cycle latest;  ///< that any of them was shown

 private:
  WaveOptions options_;
  Cycle first_ = -1, last_ = -1;
};
Cycle WindowWriter::latest = -1;

std::string Read(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Runs a session; returns its folder.
fs::path RunSession(const std::string& name, const std::vector<std::pair<const char*, const char*>>& more,
                    int ends = kPassed) {
  RegisterWaveWriter([](const Profile&, const std::vector<std::string>&, const WaveOptions& options) {
    return std::make_unique<WindowWriter>(options);
  });
  runs::Settings settings;
  for (const auto& [path, value] : {std::pair{"devices", "golden"}, {"profile", "tile8"}, {"max_cycles", "3000"}, {"traffic.load", "0.7"}})
    settings.Set(path, value, "test");
  for (const auto& [path, value] : more) settings.Set(path, value, "test");
  runs::SessionOptions options;
  options.output_dir = bench::ProcessFolder() / name;
  fs::remove_all(options.output_dir);
  options.verbosity = -1;
  runs::Session session(settings, options);
  EXPECT_EQ(session.Run(), ends);
  return session.folder();
}

/// Named markers of a save file, in cycles.
std::map<std::string, Cycle> MarkersOf(const std::string& save) {
  std::vector<double> times;
  std::map<std::string, Cycle> markers;
  for (const std::string& line : Split(save, '\n')) {
    if (line.rfind("*", 0) == 0) {
      std::istringstream numbers(line.substr(1));
      for (double number = 0; numbers >> number;) times.push_back(number);
    }
    if (line.rfind("[markername] ", 0) == 0)
      markers[line.substr(14)] = static_cast<Cycle>(times.at(static_cast<std::size_t>(line[13] - 'A') + 2) / 1280);
  }
  return markers;
}

TEST(TracedPacket, OpensOnItsWayInAWindowOfItsOwn) {
  const fs::path folder = RunSession("traced", {{"waves.mode", "full"}, {"waves.packet", "p5:12"}});
  const Json journeys = Json::parse(Read(folder / "journeys.json"));
  ASSERT_EQ(journeys.size(), 1u) << "it is followed, too";
  const Json& journey = journeys[0];
  EXPECT_EQ(journey["packet"], "p5:12");
  const std::string save = Read(folder / "waves" / "p5-12.gtkw");
  EXPECT_THAT(save, HasSubstr("-packet p5:12: 64 B, port 5 to port "));
  const std::map<std::string, Cycle> markers = MarkersOf(save);
  const auto cycle = [&](const char* stage) { return StageOf(journey, "switch", stage)->at("cycle").get<Cycle>(); };
  // The record shows an event in the cycle after it.
  EXPECT_EQ(markers.at("link in"), cycle("first word"));
  EXPECT_EQ(markers.at("request"), cycle("requested") + 1);
  EXPECT_EQ(markers.at("grant"), cycle("granted") + 1);
  EXPECT_EQ(markers.at("grant arrives"), cycle("grant at input") + 1);
  EXPECT_EQ(markers.at("transfer"), cycle("picked") + 1);
  EXPECT_EQ(markers.at("first cell"), cycle("first cell at output") + 1);
  EXPECT_EQ(markers.at("link takes"), cycle("taken") + 1);
  EXPECT_EQ(markers.at("link out"), cycle("taken") + 8);
  EXPECT_THAT(save, HasSubstr(fmt::format("[timestart] {}\n", (cycle("first word") - 8) * 1280)));
  EXPECT_LT(WindowWriter::latest, cycle("taken") + 1500) << "the rest of the run is not repeated";
  EXPECT_THAT(Read(folder / "log.txt"), HasSubstr("p5-12.gtkw"));
}

TEST(TracedPacket, MayBeTheSlowestAndInAWindowThatIsAskedFor) {
  const fs::path folder = RunSession("slowest", {{"waves.mode", "full"}, {"waves.packet", "slowest"}, {"waves.start", "100"}});
  const Json journeys = Json::parse(Read(folder / "journeys.json"));
  const std::string save = Read(folder / "waves" / "slowest.gtkw");
  EXPECT_THAT(save, HasSubstr("-packet " + journeys[0]["packet"].get<std::string>()));
  EXPECT_THAT(save, Not(HasSubstr("[timestart] 128000\n"))) << "the file begins there, the view at the packet";
}

TEST(TracedPacket, IsSaidWhenItWasNeverSent) {
  const fs::path folder = RunSession("never", {{"waves.mode", "full"}, {"waves.packet", "p5:100000"}});
  EXPECT_THAT(Read(folder / "log.txt"), AllOf(HasSubstr("port p5 never sent its packet 100000: it sent "),
                                              HasSubstr("no waves were written of --trace-packet p5:100000: it was never sent")));
  EXPECT_FALSE(fs::exists(folder / "waves"));
}

/// Golden whose record shows a wrong load in one cycle.
class WrongLater final : public GoldenDevice {
 public:
  using GoldenDevice::GoldenDevice;
  const char* Name() const override { return "wrong-later"; }
  const Observation& Observe() override {
    seen_ = GoldenDevice::Observe();
    if (cycle() == kWrongAt) seen_.ports[3].load ^= 1;
    return seen_;
  }
  static constexpr Cycle kWrongAt = 1000;

 private:
  Observation seen_;
};

TEST(TracedPacket, GivesWayToAFailure) {
  RegisterDevice("wrong-later", [](const Profile& profile, const DeviceOptions&) -> std::unique_ptr<Device> {
    return std::make_unique<WrongLater>(profile);
  });
  const fs::path folder = RunSession(
      "gives way", {{"devices", "golden,wrong-later"}, {"waves.mode", "full"}, {"waves.packet", "p5:3"}}, kCheckFailed);
  EXPECT_TRUE(fs::exists(folder / "waves" / "fail.gtkw"));
  EXPECT_FALSE(fs::exists(folder / "waves" / "p5-3.gtkw"));
  EXPECT_THAT(Read(folder / "log.txt"), Not(HasSubstr("no waves were written")));
  EXPECT_EQ(Json::parse(Read(folder / "journeys.json")).at(0)["packet"], "p5:3") << "its journey is told all the same";
}

TEST(TracedPacket, TheJourneysNameTheCommandThatShowsIt) {
  const fs::path folder = RunSession("command", {{"waves.mode", "off"}, {"journey", "p5:3,slowest:2"}, {"reseeds", "2"}});
  const std::string log = Read(folder / "log.txt");
  const Json results = Json::parse(Read(folder / "results.json"));
  EXPECT_THAT(log, HasSubstr("journeys.csv (3 of them)"));
  EXPECT_THAT(log, HasSubstr("    p5:3 to p"));
  EXPECT_THAT(log, HasSubstr(fmt::format("waves of p5:3: tilefly cosim --config {} --seed {} --reseeds 1 --waves full "
                                         "--trace-packet p5:3",
                                         (folder / "config.resolved.yaml").string(), results["seed"].dump())));
  EXPECT_THAT(Read(folder / "report.html"), HasSubstr("\"followed\":3"));
  const std::string csv = Read(folder / "journeys.csv");
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "packet,source,destination,class,bytes,at,port,lane,stage,path,cycle,cycles,quiet_cycles,wait_cycles,waits");
}

}  // namespace
}  // namespace tilefly::cosim
