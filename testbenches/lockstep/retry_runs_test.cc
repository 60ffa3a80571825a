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
    for (const auto& endpoint : run.endpoints())
      EXPECT_TRUE(endpoint->retry() == nullptr || endpoint->retry()->halves().counts().old_stamps == 0);
    nlohmann::ordered_json one = runs::Results(run, outcome);
    for (const char* const key : {"machine", "cycles", "link_retry"}) one.erase(key);
    for (const char* const key : {"broken", "lost", "copies_lost"}) one["books"].erase(key);
    results.push_back(std::move(one));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

/// Efficiency of a saturated link on which each word is bad with the chance `q`, as retry.md derives it: packets of `n`
/// words, four SerDes lanes, a link of `delay` cycles, a timer of `timer` cycles.
double EfficiencyOfThePage(double q, int n, int delay, int timer) {
  const double good = std::pow(1 - q, n);
  double cost = 0, cost_of_first = 0;
  for (int k = 0; k < n; ++k) {
    const double packets = std::ceil((2.0 * delay + 6 + k) / n);
    if (k == 0) cost_of_first = packets * n + 1;
    cost += (packets * n + 1) * std::pow(1 - q, k) * q / (1 - good);
  }
  const double cost_in_replay = cost + q / (1 - good) * (timer + 2 - cost_of_first);
  return n / (n + (1 - good) * (cost + (1 - good) / good * cost_in_replay));
}

/// All ports send to other ones as fast as they can, and words out of the switch are bad.
double AcceptedLoad(double ber, int delay) {
  runs::RunOptions options = RetryOptions("fabric", 1, delay);
  options.generator.traffic = "permutation:shift";
  options.generator.size = "1024";
  options.generator.classes = "0";
  options.generator.load = 1;
  options.max_cycles = 150'000;
  auto plan = std::make_shared<faults::Plan>();
  for (int port = 0; port < 8; ++port) {
    faults::PlannedLink link;
    link.link.port = port;
    link.direction = faults::Direction::kOut;
    link.rates.word_ber = ber;
    plan->links.push_back(link);
  }
  options.plan = plan;
  runs::SwitchRun run(options);
  const runs::Outcome outcome = run.Run({});
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
  return run.accepted_load();
}

TEST(RetryRuns, EfficiencyIsThatOfThePage) {
  constexpr int kDelay = 20, kWords = 33, kTimer = 4096;
  const double clean = AcceptedLoad(0, kDelay);
  EXPECT_GT(clean, 0.98);
  for (const double ber : {1e-6, 3e-6, 1e-5}) {
    SCOPED_TRACE(ber);
    const double want = EfficiencyOfThePage(faults::ChanceOfBad(ber, faults::kBitsOfWord), kWords, kDelay, kTimer);
    EXPECT_NEAR(AcceptedLoad(ber, kDelay) / clean, want, 0.01);
  }
}

/// Three packets of three words in a row, one bad word each time: 426 or 429 words are sent again (retry.md, What an error
/// costs, D = 210).
TEST(RetryRuns, AnIsolatedErrorCostsTheWordsOfThePage) {
  std::vector<std::int64_t> again;
  for (int cycle = 4000; cycle < 4003; ++cycle) {
    runs::RunOptions options = RetryOptions("fabric", 1, 210);
    options.generator.traffic = "incast:1";
    options.generator.size = "64";
    options.generator.classes = "0,1,2,3";
    options.generator.load = 0.5;
    options.seed = 3;
    auto plan = std::make_shared<faults::Plan>();
    faults::PlannedEvent event;
    event.kind = faults::EventKind::kBadWord;
    event.at = cycle;
    event.link.port = 1;
    event.direction = faults::Direction::kOut;
    plan->events.push_back(event);
    options.plan = plan;
    runs::SwitchRun run(options);
    const runs::Outcome outcome = run.Run({});
    ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
    again.push_back(runs::LinkRetryJson(run)["resent_words"].get<std::int64_t>());
  }
  std::sort(again.begin(), again.end());
  EXPECT_EQ(again, (std::vector<std::int64_t>{426, 429, 429}));
}

/// A receiver that is stuck says nothing: the timer sends again, and behind it all is as before.
TEST(RetryRuns, AStuckReceiverIsHeardAgain) {
  for (const bool credits_alone : {false, true}) {
    SCOPED_TRACE(credits_alone ? "credits" : "all");
    runs::RunOptions options = RetryOptions("fabric", 1, 3);
    auto plan = std::make_shared<faults::Plan>();
    faults::PlannedEvent event;
    event.kind = faults::EventKind::kStuck;
    event.at = 1000;
    event.cycles = 6000;
    event.link.port = 2;
    event.credits_alone = credits_alone;
    plan->events.push_back(event);
    options.plan = plan;
    runs::SwitchRun run(options);
    const runs::Outcome outcome = run.Run({});
    ASSERT_EQ(outcome.verdict, runs::Verdict::kPass) << outcome.message;
    EXPECT_EQ(runs::LinkRetryJson(run)["timeouts"].get<std::int64_t>() > 0, !credits_alone);
    ASSERT_EQ(run.fault_log().lines().size(), 4u) << "both directions begin and end";
    EXPECT_EQ(run.fault_log().lines().back().cycle, 7000);
  }
}

/// Of drawn errors so many have a line as were asked for; the last line counts the others.
TEST(RetryRuns, TheTimeLineSaysWhatItLeavesOut) {
  runs::RunOptions options = RetryOptions("fabric", 1, 1);
  options.plan = MixedPlan();
  options.fault_lines = 5;
  runs::SwitchRun run(options);
  ASSERT_EQ(run.Run({}).verdict, runs::Verdict::kPass);
  EXPECT_EQ(run.fault_log().lines().size(), 5u);
  const std::string csv = runs::FaultsCsv(run);
  EXPECT_NE(csv.find(std::to_string(run.fault_log().left_out()) + ",drawn\n"), std::string::npos) << csv;
}

}  // namespace
}  // namespace tilefly::cosim
