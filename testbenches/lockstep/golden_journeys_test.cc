// SPDX-License-Identifier: Apache-2.0
// Journeys that are made of links and observation record, against what golden says of its packets from inside.
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "cosim/golden_device.h"
#include "cosim/journeys/switch_journeys.h"
#include "golden/common/stage_times.h"
#include "golden/egress/link_statistics.h"
#include "runs/switch/switch_run.h"
#include "testbenches/lockstep/planned_runs.h"
#include "testbenches/lockstep/retry_scenarios.h"
#include "testbenches/lockstep/scenarios.h"

namespace tilefly::cosim {
namespace {

constexpr Cycle kCycles = 3000;
constexpr Cycle kFewCycles = 500;  ///< of 64 ports

/// What golden tells of a packet.
struct Inside {
  std::array<Cycle, golden::kStages> stages{-1, -1, -1, -1, -1, -1, -1};
  golden::LinkStatistics::Waits waits{0, 0};
  Cycle earliest_pick = -1;  ///< of one cut through
  Cycle throttled = 0;       ///< in its flow channel
  bool rerouted = false;     ///< an output gave it back
};

/// Packets of a queue reach every stage in their order. A packet that an output gives back goes no further.
class InsideLog final : public golden::StageProbe {
 public:
  explicit InsideLog(const golden::LinkStatistics* statistics) : statistics_(statistics) {}

  void Reached(golden::Stage stage, Cycle now, const golden::Packet& packet) override {
    Queue& queue = queues_[{packet.input, packet.output, packet.vl}];
    const bool back = stage == golden::Stage::kRerouted;
    const auto which = static_cast<std::size_t>(back ? golden::Stage::kGrantHere : stage);
    if (stage == golden::Stage::kQueued) {
      queue.reaches[which].push_back(queue.packets.size());
      queue.packets.emplace_back();
    }
    Inside& inside = queue.packets[queue.reaches[which].front()];
    if (!back && which + 1 < queue.reaches.size()) queue.reaches[which + 1].push_back(queue.reaches[which].front());
    queue.reaches[which].pop_front();
    inside.rerouted = back;
    if (back) return;
    inside.stages[which] = now;
    const auto waits = [&](Cycle before) { return statistics_->WaitsOf(packet.output, packet.vl, before); };
    if (stage == golden::Stage::kQueued) {
      if (packet.cut_through) inside.earliest_pick = packet.when - golden::kPickToLeave;
      if (const auto held = held_.find({packet.input, packet.payload}); held != held_.end()) {
        inside.throttled = held->second;
        held_.erase(held);
      }
    }
    if (stage == golden::Stage::kStored) inside.waits = waits(now + 1);
    if (stage == golden::Stage::kGranted) {
      const golden::LinkStatistics::Waits until = waits(now);
      inside.waits = {until.no_credit - inside.waits.no_credit, until.no_room - inside.waits.no_room};
    }
  }
  void Held(Cycle now, const golden::Packet& packet) override { held_[{packet.input, packet.payload}] = -now; }
  void Released(Cycle now, const golden::Packet& packet) override { held_[{packet.input, packet.payload}] += now; }

  /// The packet of the queue whose request left in cycle `requested`; null: there is none.
  const Inside* Find(int input, int output, int lane, Cycle requested) const {
    const auto queue = queues_.find({input, output, lane});
    if (queue == queues_.end()) return nullptr;
    for (const Inside& packet : queue->second.packets) {
      if (packet.stages[static_cast<std::size_t>(golden::Stage::kRequested)] == requested) return &packet;
    }
    return nullptr;
  }

 private:
  struct Queue {
    std::vector<Inside> packets;
    std::array<std::deque<std::size_t>, golden::kStages> reaches;  ///< packets that are to reach the stage
  };
  const golden::LinkStatistics* statistics_;
  std::map<std::tuple<int, int, int>, Queue> queues_;
  std::map<std::pair<int, golden::Payload>, Cycle> held_;  ///< by input: of packets that flow channels held
};

/// What golden counts of the cycles in which retry holds packets, by output and cycle; passes on what it sees.
class HoldLog final : public Recorder {
 public:
  HoldLog(const golden::LinkStatistics* statistics, int ports, Recorder* recorder)
      : statistics_(statistics), before_(static_cast<std::size_t>(ports)), recorder_(recorder) {}
  void Record(Lockstep& devices, const Device::Inputs& inputs) override {
    for (std::size_t port = 0; port < before_.size(); ++port)
      before_[port].push_back(statistics_->HeldBefore(static_cast<int>(port), devices.cycle()));
    recorder_->Record(devices, inputs);
  }
  /// Cycles [from, to).
  Cycle Between(int port, Cycle from, Cycle to) const {
    const std::vector<Cycle>& before = before_[static_cast<std::size_t>(port)];
    return before[static_cast<std::size_t>(to)] - before[static_cast<std::size_t>(from)];
  }

 private:
  const golden::LinkStatistics* statistics_;
  std::vector<std::vector<Cycle>> before_;
  Recorder* recorder_;
};

struct Followed {
  std::unique_ptr<golden::LinkStatistics> statistics;
  std::unique_ptr<InsideLog> log;
  std::unique_ptr<runs::SwitchRun> run;
  std::unique_ptr<SwitchJourneys> journeys;
  std::unique_ptr<HoldLog> holds;
};

/// All packets of a run of golden alone.
Followed Follow(const runs::RunOptions& options) {
  Followed followed;
  auto device = std::make_unique<GoldenDevice>(*options.profile, options.device);
  followed.statistics = std::make_unique<golden::LinkStatistics>(options.profile->ports, 0, kNever);
  followed.log = std::make_unique<InsideLog>(followed.statistics.get());
  device->golden_switch().KeepLinkStatistics(followed.statistics.get());
  device->golden_switch().Follow(followed.log.get());
  followed.run = std::make_unique<runs::SwitchRun>(options, std::move(device), nullptr);
  runs::SwitchRun& run = *followed.run;
  network::JourneyChoice choice;
  choice.slowest = 1000000;
  followed.journeys = std::make_unique<SwitchJourneys>(
      choice, SwitchJourneys::Run{&run.setup(), &run.endpoints(), run.reductions() != nullptr, options.link_delay});
  runs::RunControl control;
  followed.holds = std::make_unique<HoldLog>(followed.statistics.get(), options.profile->ports, followed.journeys.get());
  control.recorder = followed.holds.get();
  control.taps.push_back(followed.journeys.get());
  run.TellFates(followed.journeys->fates());
  const runs::Outcome outcome = run.Run(control);
  EXPECT_EQ(outcome.verdict, runs::Verdict::kPass) << bench::HistoryOf(outcome);
  return followed;
}

/// The latencies are those of the run. Returns the journeys.
std::vector<SwitchJourney> ExpectEqual(const runs::RunOptions& options) {
  const Followed followed = Follow(options);
  std::vector<SwitchJourney> journeys = followed.journeys->Chosen();
  EXPECT_EQ(static_cast<std::int64_t>(journeys.size()), followed.run->scoreboard().books().copies);
  LatencyHistogram latencies;
  for (const SwitchJourney& journey : journeys) latencies.Add(journey.latency());
  EXPECT_EQ(latencies.Entries(), followed.run->scoreboard().latency().Entries());
  const auto expect_equal = [&](const SwitchJourney& journey) {
    SCOPED_TRACE(testing::Message() << "p" << journey.source << ":" << journey.number << " to " << journey.way.output
                                    << " lane " << journey.way.lane << ", first word in cycle " << journey.first);
    const auto event = [&](Stage stage) { return journey.way.At(stage) - 1; };
    const Inside* const inside =
        followed.log->Find(journey.source, journey.way.output, journey.way.lane, event(Stage::kRequest));
    ASSERT_NE(inside, nullptr);
    const auto told = [&](golden::Stage stage) { return inside->stages[static_cast<std::size_t>(stage)]; };
    ASSERT_EQ(journey.way.reckoned.stored, told(golden::Stage::kStored));
    ASSERT_EQ(event(Stage::kGrant), told(golden::Stage::kGranted));
    ASSERT_EQ(event(Stage::kGrantArrival), told(golden::Stage::kGrantHere));
    ASSERT_EQ(event(Stage::kTransfer), told(golden::Stage::kPicked));
    ASSERT_EQ(event(Stage::kFirstCell), told(golden::Stage::kArrived));
    ASSERT_EQ(journey.earliest_pick, inside->earliest_pick);
    ASSERT_EQ(journey.throttled, inside->throttled);
    ASSERT_FALSE(inside->rerouted);
    EXPECT_EQ(journey.way.At(Stage::kLinkOut), journey.first_out);
    if (followed.run->setup().mode(journey.way.output).retry) {
      const Cycle held = followed.holds->Between(journey.way.output, event(Stage::kFirstCell) + 1, event(Stage::kTake));
      ASSERT_EQ(journey.way.reckoned.take.retry, held);
    }
    if (options.outages.every > 0) return;  // golden's books do not tell links that are down from lack of room
    if (journey.way.reckoned.down > 0) return;
    ASSERT_EQ(journey.way.reckoned.no_credit, inside->waits.no_credit);
    ASSERT_EQ(journey.way.reckoned.no_room, inside->waits.no_room);
  };
  for (const SwitchJourney& journey : journeys) {
    expect_equal(journey);
    if (::testing::Test::HasFailure()) break;
  }
  return journeys;
}

class GoldenJourneys : public ::testing::TestWithParam<Scenario> {};

TEST_P(GoldenJourneys, AreThoseThatGoldenTellsFromInside) {
  ExpectEqual(OptionsOf(GetParam(), kTile8, 7, kCycles));
  ExpectEqual(OptionsOf(GetParam(), kRosetta64, 7, kFewCycles));
}

/// The record does not say which of two granted packets of a pair and of the same cells is transferred. Links of one
/// lane bring a packet that is cut through so slowly that another one, which is granted after it, passes it. Returns how many
/// pass another one.
int PassedOf(const runs::RunOptions& options) {
  int passed = 0;
  const std::vector<SwitchJourney> journeys = ExpectEqual(options);
  for (const SwitchJourney& one : journeys) {
    for (const SwitchJourney& other : journeys) {
      passed += one.source == other.source && one.way.cells == other.way.cells &&
                one.way.At(Stage::kGrantArrival) < other.way.At(Stage::kGrantArrival) &&
                other.way.At(Stage::kTransfer) < one.way.At(Stage::kTransfer);
    }
  }
  return passed;
}

Scenario PacketsThatPass() {
  Scenario scenario{"PacketsThatPass", "fabric", "permutation:shift:1", "1000", 0.9};
  scenario.lanes = 1;
  scenario.classes = "0*0.97,1*0.03";
  scenario.stalls = 0.5;
  scenario.stall_cycles = 12000;
  scenario.stall_credits_only = true;
  return scenario;
}

TEST(GoldenJourneysOfAPair, TellThePacketThatPassesFromTheOneThatIsPassed) {
  int passed = 0;
  for (const std::uint32_t seed : {7, 8, 9}) passed += PassedOf(OptionsOf(PacketsThatPass(), kTile8, seed, 80000));
  EXPECT_GT(passed, 0);
}

/// Copies of attempts that were broken off pass packets, too, and packets pass such copies.
TEST(GoldenJourneysOfAPair, TellPacketsFromCopiesOfBrokenAttempts) {
  faults::Plan plan;
  plan.channel.word_ber = 1e-5;
  plan.channel.slot_ber = 1e-5;
  int passed = 0;
  for (const std::uint32_t seed : {7, 8, 9}) {
    runs::RunOptions options = OptionsOf(PacketsThatPass(), kTile8, seed, 80000);
    options.retry = 1;
    options.link_delay = 5;
    options.plan = std::make_shared<const faults::Plan>(plan);
    passed += PassedOf(options);
  }
  EXPECT_GT(passed, 0);
}

/// Links damage words and slots, go down, lose SerDes lanes, and have receivers that say nothing.
TEST(GoldenJourneysOverRetry, AreThoseThatGoldenTellsFromInside) {
  Cycle replayed_in = 0, replayed_out = 0, before_out = 0, held = 0, down = 0;
  for (int number = 0; number < kRetryScenarios; ++number) {
    SCOPED_TRACE(number);
    const runs::RunOptions options = RetryScenario(number, bench::SeedOf(bench::RootSeed(), bench::CurrentTest()) + number, 6000);
    for (const SwitchJourney& journey : ExpectEqual(options)) {
      if (journey.tried >= 0) replayed_in += journey.first - journey.tried;
      replayed_out += journey.accepted_out - journey.first_out;
      before_out += journey.first_out - (journey.way.At(Stage::kTake) - 1) - 8;
      held += journey.way.reckoned.take.retry;
      down += journey.way.reckoned.down;
    }
    if (HasFailure()) break;
  }
  for (const Cycle cycles : {replayed_in, replayed_out, before_out, held, down}) EXPECT_GT(cycles, 0);
}

TEST(GoldenJourneysOfFlowChannels, TellHowLongTheyHoldPackets) {
  Cycle throttled = 0;
  for (const Scenario& scenario : AckScenarios()) {
    if (scenario.flows == 0) continue;
    for (const SwitchJourney& journey : ExpectEqual(OptionsOf(scenario, kTile8, 11, kCycles))) throttled += journey.throttled;
  }
  EXPECT_GT(throttled, 0);
}

std::vector<Scenario> All() {
  std::vector<Scenario> all = Scenarios();
  all.insert(all.end(), AckScenarios().begin(), AckScenarios().end());
  all.insert(all.end(), ReductionScenarios().begin(), ReductionScenarios().end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, GoldenJourneys, ::testing::ValuesIn(All()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace tilefly::cosim
