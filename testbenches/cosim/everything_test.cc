// SPDX-License-Identifier: Apache-2.0
// `--traffic everything`: what is drawn can be run, has every feature, and is told so that it can be run again.
#include "runs/switch/everything.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "runs/switch/results.h"
#include "runs/switch/switch_run.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::cosim {
namespace {

runs::Settings Everything(const std::string& profile, Cycle cycles) {
  runs::Settings settings;
  settings.Set("profile", profile, "test");
  settings.Set("devices", "golden", "test");
  settings.Set("traffic.pattern", "everything", "test");
  settings.Set("max_cycles", std::to_string(cycles), "test");
  settings.Resolve();
  return settings;
}

TEST(Everything, DrawsWhatEachProfileCanRun) {
  for (const Profile& profile : kProfiles) {
    const runs::Settings settings = Everything(profile.name, 1000);
    const std::uint32_t seeds = profile.ports == kTile8.ports ? 400 : 20;  // in few all trees have a port alone
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
      const runs::Settings drawn = runs::DrawEverything(settings, seed);
      ASSERT_NO_THROW(runs::SwitchRun run(drawn.ToRunOptions()))
          << profile.name << ' ' << seed << ' ' << runs::DrawnOptions(drawn);
    }
  }
}

TEST(Everything, HasEveryFeatureInEachSeedAndDiffersBetweenSeeds) {
  const runs::Settings settings = Everything("tile8", 1000);
  std::set<std::string> different;
  int outages = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const runs::Settings drawn = runs::DrawEverything(settings, seed);
    const runs::RunOptions options = drawn.ToRunOptions();
    EXPECT_EQ(options.seed, seed);
    EXPECT_GT(options.generator.load, 0);
    EXPECT_GT(options.generator.replicated, 0);
    EXPECT_GT(options.generator.routed, 0);
    EXPECT_GT(options.generator.faults, 0);
    EXPECT_GT(options.acks, 0);
    EXPECT_GT(options.flow_channels, 0);
    EXPECT_GT(options.reductions.groups, 0);
    EXPECT_GT(options.stalls.share, 0);
    outages += options.outages.every > 0;
    different.insert(runs::DrawnOptions(drawn));
  }
  EXPECT_EQ(different.size(), 200u);
  EXPECT_GE(outages, 180) << "few have none: each of their trees has a port alone";
}

TEST(Everything, LeavesReductionsOutWhereAClassHasTheirLanes) {
  runs::Settings settings;
  settings.Set("profile", "tile8", "test");
  settings.Set("traffic.pattern", "everything", "test");
  settings.Set("qos.file", "testbenches/lockstep/classes.yaml", "test");
  settings.Resolve();
  const runs::RunOptions options = runs::DrawEverything(settings, 1).ToRunOptions();
  ASSERT_TRUE(options.classes);
  EXPECT_EQ(options.reductions.groups, 0);
}

TEST(Everything, TheResolvedConfigurationSaysWhatIsDrawnAndCanBeRunAgain) {
  const runs::Settings settings = Everything("tile8", 1000);
  EXPECT_NE(settings.ToYaml().find("load: \"drawn\""), std::string::npos) << settings.ToYaml();
  const std::filesystem::path file = bench::ProcessFolder() / "everything.yaml";
  std::ofstream(file) << settings.ToYaml();
  runs::Settings again;
  again.Load(file);
  again.Resolve();
  EXPECT_EQ(again.ToYaml(), settings.ToYaml());
  std::filesystem::remove(file);
}

/// What a run with these settings comes to.
std::string Figures(const runs::Settings& settings) {
  runs::SwitchRun run(settings.ToRunOptions());
  const runs::Outcome outcome = run.Run({});
  nlohmann::ordered_json results = runs::Results(run, outcome);
  results.erase("machine");
  return results.dump() + runs::StatsCsv(run);
}

TEST(Everything, AShareOfTheSeedsBeginsNearEdgesOfTime) {
  std::set<std::int64_t> edges;
  int runs = 0;
  for (std::uint32_t seed = 1; seed <= 80; ++seed) {
    const Cycle first = runs::DrawEverything(Everything("tile8", 1000), seed).ToRunOptions().device.first_cycle;
    if (first == 0) continue;
    ++runs;
    const int bits = static_cast<int>(std::ceil(std::log2(static_cast<double>(first))));
    EXPECT_EQ((std::int64_t{1} << bits) - first, 320);
    edges.insert(bits);
  }
  EXPECT_GE(runs, 10);
  EXPECT_EQ(edges, (std::set<std::int64_t>{16, 24, 32, 40, 47}));
}

TEST(Everything, TheOptionsThatAreToldRunTheSame) {
  const runs::Settings drawn = runs::DrawEverything(Everything("tile8", 3000), 7);
  runs::Settings typed;
  typed.Set("profile", "tile8", "test");
  typed.Set("devices", "golden", "test");
  typed.Set("max_cycles", "3000", "test");
  typed.Set("seed", "7", "test");
  std::istringstream words(runs::DrawnOptions(drawn));
  for (std::string option, value; words >> option >> value;) {
    for (const runs::Setting& setting : runs::Settings::Table()) {
      if (option == std::string("--") + setting.option) typed.Set(setting.path, value, "test");
    }
  }
  typed.Resolve();
  EXPECT_EQ(Figures(typed), Figures(drawn));
}

}  // namespace
}  // namespace tilefly::cosim
