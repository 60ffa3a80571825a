// SPDX-License-Identifier: Apache-2.0
// A run whose links send damaged words again goes on from a saved state as if nothing had happened: amid replays, dead
// SerDes lanes, links that are down, and reductions in the switches.
#include <gtest/gtest.h>

#include "testbenches/network/checkpoint_runs.h"
#include "testbenches/network/jobs.h"
#include "testbenches/network/repeating_run.h"
#include "topology/builder.h"

namespace tilefly::network {
namespace {

using End = faults::LinkName::End;
using faults::EventKind;

/// Three groups of two switches with two NICs each.
topology::Topology ThreeGroups() { return topology::Build("dragonfly:p=2,a=2,h=1"); }

faults::PlannedEvent Event(Cycle at, EventKind kind, faults::LinkName link, std::optional<Cycle> cycles, int lane = 0) {
  faults::PlannedEvent event;
  event.at = at;
  event.kind = kind;
  if (kind == EventKind::kLaneDown) event.direction = faults::Direction::kOut;
  event.link = link;
  event.cycles = cycles;
  event.lane = lane;
  event.origin = "plan:" + std::to_string(at) + ": event";
  return event;
}

/// Every kind of fault that a plan of a system has.
faults::Plan Everything() {
  faults::Plan plan;
  plan.channel.word_ber = 1e-5;
  plan.channel.slot_ber = 1e-5;
  plan.channel.word = {0.0001, 0.0001, 0};
  plan.channel.slot = {0.0005, 0.0005, 0};
  plan.events = {Event(250, EventKind::kLaneDown, {End::kSwitchPort, 3, 2}, {}, 2),
                 Event(280, EventKind::kLaneDown, {End::kEndpoint, 7, 0}, 900, 1),
                 Event(300, EventKind::kDown, {End::kSwitchPort, 2, 3}, 10),
                 Event(320, EventKind::kDropWord, {End::kSwitchPort, 1, 2}, {}),
                 Event(350, EventKind::kDown, {End::kEndpoint, 9, 0}, 1200),
                 Event(600, EventKind::kStuck, {End::kSwitchPort, 5, 2}, 700),
                 Event(1600, EventKind::kDown, {End::kSwitchPort, 5, 2}, 1000)};
  return plan;
}

NetworkOptions Loaded() {
  NetworkOptions options = Sized("uniform", 0.4, "64,496,4096", false);
  options.cycles = 2500;
  options.seed = 9;
  options.stalls = true;
  options.acks = AckUse::kOn;
  options.nics.resend = 9000;
  return options;
}

void ExpectTheSame(const topology::Topology& topology, const NetworkOptions& options,
                   const std::vector<Cycle>& cycles) {
  const std::string whole = WholeRun(topology, options);
  for (const Cycle at : cycles)
    EXPECT_EQ(RestOfRun(1, topology, options, StateOf(1, topology, options, at)), whole) << at;
}

TEST(RepeatingCheckpoint, OfARunWithEveryFaultGoesOnAsIfNothingHadHappened) {
  ExpectTheSame(ThreeGroups(), With(Loaded(), Everything()), {0, 310, 900, 1700, 2600});
  NetworkOptions numbered = With(Loaded(), Everything());
  numbered.nics.resend_window = 128;
  numbered.routing = RoutingOptions::Named("adaptive_0");
  ExpectTheSame(ThreeGroups(), numbered, {900});
}

TEST(RepeatingCheckpoint, OnAnyNumberOfProcesses) {
  const NetworkOptions options = With(Loaded(), Everything());
  const std::string whole = WholeRun(ThreeGroups(), options);
  for (const int saving : {1, 3}) {
    const std::deque<SavedBytes> pieces = StateOf(saving, ThreeGroups(), options, 900);
    for (const int resuming : {1, 2, 3})
      EXPECT_EQ(RestOfRun(resuming, ThreeGroups(), options, pieces), whole) << saving << resuming;
  }
}

/// A port gives its link up behind 33 timers: before, while it waits for the PHYs, and while the link is down.
TEST(RepeatingCheckpoint, OfALinkThatIsGivenUp) {
  NetworkOptions options = Sized("uniform", 0.1, "64,512", false);
  options.cycles = 150'000;
  faults::Plan plan;
  plan.channel.word_ber = 1e-6;
  plan.retrain = 1500;
  plan.events = {Event(300, EventKind::kStuck, {End::kSwitchPort, 0, 1}, 138'000)};
  const auto pair = topology::Build("dragonfly:p=1,a=1,h=1");
  const std::string whole = WholeRun(pair, With(options, plan));
  const std::size_t at = whole.find(" up ");
  ASSERT_NE(at, std::string::npos);
  const Cycle given_up = std::stoll(whole.substr(at + 4)), begin = Network(pair, With(options, plan)).nics().begin;
  ExpectTheSame(pair, With(options, plan), {50'000, given_up - begin + 300, given_up - begin + 2000});
}

TEST(RepeatingCheckpoint, WithReductionsInTheSwitches) {
  const auto fat = topology::Build("fattree:leaves=2,hosts=4,uplinks=4");
  NetworkOptions options;
  options.cycles = Cycle{1} << 40;
  options.warmup = 0;
  UseJobs(workload::MakeWorkload("allreduce:sharp,check=yes,bytes=20000", "", static_cast<int>(fat.endpoints.size()),
                                 workload::Allocation::kLinear, 3),
          &options);
  ExpectTheSame(fat, Repeating(options, 3e-6), {500, 2000, 4000});
}

}  // namespace
}  // namespace tilefly::network
