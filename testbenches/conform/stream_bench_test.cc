// SPDX-License-Identifier: Apache-2.0
#include "conform/bench/stream_bench.h"

#include <gmock/gmock.h>

#include <array>
#include <set>
#include <stdexcept>

#include "conform/bench/claims.h"
#include "conform/bench/fill_rounds.h"
#include "conform/bench/suite.h"
#include "model_switch.h"

namespace tilefly::conform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

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
  it.flow.isolates = true;
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

/// The same with two classes in tuser, weights 1 and 3.
Capability Classed() {
  Capability it = Small();
  it.signals.user_bits = 2;
  it.classes.by = ClassField::kUser;
  it.classes.count = 2;
  it.classes.values = {0, 1};
  it.classes.user_bit = 1;
  it.classes.weights = {1, 3};
  it.claims.fairness.reset();  // inputs of different classes are no equals
  it.claims.classes = 0.9;
  return it;
}

/// The first test that the device fails, with the reason; empty: none.
std::string FirstFailure(Broken broken, const Capability& capability = Small()) {
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
      {Broken::kAllWait, "tready does not take it while output"},
  };
  for (const auto& [broken, reason] : kBroken) {
    EXPECT_THAT(FirstFailure(broken), HasSubstr(reason)) << "fault " << static_cast<int>(broken);
  }
}

/// Two ports: what goes in at one is shown at the other a cycle later.
class Wire final : public StreamDevice {
 public:
  void Step(const StreamInputs& inputs, StreamOutputs* shown) override {
    for (std::size_t port = 0; port < 2; ++port) {
      shown->out[port] = held_[port];
      shown->in_ready[1 - port] = !held_[port].valid || inputs.out_ready[port];
    }
    for (std::size_t port = 0; port < 2; ++port) {
      if (shown->in_ready[1 - port]) held_[port] = inputs.in[1 - port];
    }
  }
  void Reset() override { held_ = {}; }

 private:
  std::array<Beat, 2> held_;  ///< by output
};

TEST(StreamBench, AWireDoesNotStoreFrames) {
  Capability two = Small();
  two.ports = 2;
  two.signals.dest_bits = 1;
  two.forwarding.tdests = {0, 1};
  two.forwarding.own_port = Fate::kUndefined;
  for (const char* id : {"forwarding.uniform-half", "flow.stalls-single", "lengths.longest-full"}) {
    for (const bool cut_through : {false, true}) {
      two.flow.cut_through = cut_through;
      Wire wire;
      const Scenario scenario = TestOf(id).scenario(two);
      const Outcome outcome = StreamBench(two, scenario, 7).Run(&wire);
      EXPECT_EQ(outcome.rule, cut_through ? "" : "cut-through") << id;
      EXPECT_THAT(outcome.breach, HasSubstr(cut_through ? "" : "before its last beat went in in cycle")) << id;
    }
  }
}

TEST(StreamBench, ATestThatDoesNotMeetItsSituationIsUndecided) {
  const Capability capability = Small();
  Scenario scenario = TestOf("forwarding.uniform-half").scenario(capability);
  scenario.demands = {"pair.every", "out.held-long"};
  ModelSwitch device(capability, Broken::kNo);
  const Judgement judgement = Judge(capability, scenario, StreamBench(capability, scenario, 7).Run(&device));
  EXPECT_EQ(judgement.verdict, Verdict::kUndecided);
  EXPECT_EQ(judgement.rule, "situation");
  EXPECT_THAT(judgement.reason, AllOf(HasSubstr("out.held-long (a beat is stopped for 64 cycles)"), Not(HasSubstr("pair.every"))));
  scenario.demands = {"pair.evry"};
  EXPECT_THROW(Judge(capability, scenario, StreamBench(capability, scenario, 7).Run(&device)), std::logic_error);
}

TEST(StreamBench, ASwitchWithWeightedClassesPassesTheSuite) { EXPECT_THAT(FirstFailure(Broken::kNo, Classed()), IsEmpty()); }

TEST(StreamBench, ASwitchWithStrictClassesPassesTheSuite) {
  Capability strict = Classed();
  strict.classes.strict = true;
  strict.classes.weights.clear();
  EXPECT_THAT(FirstFailure(Broken::kNo, strict), IsEmpty());
}

TEST(StreamBench, ASwitchThatDoesNotShareByClassesFails) {
  EXPECT_THAT(FirstFailure(Broken::kClassBlind, Classed()), HasSubstr("claims.classes"));
  EXPECT_THAT(FirstFailure(Broken::kStarves, Classed()), HasSubstr("claims.classes"));
  Capability wrong = Classed();
  wrong.classes.weights = {1, 1};
  const Capability right = Classed();
  ModelSwitch device(right, Broken::kNo);
  const Scenario scenario = TestOf("classes.shares").scenario(wrong);
  const Outcome outcome = StreamBench(wrong, scenario, 7).Run(&device);
  EXPECT_THAT(Judge(wrong, scenario, outcome).reason, HasSubstr("claims.classes")) << "other weights than the device has";
}

TEST(StreamBench, TestsCountTheSituationsThatTheyBringADeviceInto) {
  const auto times = [](const Outcome& outcome, const std::string& bin) {
    for (std::size_t i = 0; i < SituationKinds().size(); ++i) {
      if (SituationKinds()[i].name == bin) return outcome.situations[i];
    }
    return std::int64_t{-1};
  };
  Scenario scenario;
  const Outcome pairs = RunTest(Small(), "forwarding.all-pairs", Broken::kNo, &scenario);
  EXPECT_EQ(times(pairs, "pair.every"), 1);
  EXPECT_EQ(times(pairs, "pair.own"), 4);
  EXPECT_EQ(times(pairs, "heads.two"), 0) << "one frame at a time";
  const Outcome incast = RunTest(Small(), "contention.incast-first", Broken::kNo, &scenario);
  EXPECT_GT(times(incast, "heads.all"), 100);
  EXPECT_GT(times(incast, "in.held"), 10);
  EXPECT_EQ(times(incast, "out.held-first"), 0) << "outputs are not stopped";
  EXPECT_EQ(times(incast, "pair.every"), 0);
  const Outcome stalled = RunTest(Small(), "reset.stalled", Broken::kNo, &scenario);
  EXPECT_EQ(times(stalled, "reset.inside"), 1);
  EXPECT_GT(times(stalled, "out.held-within"), 5);
}

TEST(StreamBench, FramesOfAllInputsEndInTheSameCycle) {
  Scenario scenario;
  const auto times = [&](const char* id, const std::string& bin) {
    const Outcome outcome = RunTest(Small(), id, Broken::kNo, &scenario);
    EXPECT_THAT(outcome.breach, IsEmpty()) << id;
    for (std::size_t i = 0; i < SituationKinds().size(); ++i) {
      if (SituationKinds()[i].name == bin) return outcome.situations[i];
    }
    return std::int64_t{-1};
  };
  EXPECT_GT(times("contention.together-next", "ends.all"), 50);
  EXPECT_GT(times("contention.together-shortest", "ends.all"), 50);
  EXPECT_GT(times("contention.together-incast", "ends.one-output"), 5);
  EXPECT_GT(times("contention.together-incast-shortest", "ends.one-output"), 50);
  EXPECT_GE(times("flow.fill-levels", "full"), 10) << "in each of its rounds";
  EXPECT_EQ(times("flow.fill-levels-incast", "full"), 8);
  EXPECT_EQ(times("flow.fill-shortest", "full"), 4);
}

TEST(FillRounds, EachLevelComesOnce) {
  Capability it = Small();  // frames of 1 to 38 beats
  std::set<int> levels;
  const int rounds = RoundsOf(it, 4, 64);
  EXPECT_EQ(rounds, 10);
  for (int nth = 0; nth < 4 * rounds; ++nth) levels.insert(FillersOf(it, 7, nth, 4 * rounds).at(0));
  EXPECT_EQ(levels.size(), 38u);
  it.frames.shortest = 65;  // nine beats
  const std::vector<int> two = FillersOf(it, 7, 4, 40);
  ASSERT_EQ(two.size(), 2u) << "a level of five beats is one of two frames, a longest frame higher";
  EXPECT_EQ(two[0] + two[1], 5 + 38);
  EXPECT_GE(two[1], 9);
  levels.clear();
  for (int nth = 0; nth < 8; ++nth) levels.insert(FillersOf(Small(), 7, nth, 8).at(0));
  EXPECT_EQ(levels.size(), 8u) << "some of them, apart from each other";
  EXPECT_NE(FillersOf(Small(), 8, 0, 8), FillersOf(Small(), 7, 0, 8)) << "another seed has others";
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

TEST(StreamBench, AClaimThatATestBrokeIsNoPass) {
  const std::vector<Claimed> claims = JudgeClaims(
      Small(), {{"fairness.longest", 0.95}, {"fairness.shortest", 0.95}, {"fairness.each-output", 0.72}});
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(claims[0].reached, 0.72);
  EXPECT_EQ(claims[0].judgement.verdict, Verdict::kFail);
  EXPECT_EQ(claims[0].judgement.reason, "claims.fairness: 0.9 was claimed, 0.72 was measured");
}

TEST(StreamBench, TheNextOutputThatAllWantHasItsTurnInAnEmptyDevice) {
  const Capability capability = Small();
  Scenario scenario = TestOf("fairness.each-output").scenario(capability);
  scenario.traffic = 4 * 500;
  ModelSwitch device(capability, Broken::kNo);
  StreamBench bench(capability, scenario, 7);
  StreamOutputs shown;
  shown.in_ready.assign(4, false);
  shown.out.resize(4);
  std::set<std::uint32_t> outputs;
  bool empty = true;
  bool held = false;
  for (Turn turn = bench.Next(); turn != Turn::kOver; turn = bench.Next()) {
    for (const Beat& beat : bench.inputs().in) {
      if (beat.valid && outputs.insert(beat.dest).second) {
        EXPECT_TRUE(empty) << "output " << beat.dest << " in cycle " << bench.now();
      }
    }
    device.Step(bench.inputs(), &shown);
    bench.Judge(shown);
    empty = bench.Empty();
    held = held || !empty;
  }
  EXPECT_EQ(outputs.size(), 4u);
  EXPECT_TRUE(held) << "frames queue in the device";
  EXPECT_GT(bench.now(), scenario.traffic) << "draining is no traffic";
  EXPECT_EQ(bench.Found().breach, "");
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
                           "garbage", "soak", "latency", "throughput", "fairness", "classes"})
    EXPECT_TRUE(kinds.count(kind) != 0) << kind;
}

}  // namespace
}  // namespace tilefly::conform
