// SPDX-License-Identifier: Apache-2.0
#include "runs/switch/settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cosim/errors.h"
#include "runs/common/common_settings.h"
#include "support/text.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::cosim {
namespace {

namespace fs = std::filesystem;

fs::path Save(const std::string& text) {
  const fs::path file = bench::ProcessFolder() / "settings.yaml";
  std::ofstream(file) << text;
  return file;
}

std::string ErrorOf(const std::string& text) {
  runs::Settings settings;
  try {
    settings.Load(Save(text));
    settings.Resolve();
    settings.ToRunOptions();
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Settings, ResolvedFileGivesTheSameSettings) {
  runs::Settings settings;
  settings.Set("traffic.size", "64*0.5,1024", "test");
  settings.Set("seed", "random", "test");
  settings.Resolve();
  runs::Settings again;
  again.Load(Save(settings.ToYaml()));
  again.Resolve();
  EXPECT_EQ(again.ToYaml(), settings.ToYaml());
  EXPECT_EQ(settings.ToYaml().find("random\""), std::string::npos) << "the seed was not drawn";
}

TEST(Settings, UnknownKeyNamesFileLineAndTheNearestKnown) {
  const std::string error = ErrorOf("level: switch\ntraffic:\n  lod: 0.5\n");
  EXPECT_NE(error.find("settings.yaml:3"), std::string::npos) << error;
  EXPECT_NE(error.find("'traffic.load'"), std::string::npos) << error;
}

TEST(Settings, ErrorsSayWhatIsWrong) {
  EXPECT_NE(ErrorOf("profile: rosetta46\n").find("'rosetta64'"), std::string::npos);
  EXPECT_NE(ErrorOf("seed: 1\nseed: 2\n").find("twice"), std::string::npos);
  EXPECT_NE(ErrorOf("traffic: [\n").find("not YAML"), std::string::npos);
  EXPECT_NE(ErrorOf("- a\n").find("keys and values"), std::string::npos);
  EXPECT_NE(ErrorOf("traffic:\n  load: high\n").find("'high' is not a number"), std::string::npos);
  EXPECT_NE(ErrorOf("traffic:\n  load: 1.5\n").find("not between 0 and 1"), std::string::npos);
  EXPECT_NE(ErrorOf("ports:\n  lanes: 5\n").find("not between 1 and 4"), std::string::npos);
  EXPECT_NE(ErrorOf("seed: 4294967296\n").find("not between"), std::string::npos);
  runs::Settings settings;
  EXPECT_THROW(settings.Load("/nowhere/at.all"), UsageError);
}

TEST(Settings, ATimeOutIsNeverOverAtOnce) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = [](const char* timeout) {
    runs::Settings settings;
    settings.Set("timeout", timeout, "test");
    return runs::DeadlineOf(settings);
  };
  for (const char* none : {"0", "1e9", "18446744073709551615", "1e300", "inf"})
    EXPECT_EQ(deadline(none), Clock::time_point::max()) << none;
  for (const char* some : {"0.5", "999999999"}) {
    EXPECT_GT(deadline(some), Clock::now()) << some;
    EXPECT_LT(deadline(some), Clock::time_point::max()) << some;
  }
  for (const char* wrong : {"-1", "nan", "-inf", "soon"}) EXPECT_THROW(deadline(wrong), UsageError) << wrong;
}

TEST(Settings, ListsMayBeYamlLists) {
  runs::Settings settings;
  settings.Load(Save("traffic:\n  classes: [1, 2]\n  size: [64, 128]\ndevices: [golden]\n"));
  settings.Resolve();
  const runs::RunOptions options = settings.ToRunOptions();
  EXPECT_EQ(options.generator.classes, "1,2");
  EXPECT_EQ(options.devices, (std::vector<std::string>{"golden"}));
}

TEST(Settings, AutoFollowsTheTraffic) {
  runs::Settings synthetic, capture;
  capture.Set("capture.file", "some.pcap", "test");
  synthetic.Resolve();
  capture.Resolve();
  EXPECT_EQ(synthetic.Get("ports.kind"), "fabric");
  EXPECT_EQ(synthetic.Get("max_cycles"), "20000");
  EXPECT_EQ(capture.Get("ports.kind"), "standard");
  EXPECT_EQ(capture.Get("max_cycles"), "0");
  EXPECT_TRUE(fs::path(capture.Get("capture.file")).is_absolute());
}

TEST(Settings, NumbersMayHaveExponents) {
  runs::Settings settings;
  settings.Load(Save("max_cycles: 1e4\ntraffic:\n  size: 1KiB\n  acks: on\n"));
  settings.Resolve();
  EXPECT_EQ(settings.ToRunOptions().max_cycles, 10000);
  EXPECT_EQ(settings.ToRunOptions().acks, 0.5);
  EXPECT_EQ(ParseInteger("2.5e3", "x"), 2500);
  EXPECT_EQ(ParseInteger("1e+4", "x"), 10000);
  EXPECT_EQ(ParseInteger("-3e0", "x"), -3);
  EXPECT_EQ(ParseBytes("1GiB", "x"), 1 << 30);
  EXPECT_EQ(ParseBytes("64", "x"), 64);
  EXPECT_EQ(ParseBytes("64B", "x"), 64);
  for (const char* wrong : {"1.5e0", "1e", "e4", "1e-1", "1e19", "1e4x", "0x1e4"})
    EXPECT_THROW(ParseInteger(wrong, "x"), UsageError) << wrong;
  for (const char* wrong : {"1GB", "GiB", "1 GiB", "1e18TiB"})
    EXPECT_THROW(ParseBytes(wrong, "x"), UsageError) << wrong;
}

}  // namespace
}  // namespace tilefly::cosim
