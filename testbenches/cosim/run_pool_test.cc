// SPDX-License-Identifier: Apache-2.0
// Which runs of an earlier pool are taken over; the program is a script of the test's own. testbenches/cli runs real
// ones.
#include "runs/sweep/run_pool.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "runs/common/digest.h"
#include "runs/common/manifest.h"
#include "runs/system/net_settings.h"
#include "support/exit_code.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::cosim {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kVersion = "9.9";

class RunPoolTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  static void Write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

  /// A program that passes as one whose manifest is `manifest`.
  fs::path Program(const std::string& manifest) {
    Write(folder_ / "manifest", manifest);
    const fs::path program = folder_ / "program";
    Write(program, fmt::format("#!/bin/sh\nmkdir -p \"$4\"; cp {} \"$4\"/manifest.json\n"
                               "echo '{{\"verdict\": \"pass\"}}' >\"$4\"/results.json\n",
                               (folder_ / "manifest").string()));
    fs::permissions(program, fs::perms::owner_all);
    return program;
  }

  runs::PoolRun Run() const {
    runs::NetSettings settings;
    settings.Resolve();
    return {"one", settings};
  }

  nlohmann::ordered_json Manifest() const {
    return nlohmann::ordered_json::parse(runs::ManifestJson(kVersion, {}, 0, Run().settings.ToYaml(), {}));
  }

  runs::RunPool Pool(const nlohmann::ordered_json& manifest) {
    return runs::RunPool({Program(manifest.dump()), folder_ / "points", kVersion, 1, nullptr}, {Run()});
  }

  static runs::RunOutcome Outcome(runs::RunPool* pool) {
    return pool->Run([](const auto&, std::size_t) { return std::string(); }, [](const std::string&) {}).front();
  }

  const fs::path folder_ = bench::ProcessFolder() / "run_pool";
};

TEST_F(RunPoolTest, TakesOverWhatTheSameProgramHasFinished) {
  runs::RunPool first = Pool(Manifest());
  EXPECT_EQ(first.reused(), 0u);
  EXPECT_EQ(Outcome(&first).exit_code, 0);
  EXPECT_EQ(Pool(Manifest()).reused(), 1u);
  EXPECT_EQ(Pool(Manifest()).Remade(), "");
}

TEST_F(RunPoolTest, MakesAgainWhatIsOfAnotherBuildAndSaysSo) {
  for (const char* key : {"program_digest", "version", "compiler"}) {
    runs::RunPool first = Pool(Manifest());
    Outcome(&first);
    nlohmann::ordered_json other = Manifest();
    other[key] = "another";
    Write(folder_ / "points/one/manifest.json", other.dump());
    const runs::RunPool again = Pool(Manifest());
    EXPECT_EQ(again.reused(), 0u) << key;
    EXPECT_THAT(again.Remade(), HasSubstr("1 of another build")) << key;
  }
}

TEST_F(RunPoolTest, MakesAgainWhatIsOfOtherSettingsAndSaysSo) {
  runs::RunPool first = Pool(Manifest());
  Outcome(&first);
  nlohmann::ordered_json other = Manifest();
  other["config_digest"] = "another";
  Write(folder_ / "points/one/manifest.json", other.dump());
  const runs::RunPool again = Pool(Manifest());
  EXPECT_EQ(again.reused(), 0u);
  EXPECT_THAT(again.Remade(), HasSubstr("1 with other settings or input files"));
}

TEST_F(RunPoolTest, TakesNothingFromAProgramThatWasBuiltAgainMeanwhile) {
  nlohmann::ordered_json other = Manifest();
  other["program_digest"] = "another";
  runs::RunPool pool = Pool(other);
  const runs::RunOutcome outcome = Outcome(&pool);
  EXPECT_EQ(outcome.exit_code, kInternal);
  EXPECT_TRUE(outcome.results.is_null());
  EXPECT_THAT(outcome.message, HasSubstr("was built again"));
}

TEST_F(RunPoolTest, RunsWaitUntilTheirGateOpensAndSkippedOnesSayWhy) {
  using Gate = runs::RunPool::Gate;
  std::vector<runs::PoolRun> all;
  for (const char* name : {"a", "b", "c"}) all.push_back({name, Run().settings});
  runs::RunPool pool({Program(Manifest().dump()), folder_ / "points", kVersion, 2, nullptr}, all);
  std::vector<std::string> lines;
  const auto gate = [](std::size_t index, const auto& outcomes, std::string* why) {
    if (index == 0) return outcomes[2].exit_code < 0 ? Gate::kWait : Gate::kOpen;
    *why = "as it is b";
    return index == 1 ? Gate::kSkip : Gate::kOpen;
  };
  const auto outcomes = pool.Run([](const auto&, std::size_t) { return std::string("done"); },
                                 [&](const std::string& line) { lines.push_back(line); }, gate);
  EXPECT_THAT(lines, testing::UnorderedElementsAre(HasSubstr("a: done"), HasSubstr("b: skipped, as it is b"),
                                                   HasSubstr("c: done")));
  EXPECT_TRUE(outcomes[1].skipped && outcomes[1].results.is_null());
  EXPECT_FALSE(fs::exists(folder_ / "points/b"));
  runs::RunPool stuck({Program(Manifest().dump()), folder_ / "others", kVersion, 2, nullptr}, all);
  const auto never = [](std::size_t, const auto&, std::string*) { return Gate::kWait; };
  EXPECT_EQ(
      stuck.Run([](const auto&, std::size_t) { return std::string(); }, [](const std::string&) {}, never)[0].exit_code,
      -1);
}

TEST(ProgramDigest, IsOfThisProgram) {
  EXPECT_EQ(runs::ProgramDigest().size(), 16u);
  EXPECT_EQ(runs::ProgramDigest(), runs::ProgramDigest());
  EXPECT_EQ(nlohmann::ordered_json::parse(runs::ManifestJson("", {}, 0, "", {}))["program_digest"],
            runs::ProgramDigest());
}

}  // namespace
}  // namespace tilefly::cosim
