// SPDX-License-Identifier: Apache-2.0
// Which functional bins a run's options ask for, and that a run reaches what it asks for.
#include "runs/switch/asked_bins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

namespace tilefly::cosim {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;

struct Found {
  std::set<std::string> asked, hit;
};

Found RunGolden(const char* kinds, Cycle cycles, const std::function<void(runs::RunOptions*)>& change) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.devices = {"golden"};
  options.kinds = runs::ParsePortKinds(kinds, kTile8.ports);
  options.max_cycles = cycles;
  options.seed = 7;
  change(&options);
  runs::SwitchRun run(options);
  EXPECT_EQ(run.Run({}).verdict, runs::Verdict::kPass);
  const auto others = runs::BinsNotAskedFor(run);
  Found found;
  for (const auto& [name, count] : run.bins().Entries()) {
    if (count > 0) found.hit.insert(name);
    if (others.count(name) == 0) found.asked.insert(name);
  }
  for (const auto& [name, by] : others) {
    EXPECT_NE(run.bins().Get(name), -1) << name << " is no bin";
    EXPECT_FALSE(by.empty()) << name;
  }
  return found;
}

TEST(AskedBins, UniformTrafficAsksForLittle) {
  const Found found = RunGolden("fabric", 3000, [](runs::RunOptions* options) { options->generator.load = 0.6; });
  EXPECT_EQ(found.asked, (std::set<std::string>{"all_rows_one_cycle", "grant_wrap", "take_wrap"}));
  EXPECT_THAT(found.hit, IsSupersetOf(found.asked));
}

TEST(AskedBins, APermutationHasOneInputForAnOutput) {
  const Found found =
      RunGolden("fabric", 3000, [](runs::RunOptions* options) { options->generator.traffic = "permutation:tornado"; });
  EXPECT_TRUE(found.asked.empty()) << *found.asked.begin();
}

TEST(AskedBins, AnOverloadedOutputHasNoRoom) {
  const Found found = RunGolden("fabric", 8000, [](runs::RunOptions* options) {
    options->generator.traffic = "incast:3";
    options->generator.size = "4096";
  });
  EXPECT_THAT(found.asked, IsSupersetOf(std::set<std::string>{"no_room", "all_inputs_one_output", "load_saturated"}));
  EXPECT_THAT(found.asked, Not(Contains("full_input_buffer"))) << "one class has only a part of it";
  EXPECT_THAT(found.hit, IsSupersetOf(found.asked));
}

TEST(AskedBins, AFaultIsAskedForWhereFramesCanHaveIt) {
  const std::set<std::string> headers = {"drop_HEADER", "drop_NO_ROUTE", "drop_HOP_LIMIT"};
  const std::set<std::string> stored = {"drop_FCS", "drop_STOMPED", "drop_BROKEN"};
  const std::set<std::string> standard = {"drop_SHORT", "drop_LONG", "drop_UNKNOWN_MAC"};
  const auto faults = [](runs::RunOptions* options) {
    options->generator.faults = 0.2;
    options->generator.load = 0.7;
  };
  const Found fabric = RunGolden("fabric", 6000, faults);
  EXPECT_THAT(fabric.asked, IsSupersetOf(headers));
  for (const auto& name : stored) EXPECT_THAT(fabric.asked, Not(Contains(name)));
  for (const auto& name : standard) EXPECT_THAT(fabric.asked, Not(Contains(name)));
  EXPECT_THAT(fabric.hit, IsSupersetOf(fabric.asked));
  const Found bare = RunGolden("standard", 6000, faults);
  EXPECT_THAT(bare.asked, IsSupersetOf(standard));
  EXPECT_THAT(bare.asked, IsSupersetOf(stored));
  EXPECT_THAT(bare.asked, Not(Contains("drop_HEADER")));
  EXPECT_THAT(bare.hit, IsSupersetOf(bare.asked));
}

TEST(AskedBins, LongStallsAskForPausesAndWithheldCredits) {
  const Found found = RunGolden("mixed", 20000, [](runs::RunOptions* options) {
    options->generator.load = 0.8;
    options->generator.size = "64,4096";
    options->stalls.share = 0.3;
    options->stalls.max_cycles = 3000;
    options->stalls.starts = false;
    options->eth_header = false;
  });
  EXPECT_THAT(found.asked, IsSupersetOf(std::set<std::string>{"no_credit", "no_room", "pause_to_switch", "drop_CONTROL",
                                                              "drop_NO_ETH_HEADER"}));
  EXPECT_THAT(found.hit, IsSupersetOf(found.asked));
}

TEST(AskedBins, AnOverloadOfStandardPortsIsPaused) {
  const Found found = RunGolden("standard", 20000, [](runs::RunOptions* options) {
    options->generator.traffic = "incast:3";
    options->generator.size = "1024";
  });
  EXPECT_THAT(found.asked, Contains("pause_from_switch"));
  EXPECT_THAT(found.hit, IsSupersetOf(found.asked));
}

}  // namespace
}  // namespace tilefly::cosim
