// SPDX-License-Identifier: Apache-2.0
// Whole runs of golden with link-level retry: partners that repeat, wires that fail (docs/cosimulation.md, Links with retry).
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "runs/switch/results.h"
#include "runs/switch/retry_results.h"
#include "runs/switch/switch_run.h"
#include "testbenches/bench/settings.h"

namespace tilefly::cosim {
namespace {

runs::RunOptions RetryOptions(const char* kinds, double retry, int delay) {
  runs::RunOptions options;
  options.profile = &kTile8;
  options.devices = {"golden"};
  options.kinds = runs::ParsePortKinds(kinds, 8);
  options.retry = retry;
  options.link_delay = delay;
  options.seed = bench::SeedOf(bench::RootSeed(), bench::CurrentTest());
  options.generator.load = 0.6;
  options.generator.size = "64,300,1500*0.2";
  options.generator.classes = "0,1,2,3,4,5,6,7";
  options.max_cycles = 8000;
  return options;
}

/// Every kind of fault of words and of slots.
std::shared_ptr<faults::Plan> MixedPlan() {
  auto plan = std::make_shared<faults::Plan>();
  plan->channel.word_ber = 1e-5;
  plan->channel.slot_ber = 1e-5;
  plan->channel.word = {0.002, 0.001, 0.001};
  plan->channel.slot = {0.005, 0.005, 0.005};
  return plan;
}

TEST(RetryRuns, NothingIsLostOnWiresThatFail) {
  for (const char* const kinds : {"fabric", "enhanced", "mixed"}) {
    for (const int lanes : {4, 3}) {
      SCOPED_TRACE(std::string(kinds) + ", lanes " + std::to_string(lanes));
      runs::RunOptions options = RetryOptions(kinds, 1, 5);
      options.lanes = lanes;
      options.generator.replicated = 0.02;
      options.generator.faults = 0.05;
      options.plan = MixedPlan();
      runs::SwitchRun run(options);
      const runs::Outcome outcome = run.Run({});
      ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
      const Books& books = run.scoreboard().books();
      EXPECT_GT(books.delivered, 500);
      EXPECT_GT(books.broken_off, 10);
      const nlohmann::ordered_json link_retry = runs::LinkRetryJson(run);
      for (const char* const key : {"attempts", "resent_words", "replays", "nacks", "healed_cells", "bad_words", "bad_slots",
                                    "dropped_words", "dropped_slots", "repeated_words", "repeated_slots"})
        EXPECT_GT(link_retry[key].get<std::int64_t>(), 0) << key;
      EXPECT_LT(link_retry["efficiency"].get<double>(), 1);
    }
  }
}

/// Results count cycles from the begin of traffic.
TEST(RetryRuns, NothingMovesWithoutAnError) {
  std::vector<nlohmann::ordered_json> results;
  for (const double retry : {0.0, 1.0, 0.5}) {
    runs::RunOptions options = RetryOptions("fabric", retry, 7);
    options.generator.load = 0.3;
    options.seed = 5;
    runs::SwitchRun run(options);
    const runs::Outcome outcome = run.Run({});
    ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
    nlohmann::ordered_json one = runs::Results(run, outcome);
    for (const char* const key : {"machine", "cycles", "link_retry"}) one.erase(key);
    one["books"].erase("broken");
    results.push_back(std::move(one));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace tilefly::cosim
