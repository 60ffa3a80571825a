// SPDX-License-Identifier: Apache-2.0
// A whole command with the golden device alone: what it writes, and that it repeats itself.
#include "runs/switch/session.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cosim/device_factory.h"
#include "cosim/errors.h"
#include "support/errors.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::cosim {
namespace {

namespace fs = std::filesystem;

fs::path Fresh(const std::string& name) {
  const fs::path folder = bench::ProcessFolder() / name;
  fs::remove_all(folder);
  return folder;
}

std::string Read(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

runs::Settings Small() {
  runs::Settings settings;
  for (const auto& [path, value] :
       {std::pair{"devices", "golden"}, {"profile", "tile8"}, {"max_cycles", "2000"}, {"waves.mode", "off"}}) {
    settings.Set(path, value, "test");
  }
  return settings;
}

runs::SessionOptions Quiet(const fs::path& folder) {
  runs::SessionOptions options;
  options.output_dir = folder;
  options.verbosity = -1;
  return options;
}

TEST(Session, WritesItsFolder) {
  runs::Session session(Small(), Quiet(Fresh("files")));
  EXPECT_EQ(session.Run(), kPassed);
  for (const char* name :
       {"manifest.json", "config.resolved.yaml", "results.json", "junit.xml", "stats.csv", "log.txt", "report.html"}) {
    EXPECT_GT(fs::file_size(session.folder() / name), 0u) << name;
  }
  for (const auto& entry : fs::recursive_directory_iterator(session.folder()))
    EXPECT_NE(entry.path().extension(), ".part");
  const auto results = nlohmann::json::parse(Read(session.folder() / "results.json"));
  EXPECT_EQ(results["verdict"], "pass");
  EXPECT_EQ(results["books"]["in_flight"], 0);
  EXPECT_EQ(results["books"]["offered"], results["books"]["delivered"]);
  EXPECT_EQ(results["latency_cycles"]["min"], 273);
  EXPECT_TRUE(results["compared"].is_null()) << "one device alone";
}

TEST(Session, ResolvedConfigurationRepeatsBitForBit) {
  runs::Session first(Small(), Quiet(Fresh("first")));
  first.Run();
  runs::Settings again;
  again.Load(first.folder() / "config.resolved.yaml");
  runs::Session second(again, Quiet(Fresh("second")));
  second.Run();
  auto a = first.results(), b = second.results();
  a.erase("machine");
  b.erase("machine");
  EXPECT_EQ(a, b);
  EXPECT_EQ(Read(first.folder() / "stats.csv"), Read(second.folder() / "stats.csv"));
}

TEST(Session, RefusesAFolderInUse) {
  const fs::path folder = Fresh("used");
  fs::create_directories(folder);
  std::ofstream(folder / "thesis.tex") << "do not touch";
  EXPECT_THROW(runs::Session(Small(), Quiet(folder)), UsageError);
  EXPECT_THROW(runs::Session(Small(), Quiet("/proc/nothing")), UsageError);
}

TEST(Session, ARefusedConfigurationLeavesNothingBehind) {
  runs::Settings settings = Small();
  settings.Set("traffic.pattern", "unifrom", "test");
  const fs::path folder = Fresh("refused");
  EXPECT_THROW(runs::Session(settings, Quiet(folder)), UsageError);
  EXPECT_FALSE(fs::exists(folder));
}

TEST(Session, InterruptedRunIsMarked) {
  const std::atomic<bool> stop{true};
  runs::SessionOptions options = Quiet(Fresh("interrupted"));
  options.stop = &stop;
  runs::Session session(Small(), options);
  EXPECT_EQ(session.Run(), kInterruptedByUser);
  const auto results = nlohmann::json::parse(Read(session.folder() / "results.json"));
  EXPECT_EQ(results["verdict"], "interrupted");
  EXPECT_EQ(results["traffic_cycles"], 0) << "it ended before traffic began";
  for (const char* load : {"offered_load", "accepted_load"}) EXPECT_TRUE(results[load].is_null()) << load;
  EXPECT_TRUE(results["latency_ns"]["mean"].is_null());
}

TEST(Session, ReseedsDiffer) {
  runs::Settings settings = Small();
  settings.Set("reseeds", "3", "test");
  runs::Session session(settings, Quiet(Fresh("reseeds")));
  EXPECT_EQ(session.Run(), kPassed);
  ASSERT_EQ(session.results()["runs"].size(), 3u);
  EXPECT_NE(session.results()["runs"][0]["books"], session.results()["runs"][1]["books"]);
}

/// This program is linked with neither: the remedy is for who has a program of their own.
TEST(Session, ADeviceThatIsNotLinkedNamesTheTargetThatHasIt) {
  for (const auto& [device, target] : {std::pair{"rtl", "tilefly::verilated"}, {"rtl-flat", "tilefly::verilated"},
                                       {"systemc", "tilefly::systemc_device (component systemc_rtl)"}}) {
    try {
      RequireDevice(device, "device");
      ADD_FAILURE() << device << " is there";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(target), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace tilefly::cosim
