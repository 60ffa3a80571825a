// SPDX-License-Identifier: Apache-2.0
// A run that departs from its profile is the run of a profile that has these values, made by hand.
#include "runs/common/departures.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "generated/profile_limits.h"
#include "network/network.h"
#include "runs/common/digest.h"
#include "runs/switch/results.h"
#include "runs/switch/settings.h"
#include "runs/switch/switch_run.h"
#include "runs/system/net_settings.h"
#include "support/errors.h"
#include "testbenches/bench/process_folder.h"

namespace tilefly::runs {
namespace {

using ::testing::HasSubstr;
using Given = std::vector<std::pair<std::string, std::string>>;

/// Keys with their values, and settings with which they matter.
struct Case {
  std::vector<std::pair<std::string, int>> keys;
  Given settings;

  Given Departing() const {
    Given given = settings;
    for (const auto& [key, value] : keys) given.emplace_back("profile." + key, std::to_string(value));
    return given;
  }
  friend void PrintTo(const Case& one, std::ostream* out) { *out << one.keys.front().first; }
};

std::string NameOf(const ::testing::TestParamInfo<Case>& info) { return info.param.keys.front().first; }

template <typename AnySettings>
AnySettings With(const Given& given) {
  AnySettings settings;
  for (const auto& [path, value] : given) settings.Set(path, value, "--set");
  settings.Resolve();
  return settings;
}

Profile ByHand(const Case& one) {
  Profile profile = kTile8;
  for (const auto& [name, value] : one.keys) {
    for (const ProfileKey& key : kProfileKeys) {
      if (name == key.name) profile.*key.value = value;
    }
  }
  return profile;
}

// ---- systems ----

/// What came out: packets, hops, and a digest of all latencies.
std::string FiguresOf(const NetRunOptions& options) {
  network::Network network(*options.topology, options.network);
  EXPECT_EQ(network.Run(), network::Ending::kDrained);
  const network::Statistics& statistics = network.statistics();
  std::string text;
  for (const network::ClassStatistics& one : statistics.classes) {
    for (const auto& [cycles, packets] : one.latency.Entries()) text += fmt::format(" {}*{}", packets, cycles);
  }
  return fmt::format("{} of {}, {} hops: {}", statistics.delivered(), statistics.sent(), statistics.hops, Digest(text));
}

class SystemDeparts : public ::testing::TestWithParam<Case> {
 protected:
  static NetRunOptions Options(Given given) {
    for (const auto& one : Given{{"topology", "dragonfly:p=2,a=4,h=2"}, {"max_cycles", "4000"}, {"warmup", "500"}})
      given.insert(given.begin(), one);
    return With<NetSettings>(given).ToRunOptions();
  }
};

TEST_P(SystemDeparts, AsAProfileThatHasTheValue) {
  const NetRunOptions plain = Options(GetParam().settings);
  const NetRunOptions departs = Options(GetParam().Departing());
  ASSERT_EQ(departs.profile.departures.size(), GetParam().keys.size());
  NetRunOptions made = Options(GetParam().settings);
  const Profile profile = ByHand(GetParam());
  made.network.profile = &profile;
  const std::string figures = FiguresOf(departs);
  EXPECT_EQ(figures, FiguresOf(made));
  EXPECT_NE(figures, FiguresOf(plain)) << "it changes nothing";
}

const Given kFull = {{"traffic.load", "1"}, {"traffic.size", "4224"}};
const Given kSmall = {{"traffic.load", "0.9"}, {"traffic.size", "64"}};
const Given kAdaptive = {{"traffic.load", "0.6"}, {"routing", "adaptive_3"}, {"traffic.pattern", "adversarial:1"}};
const Given kClasses = {{"traffic.load", "1"}, {"traffic.size", "64"}, {"traffic.classes", "0,1,2"}};
/// Lanes of one link that together ask for more than its buffer has.
const Given kLanes = {{"max_cycles", "6000"},     {"traffic.load", "1"},  {"traffic.size", "4224"},
                      {"traffic.classes", "0,1"}, {"routing", "valiant"}, {"traffic.pattern", "adversarial:1"}};

INSTANTIATE_TEST_SUITE_P(
    Keys, SystemDeparts,
    ::testing::Values(Case{{{"obuf_cells", 178}}, kFull}, Case{{{"run_limit_cells", 1}}, kSmall},
                      Case{{{"owner_lead_cycles", 0}}, kFull}, Case{{{"request_credits", 2}}, kSmall},
                      Case{{{"credit_cap_cells", 89}}, kFull}, Case{{{"credit_shared_cells", 0}}, kFull},
                      Case{{{"cells", 4095}}, kLanes},
                      Case{{{"credit_reserve_cells", 160}, {"credit_shared_cells", 0}}, kFull},
                      Case{{{"channel_cycles", 0}}, kSmall}, Case{{{"load_epoch_cycles", 256}}, kAdaptive},
                      Case{{{"neighbour_epochs", 1}}, kAdaptive}, Case{{{"class_hold", 1}}, kClasses}),
    NameOf);

// ---- one switch ----

class SwitchDeparts : public ::testing::TestWithParam<Case> {
 protected:
  static RunOptions Options(Given given) {
    for (const auto& one : Given{{"profile", "tile8"}, {"devices", "golden"}, {"max_cycles", "6000"}})
      given.insert(given.begin(), one);
    return With<Settings>(given).ToRunOptions();
  }
  static nlohmann::ordered_json Results(const RunOptions& options) {
    SwitchRun run(options);
    nlohmann::ordered_json results = runs::Results(run, run.Run({}));
    EXPECT_EQ(results["verdict"], "pass") << results["message"];
    for (const char* key : {"machine", "departures", "bins"}) results.erase(key);
    return results;
  }
};

TEST_P(SwitchDeparts, AsAProfileThatHasTheValue) {
  const RunOptions plain = Options(GetParam().settings);
  RunOptions made = Options(GetParam().settings);
  const Profile profile = ByHand(GetParam());
  made.profile = &profile;
  const auto results = Results(Options(GetParam().Departing()));
  EXPECT_EQ(results, Results(made));
  EXPECT_NE(results, Results(plain)) << "it changes nothing";
}

const Given kStandard = {{"ports.kind", "standard"},
                         {"traffic.pattern", "hotspot:1:0.9"},
                         {"traffic.load", "0.9"},
                         {"traffic.size", "1024"},
                         {"stalls.share", "0.1"}};

INSTANTIATE_TEST_SUITE_P(
    Keys, SwitchDeparts,
    ::testing::Values(Case{{{"pause_xoff_cells", 1100}}, kStandard}, Case{{{"pause_xon_cells", 200}}, kStandard},
                      Case{{{"copy_entries", 2}}, {{"traffic.replicated", "0.5"}, {"traffic.load", "0.9"}}},
                      Case{{{"obuf_cells", 100}}, kFull}, Case{{{"channel_cycles", 500}}, kFull}),
    NameOf);

TEST(Departures, ALargerOutputBufferCarriesMoreOfLargeFrames) {
  const auto accepted = [](int cells) {
    const RunOptions options = With<Settings>({{"profile", "tile8"},
                                               {"devices", "golden"},
                                               {"max_cycles", "20000"},
                                               {"traffic.load", "1"},
                                               {"traffic.size", "4224"},
                                               {"profile.obuf_cells", std::to_string(cells)}})
                                   .ToRunOptions();
    SwitchRun run(options);
    run.Run({});
    return run.accepted_load();
  };
  const double quarter = accepted(89), half = accepted(178), whole = accepted(356);
  EXPECT_LT(quarter, half - 0.01);
  EXPECT_LT(half, whole);
}

// ---- what is taken ----

std::string Refusal(const Given& given) {
  try {
    With<NetSettings>(given).ToRunOptions();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Departures, KeepTheLimitsOfProfiles) {
  NetSettings settings;
  for (const ProfileKey& key : kProfileKeys) {
    const std::string path = std::string("profile.") + key.name;
    if (!settings.Has(path)) continue;
    EXPECT_THAT(Refusal({{path, std::to_string(key.low - 1)}}), HasSubstr(path + ": " + std::to_string(key.low - 1)));
    const std::int64_t above = std::int64_t{key.high} + 1;
    EXPECT_THAT(Refusal({{path, std::to_string(above)}}), HasSubstr(path + ": " + std::to_string(above)));
  }
  EXPECT_THAT(Refusal({{"profile.credit_reserve_cells", "100"}}),
              HasSubstr("--set profile.credit_reserve_cells=100: cells is 2560, but must be at least vls * "
                        "credit_reserve_cells + credit_shared_cells (16 * 100 + 1136 = 2736)"));
  EXPECT_EQ(Refusal({{"profile.credit_reserve_cells", "100"}, {"profile.cells", "2736"}}), "");
}

TEST(Departures, EveryKeyMayDepartOrSaysWhyNot) {
  Settings settings;
  for (const ProfileKey& key : kProfileKeys) {
    const std::string path = std::string("profile.") + key.name;
    EXPECT_NE(settings.Has(path), WhyFixed(path).find("docs/profiles.md") != std::string::npos) << path;
  }
  EXPECT_THAT(Refusal({{"profile.mtu_bytes", "512"}}), HasSubstr("--set: mtu_bytes cannot be set for a run: frames"));
  EXPECT_THAT(Refusal({{"profile.pause_xon_cells", "5"}}), HasSubstr("take cosim --devices golden"));
  EXPECT_THAT(Refusal({{"profile.run_limit", "5"}}), HasSubstr("did you mean 'profile.run_limit_cells'?"));
}

TEST(Departures, AreOfGoldenAlone) {
  EXPECT_THAT(Refusal({{"profile.obuf_cells", "400"}, {"devices.switches", "3=golden"}}),
              HasSubstr("--set profile.obuf_cells=400: only golden departs from its profile"));
  const auto with_rtl = [](const char* cells) {  // cosim compares rtl with golden by itself
    return With<Settings>({{"profile", "tile8"}, {"profile.obuf_cells", cells}}).ToRunOptions();
  };
  EXPECT_THROW(with_rtl("400"), UsageError);
  EXPECT_TRUE(with_rtl("356").departed.departures.empty()) << "the profile's own value";
}

TEST(Departures, AreInTheResolvedFileWhichGivesThemAgain) {
  const std::string plain = With<NetSettings>({}).ToYaml();
  EXPECT_EQ(plain.find("profile."), std::string::npos) << "where nothing departs, nothing is said";
  const NetSettings settings = With<NetSettings>({{"profile", "tile16"}, {"profile.obuf_cells", "400"}});
  const auto file = bench::ProcessFolder() / "departures.yaml";
  std::ofstream(file) << settings.ToYaml();
  NetSettings again;
  again.Load(file);
  EXPECT_EQ(again.Get("profile"), "tile16");
  EXPECT_EQ(again.Get("profile.obuf_cells"), "400");
  EXPECT_EQ(again.ToYaml(), settings.ToYaml());
}

}  // namespace
}  // namespace tilefly::runs
