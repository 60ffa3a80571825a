// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/stream_bench.h"

#include <gmock/gmock.h>

#include <set>

#include "conform/bench/claims.h"
#include "conform/bench/suite.h"
#include "model_switch.h"

namespace tilefly::conform {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Capability Small() {
  Capability it;
  it.ports = 4;
  it.signals.data_bytes = 8;
  it.signals.dest_bits = 2;
  it.signals.user_bits = it.signals.user_out_bits = 1;
  it.signals.id_bits = 2;
  it.frames = {false, 1, 300, Fate::kUndefined, Fate::kMarked, 0};
  it.forwarding.own_port = Fate::kReturned;
  it.forwarding.tdests = {0, 1, 2, 3};
  it.claims.level = Level::kBounded;
  it.claims.progress = 2000;
  it.claims.latency = 4;
  it.claims.throughput = 0.9;
  it.claims.uniform = 0.6;
  it.claims.fairness = 0.9;
  return it;
}

Outcome RunTest(const Capability& capability, const std::string& id, Broken broken, Scenario* scenario) {
  *scenario = TestOf(id).scenario(capability);
  ModelSwitch device(capability, broken);
  return StreamBench(capability, *scenario, 7).Run(&device);
}

/// The first test that the device fails, with the reason; empty: none.
std::string FirstFailure(Broken broken) {
  const Capability capability = Small();
  for (const auto& test : Suite()) {
    if (!test.excuse(capability).empty()) continue;
    Scenario scenario = test.scenario(capability);
    if (scenario.long_run) continue;
    ModelSwitch device(capability, broken);
    const Outcome outcome = StreamBench(capability, scenario, 7).Run(&device);
    const Judgement judgement = Judge(capability, scenario, outcome);
    if (judgement.verdict != Verdict::kPass) return test.id + ": " + judgement.reason;
  }
  return "";
}

TEST(StreamBench, ASwitchThatKeepsTheRulesPassesTheSuite) { EXPECT_THAT(FirstFailure(Broken::kNo), IsEmpty()); }

TEST(StreamBench, EachBrokenSwitchFailsForItsReason) {
  const std::pair<Broken, const char*> kBroken[] = {
      {Broken::kByte, "that nobody sent"},
      {Broken::kLoses, "is lost, or late"},
      {Broken::kTwice, "once more than it has to"},
      {Broken::kPlace, "came out here"},
      {Broken::kOrder, "went in before it"},
      {Broken::kCut, "came out with"},
      {Broken::kHolds, "nothing moved for"},
      {Broken::kWithdraws, "tvalid fell"},
      {Broken::kChanges, "changed before tready"},
      {Broken::kKeep, "tkeep is"},
      {Broken::kRemembers, "nobody sent"},
      {Broken::kUnfair, "claims.fairness"},
      {Broken::kSlow, "claims.throughput"},
      {Broken::kInvents, "came out"},
      {Broken::kMark, "bad bit"},
  };
  for (const auto& [broken, reason] : kBroken) {
    EXPECT_THAT(FirstFailure(broken), HasSubstr(reason)) << "fault " << static_cast<int>(broken);
  }
}

TEST(StreamBench, TheSameSeedRunsTheSame) {
  Scenario scenario;
  const Outcome a = RunTest(Small(), "flow.stalls-and-gaps", Broken::kNo, &scenario);
  const Outcome b = RunTest(Small(), "flow.stalls-and-gaps", Broken::kNo, &scenario);
  EXPECT_GT(a.counts.delivered, 100);
  EXPECT_EQ(a.cycle, b.cycle);
  EXPECT_EQ(a.beats_out, b.beats_out);
}

TEST(StreamBench, AClaimWithSlackFails) {
  Capability capability = Small();
  capability.claims.latency = 40;
  const std::vector<Claimed> claims = JudgeClaims(
      capability, {{"latency.shortest", 3}, {"latency.longest", 4}, {"latency.edges", 4}, {"throughput.permutation-next", 1}, {"fairness.longest", 0.95},
                   {"fairness.shortest", 0.95}, {"fairness.each-output", 0.93}});
  ASSERT_EQ(claims.size(), 2u) << "a claim is judged when all tests that measure it have run";
  EXPECT_EQ(claims[0].judgement.verdict, Verdict::kFail);
  EXPECT_THAT(claims[0].judgement.reason, HasSubstr("leaves slack"));
  EXPECT_EQ(claims[0].reached, 4);
  EXPECT_EQ(claims[1].judgement.verdict, Verdict::kPass);
}

TEST(Suite, HasTestsOfEachKindWithIdsOfTheirOwn) {
  std::set<std::string> ids;
  std::set<std::string> kinds;
  for (const auto& test : Suite()) {
    EXPECT_TRUE(ids.insert(test.id).second) << test.id;
    EXPECT_FALSE(test.intent.empty() || test.source.empty()) << test.id;
    kinds.insert(test.id.substr(0, test.id.find('.')));
  }
  EXPECT_GE(ids.size(), 60u);
  for (const char* kind : {"forwarding", "lengths", "stream", "flow", "contention", "isolation", "addressing", "replication", "bad", "reset",
                           "garbage", "soak", "latency", "throughput", "fairness"})
    EXPECT_TRUE(kinds.count(kind) != 0) << kind;
}

}  // namespace
}  // namespace tilefly::conform
