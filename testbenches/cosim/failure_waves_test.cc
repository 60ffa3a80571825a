// SPDX-License-Identifier: Apache-2.0
// What a failing run leaves for the waves: the failure in the middle, cycles after it, markers at the packet's stages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "cosim/device_factory.h"
#include "cosim/golden_device.h"
#include "cosim/waves/packet_stages.h"
#include "cosim/waves/wave_writer.h"
#include "runs/switch/session.h"
#include "support/text.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::cosim {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr Cycle kFrom = 900;
constexpr std::size_t kPort = 3;

/// Golden that reports something else; the change says whether there was anything to change.
class WrongDevice final : public GoldenDevice {
 public:
  using Change = std::function<bool(Observation*)>;
  WrongDevice(const Profile& profile, Change change) : GoldenDevice(profile), change_(std::move(change)) {}
  const char* Name() const override { return "wrong"; }
  const Observation& Observe() override {
    reported_ = GoldenDevice::Observe();
    if (cycle() >= kFrom) change_(&reported_);
    return reported_;
  }

 private:
  Change change_;
  Observation reported_;
};

WrongDevice::Change& WhatIsWrong() {
  static WrongDevice::Change change;
  return change;
}

[[maybe_unused]] const bool kRegistered =
    RegisterDevice("wrong", [](const Profile& profile, const DeviceOptions&) -> std::unique_ptr<Device> {
      return std::make_unique<WrongDevice>(profile, WhatIsWrong());
    });

/// Notes which cycles it is shown.
class NotingWriter final : public WaveWriter {
 public:
  explicit NotingWriter(const WaveOptions& options) : options_(options) {}
  void Open(const fs::path&) override {}
  void Close() override {}
  Cycle first() const override { return first_; }
  Cycle last() const override { return last_; }
  bool full() const override { return false; }
  void Record(Lockstep& devices, const Device::Inputs& inputs) override {
    const Cycle now = devices.cycle();
    if (now < options_.from || now > options_.to) return;
    EXPECT_TRUE(last_ < 0 || now == last_ + 1) << "cycle " << now << " after " << last_;
    if (first_ < 0) first_ = now;
    last_ = latest_last = now;
    for (const Link& link : inputs.links) words_after += now > failed_at && link.word.valid;
  }
  static Cycle latest_last, failed_at;
  static int words_after;

 private:
  WaveOptions options_;
  Cycle first_ = -1, last_ = -1;
};
Cycle NotingWriter::latest_last = -1;
Cycle NotingWriter::failed_at = kFrom + 30;
int NotingWriter::words_after = 0;

/// A failing run, and its save file for GTKWave.
struct Failed {
  std::string said;
  Cycle at = -1;
  std::string save, surfer;
  std::vector<std::string> lines;        ///< comments
  std::map<std::string, Cycle> markers;  ///< by name
  Cycle from = 0, to = 0, marker = 0;    ///< what is shown
};

std::string Read(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void ReadSave(Failed* failed) {
  const double ps = 1280;
  std::vector<Cycle> times;
  for (const std::string& line : Split(failed->save, '\n')) {
    if (line.rfind("[timestart] ", 0) == 0) failed->from = static_cast<Cycle>(std::stod(line.substr(12)) / ps);
    if (line.rfind("-", 0) == 0 && line.size() > 1) failed->lines.push_back(line.substr(1));
    if (line.rfind("*", 0) == 0) {
      std::istringstream numbers(line.substr(1));
      double zoom = 0, time = 0;
      numbers >> zoom >> time;
      failed->marker = static_cast<Cycle>(time / ps);
      failed->to = failed->from + static_cast<Cycle>(5.4 * std::pow(2, -zoom) / ps) - 1;
      while (numbers >> time) times.push_back(time < 0 ? -1 : static_cast<Cycle>(time / ps));
      EXPECT_EQ(times.size(), 26u);
    }
    const std::string named = "[markername] ";
    if (line.rfind(named, 0) == 0)
      failed->markers[line.substr(named.size() + 1)] = times.at(static_cast<std::size_t>(line[named.size()] - 'A'));
  }
}

Failed Fail(const char* name, const char* mode, WrongDevice::Change change, const char* size = "64,1024") {
  WhatIsWrong() = std::move(change);
  RegisterWaveWriter([](const Profile&, const std::vector<std::string>&, const WaveOptions& options) {
    return std::make_unique<NotingWriter>(options);
  });
  runs::Settings settings;
  for (const auto& [path, value] : {std::pair{"devices", "golden,wrong"},
                                    {"profile", "tile8"},
                                    {"max_cycles", "3000"},
                                    {"traffic.load", "0.6"},
                                    {"seed", "7"}}) {
    settings.Set(path, value, "test");
  }
  settings.Set("waves.mode", mode, "test");
  settings.Set("traffic.size", size, "test");
  runs::SessionOptions options;
  options.output_dir = bench::ProcessFolder() / name;
  fs::remove_all(options.output_dir);
  options.verbosity = -1;
  runs::Session session(settings, options);
  NotingWriter::words_after = 0;
  EXPECT_EQ(session.Run(), kCheckFailed);
  Failed failed;
  failed.said = Read(session.folder() / "log.txt");
  std::sscanf(session.results()["message"].get<std::string>().c_str(), "first divergence: cycle %ld", &failed.at);
  const fs::path wave = session.folder() / "waves" / (std::string(mode) == "full" ? "run" : "fail");
  failed.save = Read(wave.string() + ".gtkw");
  failed.surfer = Read(wave.string() + ".sucl");
  ReadSave(&failed);
  EXPECT_GE(failed.at, kFrom);
  EXPECT_EQ(session.results()["cycles"], failed.at) << "what comes after is not counted";
  return failed;
}

bool WrongGrant(Observation* seen) {
  Portobs& port = seen->ports[kPort];
  if (port.dec_valid) port.dec_src ^= 1;
  return port.dec_valid;
}

bool WrongLoad(Observation* seen) {
  Portobs& port = seen->ports[kPort];
  const bool quiet = port.load >= 20 && !port.dec_valid && !port.req_valid && !port.take_valid && port.arr_rows == 0;
  if (quiet) port.load = static_cast<std::uint16_t>(port.load - 20);
  return quiet;
}

TEST(FailureWaves, ShowTheFailureInTheMiddleAndCyclesAfterIt) {
  for (const char* mode : {"on-fail", "full"}) {
    const Failed failed = Fail("middle", mode, WrongGrant);
    EXPECT_EQ(failed.marker, failed.at) << mode;
    EXPECT_NEAR(static_cast<double>(failed.marker - failed.from), static_cast<double>(failed.to - failed.marker), 2)
        << mode;
    EXPECT_GE(NotingWriter::latest_last, failed.at + 90) << mode;
    EXPECT_LE(failed.to, NotingWriter::latest_last) << mode;
    EXPECT_GT(NotingWriter::words_after, 200) << "the links go on, " << mode;
    for (const std::string& line : failed.lines) EXPECT_LE(line.size(), 60u) << line;
    EXPECT_THAT(failed.lines[0], StartsWith("first divergence: cycle"));
  }
}

TEST(FailureWaves, MarkThePacketsStagesByName) {
  const Failed failed = Fail("stages", "on-fail", WrongGrant);
  ASSERT_EQ(failed.markers.count("grant"), 1u) << failed.save;
  EXPECT_EQ(failed.markers.at("grant"), failed.at) << "the packet is the one that golden grants there";
  Cycle before = 0;
  for (const char* stage :
       {"request", "grant", "grant arrives", "transfer", "turn", "first cell", "link takes", "link out"}) {
    if (failed.markers.count(stage) == 0) continue;
    EXPECT_GT(failed.markers.at(stage), before) << stage;
    before = failed.markers.at(stage);
  }
  EXPECT_GE(failed.markers.size(), 4u) << "also stages after the failure";
  EXPECT_THAT(failed.lines, Contains(HasSubstr("where they differ")));
  EXPECT_THAT(failed.save, HasSubstr("wrong.port_03.dec_src[5:0]"));
  EXPECT_THAT(failed.surfer, HasSubstr("marker_set grant_arrives\n"));
}

TEST(FailureWaves, OfALevelShowTheInputsTheTurnTileAndTheEventsThatLedThere) {
  const Failed failed = Fail("level", "on-fail", WrongLoad, "4096");
  EXPECT_THAT(failed.said, HasSubstr("golden level load="));
  // The last events before it are requests to the port and its grants, though the port itself does nothing now.
  EXPECT_THAT(failed.said, ::testing::ContainsRegex("cycle [0-9]+: both: port [0-9]: .*requests output 3"));
  EXPECT_THAT(failed.said, ::testing::ContainsRegex("cycle [0-9]+: wrong: load=[0-9]+ ibuf_cells="));
  EXPECT_THAT(failed.said, ::testing::Not(HasSubstr(": nothing")));
  EXPECT_THAT(failed.save, HasSubstr("wrong.port_03.load[11:0]"));
  ASSERT_GE(failed.markers.size(), 4u);
  int told = 0;
  for (const auto& [name, at] : failed.markers) {
    EXPECT_THAT(name, ::testing::ContainsRegex("^port [0-7] to 3 "));
    EXPECT_LE(at, failed.at);
    for (const std::string& line : failed.lines) told += line.find(": " + name) != std::string::npos;
    const std::string input = name.substr(5, 1);
    EXPECT_THAT(failed.lines, Contains("requester, port " + input)) << name;
    EXPECT_THAT(failed.lines, Contains("turn tile, row " + std::to_string(std::stoi(input) / 4) + " column 1")) << name;
  }
  EXPECT_GE(told, static_cast<int>(failed.markers.size()));
}

TEST(FailureWaves, OfATurnTileShowThatTileAndItsPorts) {
  int tile = -1;
  const Failed failed = Fail("turn", "on-fail", [&tile](Observation* seen) {
    for (std::size_t i = 0; i < seen->turns.size(); ++i) {
      if ((seen->turns[i].valid & 1) == 0) continue;  // output 0: the even port of the tile in row 0
      seen->turns[i].inputs ^= 1;
      tile = tile < 0 ? static_cast<int>(i) : tile;
      return true;
    }
    return false;
  });
  const std::string scope = "turn_r" + std::to_string(tile / 2) + "_c" + std::to_string(tile % 2);
  EXPECT_THAT(failed.said, HasSubstr("tile " + std::to_string(tile) + ": golden turn inputs="));
  EXPECT_THAT(failed.save, HasSubstr("wrong." + scope + ".inputs[31:0]"));
  EXPECT_THAT(failed.lines, Contains("link out, port " + std::to_string(tile % 2 * 2)));
  ASSERT_EQ(failed.markers.count("turn"), 1u) << failed.save;
  EXPECT_NEAR(static_cast<double>(failed.markers.at("turn")), static_cast<double>(failed.at), 90);
}

/// A quiet packet's stages are those of the timing page; the record shows them a cycle later.
TEST(PacketStages, AreThoseOfTheTimingPage) {
  PacketStages stages(kTile8);
  class Watch final : public Recorder {
   public:
    explicit Watch(PacketStages* to) : stages(to) {}
    void Record(Lockstep& devices, const Device::Inputs&) override {
      stages->Sample(devices.cycle(), devices.Observe());
      const Link& link = devices.Outputs()[5];
      if (link.word.valid && link.word.sop && out < 0) out = devices.cycle();
    }
    PacketStages* stages;
    Cycle out = -1;
  } watch(&stages);
  runs::RunOptions options;
  options.profile = &kTile8;
  options.devices = {"golden"};
  options.kinds = runs::ParsePortKinds("fabric", kTile8.ports);
  options.max_cycles = 400;
  options.generator.traffic = "permutation:shift:5";  // 0 to 5: another row
  options.generator.load = 0.01;
  runs::SwitchRun run(options);
  runs::RunControl control;
  control.recorder = &watch;
  EXPECT_EQ(run.Run(control).verdict, runs::Verdict::kPass);
  ASSERT_GE(watch.out, 0);
  const std::vector<Mark> marks = stages.Marks({0, 5, -1}, watch.out);
  ASSERT_EQ(marks.size(), 8u);
  const Cycle request = marks[0].at;
  const std::vector<Cycle> after = {0, 9, 20, 21, 26, 33, 34, 41};
  for (std::size_t i = 0; i < marks.size(); ++i) EXPECT_EQ(marks[i].at - request, after[i]) << marks[i].name;
  EXPECT_EQ(marks.back().at, watch.out);
}

}  // namespace
}  // namespace tilefly::cosim
